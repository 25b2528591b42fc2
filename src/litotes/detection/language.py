"""Recognise texts that are not English, so that they get a reason instead of an English "not"."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from litotes.lexicon import table
from litotes.parse import Sentence

EDGES = '.,;:!?"“”‘’()[]…—'


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str]]:
    rows = table("function_words")
    english = frozenset(r["word"] for r in rows if r["language"] == "english")
    other = frozenset(r["word"] for r in rows if r["language"] == "other")
    return english, other


def non_english_reason(sentence: Sentence) -> str:
    """Return why a parsed sentence does not look like English, or ""."""
    return _reason(sentence.text, [token.lower for token in sentence.tokens])


def non_english_text_reason(text: str) -> str:
    """Return why a text that was not parsed does not look like English, or ""."""
    return _reason(text, [word.strip(EDGES) for word in text.lower().split()])


def _reason(text: str, words: Sequence[str]) -> str:
    if not text.isascii() and not _mostly_latin(text):
        return "the text is not in the Latin alphabet; only English is supported"
    english, other = _words()
    if other.isdisjoint(words):
        return ""
    if sum([word in other for word in words]) > sum([word in english for word in words]):
        return "the text does not look like English"
    return ""


def _mostly_latin(text: str) -> bool:
    """Return whether at least seven letters in ten are Latin."""
    letters = [c for c in text if c.isalpha()]
    return sum(map(_is_latin, letters)) >= 0.7 * len(letters)


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    if character < "\x80":
        return character.isalpha()
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN")
