"""How probabilities of tokens become marks on the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from litotes.query_marks import CUE, INSIDE, ITEM, KEPT, Marks, joined
from litotes.types import Span

_WORD = re.compile(r"\w+(?:['’.\-/:@]\w+)*|[^\w\s]")


def marks_of(text: str, offsets: Sequence[Span], tags: np.ndarray) -> Marks:
    """Return the marks on a text from the probabilities of its tokens, one row of tags each.

    Words are marked whole: all pieces of a word count equally, except that its first piece decides whether a new item
    begins with it.
    """
    return joined(_tagged_words(text, offsets, tags))


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
