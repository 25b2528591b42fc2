"""Texts that agree after normalising deserve the same answer without a model."""

from __future__ import annotations

import re
import unicodedata

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_SHORT = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "i'm": "i am",
    "let's": "let us",
}
_ENDINGS = (("n't", " not"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"))
_PLEASE = r"(?:please|pls|plz|thanks|thank you)"
_POLITE = re.compile(rf"^(?:{_PLEASE}|hi|hello|hey)\b[ ,!.]*|[ ,]*\b{_PLEASE}$")


def agree(one: str, other: str) -> bool:
    """Return whether two texts are equal but for spaces, quotation marks, contractions, politeness and final marks.

    Capitals count, because "it" is not "IT", except at the start and where a text has none at all.
    """
    left, right = normalised(one), normalised(other)
    if not left or left.casefold() != right.casefold():
        return False
    typed_without = any(text == text.casefold() for text in (one, other))
    return typed_without or left[:1].casefold() + left[1:] == right[:1].casefold() + right[1:]


def normalised(text: str) -> str:
    """Return a text without what does not change its meaning; its capitals stay."""
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())
    plain = " ".join(_expanded(word) for word in plain.split(" "))
    while (shorter := _trimmed(plain)) != plain:
        plain = shorter
    return plain


def _trimmed(text: str) -> str:
    """Remove a greeting or thanks, and marks at the end of the text; "C++" and "5%" keep theirs."""
    bare = text.rstrip(" .?!,;").removesuffix('"').removeprefix('"')
    found = _POLITE.search(bare.casefold())
    # casefold may change the length of a text with rare letters; then its greeting stays
    if found and len(bare.casefold()) == len(bare):
        bare = bare[: found.start()] + bare[found.end() :]
    return bare.strip(" ,")


def _expanded(word: str) -> str:
    """Write a contraction in full: don't, do not."""
    low = word.casefold()
    if low in _SHORT:
        return _SHORT[low] if word == low else _SHORT[low].capitalize()
    for ending, full in _ENDINGS:
        if low.endswith(ending) and len(low) > len(ending):
            return word[: -len(ending)] + full
    return word
