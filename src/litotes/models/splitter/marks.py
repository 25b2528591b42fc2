"""What a token of a query can be, and how probabilities of tokens become marks on the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from litotes.types import Span

TAGS = ("kept", "cue", "item", "inside")
"""What a token is: part of the wish, of the words that exclude, the first of an excluded item, a later one of it."""
KEPT, CUE, ITEM, INSIDE = range(len(TAGS))
_WORD = re.compile(r"\w+(?:['’.\-/:@]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Marks:
    """The parts of a query that are not kept: cues with the connectives of lists, and the excluded items."""

    cues: tuple[Span, ...] = ()
    items: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.items)


def marks_of(text: str, offsets: Sequence[Span], tags: np.ndarray) -> Marks:
    """Return the marks on a text from the probabilities of its tokens, one row of tags each.

    Words are marked whole: all pieces of a word count equally, except that its first piece decides whether a new item
    begins with it.
    """
    cues: list[list[int]] = []
    items: list[list[int]] = []
    previous = KEPT
    for (start, end), tag in _tagged_words(text, offsets, tags):
        if tag in (ITEM, INSIDE):
            if tag == INSIDE and previous in (ITEM, INSIDE):
                items[-1][1] = end
            else:
                items.append([start, end])
        elif tag == CUE:
            if previous == CUE:
                cues[-1][1] = end
            else:
                cues.append([start, end])
        previous = tag
    return Marks(tuple((start, end) for start, end in cues), tuple((start, end) for start, end in items))


def _tagged_words(text: str, offsets: Sequence[Span], tags: np.ndarray) -> Iterator[tuple[Span, int]]:
    at = 0
    for match in _WORD.finditer(text):
        while at < len(offsets) and offsets[at][1] <= match.start():
            at += 1
        until = at
        while until < len(offsets) and offsets[until][0] < match.end():
            until += 1
        pieces = tags[at:until]
        if not len(pieces):
            # the end of a query that is too long to be read whole
            return
        kept, cue, first, inside = pieces.mean(axis=0)
        if kept >= max(cue, first + inside):
            tag = KEPT
        elif cue >= first + inside:
            tag = CUE
        else:
            tag = ITEM if pieces[0, ITEM] >= pieces[0, INSIDE] else INSIDE
        yield match.span(), tag
