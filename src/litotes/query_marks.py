"""Marks on the text of a search query: the words that exclude, and each excluded item (docs/labelling-queries.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from litotes.types import Span

TAGS = ("kept", "cue", "item", "inside")
"""What a word is: part of the wish, of the words that exclude, the first of an excluded item, a later one of it."""
KEPT, CUE, ITEM, INSIDE = range(len(TAGS))


@dataclass(frozen=True, slots=True)
class Marks:
    """The parts of a query that are not kept: cues with the connectives of lists, and the excluded items."""

    cues: tuple[Span, ...] = ()
    items: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.items)


def joined(words: Iterable[tuple[Span, int]]) -> Marks:
    """Join words that have tags: neighbours with the tag of a cue are one cue, an item goes on with `INSIDE`."""
    cues: list[Span] = []
    items: list[Span] = []
    previous = KEPT
    for (start, end), tag in words:
        if tag == CUE:
            cues[-1:] = [(cues[-1][0], end)] if previous == CUE else [*cues[-1:], (start, end)]
        elif tag != KEPT:
            goes_on = tag == INSIDE and previous in (ITEM, INSIDE)
            items[-1:] = [(items[-1][0], end)] if goes_on else [*items[-1:], (start, end)]
        previous = tag
    return Marks(tuple(cues), tuple(items))
