"""Windows of a long document: runs of whole sentences that fit beside a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from litotes.detection.sentences import sentence_spans

Count = Callable[[Sequence[str]], list[int]]
"""Returns the number of tokens of each text."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a document, from character `start` to `end`."""

    text: str
    start: int
    end: int


def windows(document: str, limit: int, count: Count) -> list[Window]:
    """Split a document into windows of at most `limit` tokens; a document that fits is one window.

    A window ends with a sentence, and the next one repeats that sentence if it can, so that a statement is read with
    what comes before it. A sentence that is too long by itself is split between words.
    """
    if count([document])[0] <= limit:
        return [Window(document, 0, len(document))]
    spans = sentence_spans(document)
    sizes = count([document[start:end] for start, end in spans])
    if max(sizes) > limit:
        pairs = zip(spans, sizes, strict=True)
        spans = [
            part
            for span, size in pairs
            for part in ([span] if size <= limit else _halves(document, span, limit, count))
        ]
        sizes = count([document[start:end] for start, end in spans])
    found: list[Window] = []
    first = 0
    while first < len(spans):
        last, total = first, sizes[first]
        while last + 1 < len(spans) and total + sizes[last + 1] <= limit:
            last += 1
            total += sizes[last]
        start, end = spans[first][0], spans[last][1]
        found.append(Window(document[start:end], start, end))
        if last + 1 == len(spans):
            break
        repeats = last > first and sizes[last] + sizes[last + 1] <= limit
        first = last if repeats else last + 1
    return found


def _halves(document: str, span: tuple[int, int], limit: int, count: Count) -> list[tuple[int, int]]:
    """Split a sentence that is too long between words, in the middle, until each part fits."""
    start, end = span
    if end - start < 2 or count([document[start:end]])[0] <= limit:
        return [span]
    middle = (start + end) // 2
    space = document.rfind(" ", start + 1, middle)
    cut = space if space > start else middle
    return [*_halves(document, (start, cut), limit, count), *_halves(document, (cut, end), limit, count)]
