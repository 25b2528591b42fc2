"""The parts of a query from the marks on it: what is kept, as a tidy text, and what is excluded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from litotes.detection.exclusion.words import CONNECTIVES, words_of
from litotes.query_marks import Marks
from litotes.types import Exclusion, Span

_FUNCTION_WORDS = frozenset([
    "a", "an", "the", "that", "this", "these", "those", "it", "its", "one", "ones", "of", "to", "in", "on", "and", "or",
])  # fmt: skip
"""An item of these alone names nothing: the query was misread."""
_QUOTES = " \"'“”‘’"
# what may remain of a list or a sentence when its items are cut
_TIDY = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\(\s*(?:OR\b|AND\b|[,|\s])*\)"), " "),
    (re.compile(r"(?:\b(?:AND|OR)\s+)+(?=(?:AND|OR)\b|$)"), ""),
    (re.compile(r"\s+([,.;:?!)])"), r"\1"),
    (re.compile(r"([?!])\s*\."), r"\1"),
    (re.compile(r"([,;:.])(?:\s*[,;:.])+"), r"\1"),
    (re.compile(r",(?=[?!.])"), ""),
    (re.compile(r"^[\s,;:.\-–—]+|[\s,;:\-–—]+$"), ""),
    (re.compile(r"^(?:and|but|then)\s+|\s+(?:and|but|or)$", re.IGNORECASE), ""),
    (re.compile(r"[,;:]\s*(?:please|pls|thanks)?\s*$"), ""),
    (re.compile(r"\s+"), " "),
)


def parted(text: str, marks: Marks) -> Exclusion:
    """Return a query in parts.

    It is kept whole if it excludes nothing, if nothing would be left to search for, or if an item names nothing.
    """
    spans = tuple(span for span in marks.items if any(map(str.isalnum, text[slice(*span)])))
    kept = _kept(text, sorted((*marks.cues, *spans)))
    if not spans or not re.search(r"\w", kept) or any(_names_nothing(text[slice(*span)]) for span in spans):
        return Exclusion(text, text)
    items = tuple(text[slice(*span)].strip(_QUOTES) for span in spans)
    cues = tuple(span for span in marks.cues if _excludes(text[slice(*span)]))
    return Exclusion(text, kept, items, tuple(text[slice(*span)] for span in cues), spans, cues)


def _names_nothing(item: str) -> bool:
    return _FUNCTION_WORDS.issuperset(item.split())


def _excludes(cue: str) -> bool:
    """Return whether a cue has a word that excludes: the connectives of a list are marked as cues, too."""
    return any(word.form not in CONNECTIVES for word in words_of(cue))


def together(one: Marks, other: Marks) -> Marks:
    """Return the marks of both; where they overlap, those of the first count."""
    taken = [*one.cues, *one.items]

    def free(span: Span) -> bool:
        return not any(start < span[1] and span[0] < end for start, end in taken)

    cues, items = (
        [*mine, *filter(free, theirs)] for mine, theirs in ((one.cues, other.cues), (one.items, other.items))
    )
    return Marks(tuple(sorted(cues)), tuple(sorted(items)))


def _kept(text: str, cut: Sequence[Span]) -> str:
    """Return what is not cut, tidied; a capital moves to the front."""
    pieces, at = [], 0
    for start, end in cut:
        pieces.append(text[at:start])
        at = max(at, end)
    pieces.append(text[at:])
    kept = re.sub(r"[\"“]\s*[\"”]", " ", " ".join(pieces))
    for pattern, by in _TIDY:
        kept = pattern.sub(by, kept)
    kept = kept.strip()
    return kept[:1].upper() + kept[1:] if text[:1].isupper() and kept[:1].islower() else kept
