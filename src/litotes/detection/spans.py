"""Convert tokens into character spans."""

from __future__ import annotations

from collections.abc import Iterable

from litotes.parse import Sentence
from litotes.types import Span


def merged_spans(sentence: Sentence, places: Iterable[int]) -> tuple[Span, ...]:
    """Return the spans of the tokens at `places`, with adjacent tokens merged into one span."""
    spans: list[Span] = []
    last = -2
    for i in sorted(places):
        token = sentence.tokens[i]
        if i == last + 1 and spans:
            spans[-1] = (spans[-1][0], token.end)
        else:
            spans.append((token.start, token.end))
        last = i
    return tuple(spans)
