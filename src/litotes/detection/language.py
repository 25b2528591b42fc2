"""Is this English? A small guard, so that other languages get a reason and not an English "not"."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from litotes.lexicon import table
from litotes.parse import Sentence


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str]]:
    rows = table("function_words")
    english = frozenset(r["word"] for r in rows if r["language"] == "english")
    other = frozenset(r["word"] for r in rows if r["language"] == "other")
    return english, other


def foreign(sentence: Sentence) -> str:
    """Why the sentence does not look like English, or ""."""
    if not sentence.text.isascii() and not _latin(sentence):
        return "the text is not in the Latin alphabet; only English is supported"
    english, other = _words()
    there = sum([token.lower in other for token in sentence.tokens])
    if there and there > sum([token.lower in english for token in sentence.tokens]):
        return "the text does not look like English"
    return ""


def _latin(sentence: Sentence) -> bool:
    """Whether seven letters in ten are Latin."""
    letters = [c for token in sentence.tokens for c in token.text if c.isalpha()]
    return sum(map(_is_latin, letters)) >= 0.7 * len(letters)


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    if character < "\x80":
        return character.isalpha()
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN")
