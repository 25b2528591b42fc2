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
    letters = sum(c.isalpha() for t in sentence.tokens for c in t.text)
    latin = sum(_is_latin(c) for t in sentence.tokens for c in t.text)
    if letters and latin < 0.7 * letters:
        return "the text is not in the Latin alphabet; only English is supported"
    english, other = _words()
    here = sum(t.lower in english for t in sentence.tokens)
    there = sum(t.lower in other for t in sentence.tokens)
    if there > here:
        return "the text does not look like English"
    return ""


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    if character < "\x80":
        return character.isalpha()
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN")
