"""Windows of a long document: runs of whole sentences that fit beside a query."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.detection.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a document, from character `start` to `end`."""

    text: str
    start: int
    end: int
    tokens: tuple[int, int] = (0, 0)
    """its first token among those of the document, and the one after its last"""


def windows(document: str, limit: int, offsets: Sequence[tuple[int, int]]) -> list[Window]:
    """Split a document into windows of at most `limit` tokens; a document that fits is one window.

    `offsets` are the first character of each token and the one after its last. A window ends with a sentence, and the
    next one repeats that sentence if it can, so that a statement is read with what comes before it. A sentence that is
    too long by itself is split between words.
    """
    if len(offsets) <= limit:
        return [Window(document, 0, len(document), (0, len(offsets)))]
    starts = [start for start, _ in offsets]
    spans = [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in sentence_spans(document)]
    # What stands before the first sentence or after the last one belongs to it.
    spans[0], spans[-1] = (0, spans[0][1]), (spans[-1][0], len(offsets))
    pieces = [piece for span in spans for piece in _pieces(document, span, limit, offsets)]
    found: list[Window] = []
    first = 0
    while first < len(pieces):
        last = first
        while last + 1 < len(pieces) and pieces[last + 1][1] - pieces[first][0] <= limit:
            last += 1
        low, high = pieces[first][0], pieces[last][1]
        start, end = offsets[low][0], offsets[high - 1][1]
        found.append(Window(document[start:end], start, end, (low, high)))
        if last + 1 == len(pieces):
            break
        repeats = last > first and pieces[last + 1][1] - pieces[last][0] <= limit
        first = last if repeats else last + 1
    return found


def _pieces(
    document: str, span: tuple[int, int], limit: int, offsets: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Split a sentence that has too many tokens: before the last word that does not fit, or within a long word."""
    low, high = span
    found = []
    while high - low > limit:
        cut = low + limit
        words = (at for at in range(cut, low, -1) if document[offsets[at][0] - 1].isspace())
        cut = next(words, cut)
        found.append((low, cut))
        low = cut
    return [*found, (low, high)] if high > low else found
