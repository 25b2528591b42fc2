"""Names: short ones for models, and places for them beside the points of a scatter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Box = tuple[float, float, float, float]
"""left, bottom, right, top"""
LETTER = 0.58
"""the width of a letter, of the size of the type"""


def short_names(models: Sequence[str]) -> dict[str, str]:
    """ "dense:/models/litotes-mini" → "dense:litotes-mini"; the whole name where two would be called the same."""
    short = {}
    for model in models:
        family, colon, target = model.partition(":")
        last = target.rstrip("/").rsplit("/", 1)[-1]
        short[model] = f"{family}{colon}{last}" if last else model
    twice = {name for name, count in Counter(short.values()).items() if count > 1}
    return {model: model if name in twice else name for model, name in short.items()}


def place_labels(
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    frame: Box,
    *,
    taken: Sequence[Box] = (),
    size: float = 9.5,
    gap: float = 6,
) -> list[Box]:
    """A box for each point's text, in the points' own units, that meets no other box, no point and no edge if it can.

    `taken` is where something else stands already.

    Tried in turn: right, left, above, below, and the corners. Where every place is taken, the one with the least in
    its way.
    """
    full = [*taken, *((x - gap / 2, y - gap / 2, x + gap / 2, y + gap / 2) for x, y in points)]
    found: list[Box] = []
    for (x, y), text in zip(points, texts, strict=True):
        wide, high = LETTER * size * len(text), 1.2 * size
        places = (
            (x + gap, y - high / 2),
            (x - gap - wide, y - high / 2),
            (x - wide / 2, y + gap),
            (x - wide / 2, y - gap - high),
            (x + gap / 2, y + gap),
            (x + gap / 2, y - gap - high),
            (x - gap / 2 - wide, y + gap),
            (x - gap / 2 - wide, y - gap - high),
        )
        boxes = [(left, bottom, left + wide, bottom + high) for left, bottom in places]
        best = min(boxes, key=lambda box: sum(_common(box, other) for other in full) + 4 * _outside(box, frame))
        found.append(best)
        full.append(best)
    return found


def _common(one: Box, other: Box) -> float:
    """The area two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _outside(box: Box, frame: Box) -> float:
    """The area of a box beyond the frame."""
    return (box[2] - box[0]) * (box[3] - box[1]) - _common(box, frame)
