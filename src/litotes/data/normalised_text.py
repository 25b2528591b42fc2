"""The normalised form of a text: two texts are the same if their words are."""

from __future__ import annotations

import re
import unicodedata

MIN_WORDS = 5
"""Texts of fewer words are too common to tell where they come from."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Join the tokens of treebanks: "do n't" → "don't", "Ann 's" → "Ann's".
_SPLIT_CONTRACTION = re.compile(r"\s+(?=n't\b|'(?:s|re|ve|ll|d|m)\b)")


def normalise(text: str) -> str:
    """Return the words in lower case, separated by single spaces, without punctuation and with straight apostrophes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    text = text.lower()
    if " n't" in text or " '" in text:
        text = _SPLIT_CONTRACTION.sub("", text)
    return " ".join(_WORD.findall(text))


def is_long(words: str) -> bool:
    """Return whether a normalised text has enough words to be searched for."""
    return words.count(" ") >= MIN_WORDS - 1
