"""A text as its words: what two texts must share to be called the same."""

from __future__ import annotations

import re
import unicodedata

FEWEST = 5
"""texts of fewer words are too common to say where they come from"""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# treebank tokens: "do n't" → "don't", "Ann 's" → "Ann's"
_APART = re.compile(r"\s+(?=n't\b|'(?:s|re|ve|ll|d|m)\b)")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+")


def normal(text: str) -> str:
    """The words in lower case with one space between them: no punctuation, no line ends, one kind of apostrophe."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    text = text.lower()
    if " n't" in text or " '" in text:
        text = _APART.sub("", text)
    return " ".join(_WORD.findall(text))


def is_long(words: str) -> bool:
    """Whether a text in normal form has words enough to be looked for."""
    return words.count(" ") >= FEWEST - 1


def sentences(text: str) -> list[str]:
    """The sentences of a text, cut at every full stop, question and exclamation mark before a space.

    An abbreviation is cut too: that only makes a piece too short to look for.
    """
    return _SENTENCE_END.split(text)
