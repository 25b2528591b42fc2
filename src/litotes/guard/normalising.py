"""Texts that agree after normalising deserve the same answer without a model."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from litotes.lexicon import table

_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."}
    # Full-width letters and marks. Other compatibility characters stay: 5² is not 52.
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
)
_CONTRACTION = re.compile(r"\b(?:[a-z]+'[a-z]+|cannot)\b", re.IGNORECASE)
_SHORT = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us"}
_ENDINGS = (("n't", " not"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'m", " am"))
_WITH_IS = frozenset({"it", "he", "she", "that", "there", "here", "what", "where", "who", "how", "when", "why"})
"""Words after which 's is taken for "is"; elsewhere it may be a possessive."""
_MARKS = " .?,;:"
_FRAMES = (("(", ")"), ("[", "]"), ('"', '"'), ("'", "'"))
_GREETINGS = ("hi", "hello", "hey", "please", "thanks", "thank you")
_CLOSINGS = ("please", "thanks", "thank you")
_MENTIONING = frozenset({"say", "said", "saying", "spell", "mean", "write", "word", "words", "sang", "by", "with"})
"""Words after which "please" is mentioned, not used."""


def agree(one: str, other: str) -> bool:
    """Return whether two texts are equal but for spaces, capitals, contractions, politeness and marks around them.

    "IT" and "it", and other words in capitals that are common words in small letters, are different.
    """
    if one.strip() and one.strip() == other.strip():
        return True
    left, right = normalised(one), normalised(other)
    return bool(left) and left.casefold() == right.casefold() and not _differ_in_capitals(left, right)


def normalised(text: str) -> str:
    """Return a text without what does not change its meaning; its capitals stay."""
    bare = " ".join(unicodedata.normalize("NFC", text).translate(_PLAIN).split())
    while (shorter := _without_politeness(_without_marks(bare))) != bare:
        bare = shorter
    return expanded(bare)


def expanded(text: str) -> str:
    """Write contractions in full: don't, do not."""
    return _CONTRACTION.sub(lambda found: _in_full(found[0]), text.translate(_PLAIN))


def _in_full(word: str) -> str:
    low = word.casefold()
    if low in _SHORT:
        return _SHORT[low] if word == low else _SHORT[low].capitalize()
    for ending, full in _ENDINGS:
        if low.endswith(ending):
            return word[: -len(ending)] + full
    return f"{word[:-2]} is" if low.endswith("'s") and low[:-2] in _WITH_IS else word


def _without_marks(text: str) -> str:
    """Remove marks at the end and around the text; "C++", "5%" and "5!" keep theirs."""
    bare = text.rstrip(_MARKS)
    last = bare.rstrip("!").rsplit(" ", 1)[-1]
    if len(last) > 1 and last[-1].isalpha():
        bare = bare.rstrip("!" + _MARKS)
    bare = bare.removeprefix("- ").removeprefix("* ").strip()
    for start, end in _FRAMES:
        if len(bare) > 1 and bare[0] == start and bare[-1] == end and bare.count(end) == 1 + (start == end):
            return bare[1:-1].strip()
    return bare


def _without_politeness(text: str) -> str:
    """Remove a greeting, please or thanks that stand apart from the rest; something must be left."""
    low = text.casefold()
    if len(low) != len(text):
        return text
    for word in _GREETINGS:
        rest = text[len(word) :]
        used = word == "please" and rest[:1] == " " and "please" not in rest.casefold()
        apart = used or rest[:1] in (",", "!", ".")
        if low.startswith(word) and apart and rest.strip(" ,.!"):
            return rest.lstrip(" ,.!")
    for word in _CLOSINGS:
        rest = text[: -len(word)]
        before = rest.rstrip(" ").casefold().rsplit(" ", 1)[-1]
        used = rest[-1:] == " " and word == "please" and before not in (*_MENTIONING, "please")
        if low.endswith(word) and (used or rest.rstrip(" ")[-1:] in (",", ".", "!", "?")) and rest.strip(" ,.!?"):
            return rest.rstrip(" ,")
    return text


def _differ_in_capitals(left: str, right: str) -> bool:
    """Return whether a common word of one text is written in capitals in the other, which has other words without."""
    if left.isupper() or right.isupper():
        return False
    words = zip(left.split(), right.split(), strict=False)
    return any(one != other and _is_acronym(one) != _is_acronym(other) for one, other in words)


def _is_acronym(word: str) -> bool:
    """Return whether a word of capitals is a common word in small letters: IT, US, WHO."""
    return len(word) > 1 and word.isupper() and word.casefold() in _common_words()


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    english = frozenset(row["word"] for row in table("function_words") if row["language"] == "english")
    return english | {"us", "am"}
