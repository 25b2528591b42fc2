"""Is this English? A small guard, so that other languages get a reason and not an English "not"."""

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


def foreign(sentence: Sentence) -> str:
    """Why the sentence does not look like English, or ""."""
    return _foreign(sentence.text, [token.lower for token in sentence.tokens])


def foreign_text(text: str) -> str:
    """The same of a text that is not parsed."""
    return _foreign(text, [word.strip(EDGES) for word in text.lower().split()])


def _foreign(text: str, words: Sequence[str]) -> str:
    if not text.isascii() and not _latin(text):
        return "the text is not in the Latin alphabet; only English is supported"
    english, other = _words()
    if other.isdisjoint(words):
        return ""
    if sum([word in other for word in words]) > sum([word in english for word in words]):
        return "the text does not look like English"
    return ""


def _latin(text: str) -> bool:
    """Whether seven letters in ten are Latin."""
    letters = [c for c in text if c.isalpha()]
    return sum(map(_is_latin, letters)) >= 0.7 * len(letters)


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    if character < "\x80":
        return character.isalpha()
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN")
