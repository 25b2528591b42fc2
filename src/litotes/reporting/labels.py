"""Short names for models, and positions for labels in a scatter plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
LETTER_WIDTH = 0.58
"""The mean width of a letter, as a fraction of the font size."""


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Shorten "dense:/models/litotes-mini" to "dense:litotes-mini"; keep the full names of models that would clash."""
    short = {}
    for model in models:
        family, colon, target = model.partition(":")
        last = target.rstrip("/").rsplit("/", 1)[-1]
        short[model] = f"{family}{colon}{last}" if last else model
    ambiguous = {name for name, count in Counter(short.values()).items() if count > 1}
    return {model: model if name in ambiguous else name for model, name in short.items()}


def place_labels(
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    frame: Box,
    *,
    obstacles: Sequence[Box] = (),
    size: float = 9.5,
    gap: float = 6,
) -> list[Box]:
    """Return a box for the label of each point that avoids other labels, points, `obstacles` and the edge.

    The positions are tried in this order: right, left, above, below, and the corners. If none is free, the label is
    placed where it overlaps least. All numbers have the unit of the points.
    """
    occupied = [*obstacles, *((x - gap / 2, y - gap / 2, x + gap / 2, y + gap / 2) for x, y in points)]
    labels: list[Box] = []
    for (x, y), text in zip(points, texts, strict=True):
        width, height = LETTER_WIDTH * size * len(text), 1.2 * size
        corners = (
            (x + gap, y - height / 2),
            (x - gap - width, y - height / 2),
            (x - width / 2, y + gap),
            (x - width / 2, y - gap - height),
            (x + gap / 2, y + gap),
            (x + gap / 2, y - gap - height),
            (x - gap / 2 - width, y + gap),
            (x - gap / 2 - width, y - gap - height),
        )
        boxes = [(left, bottom, left + width, bottom + height) for left, bottom in corners]
        best = min(boxes, key=lambda box: sum(_overlap(box, other) for other in occupied) + 4 * _outside(box, frame))
        labels.append(best)
        occupied.append(best)
    return labels


def _overlap(box: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(0.0, width) * max(0.0, height)


def _outside(box: Box, frame: Box) -> float:
    """Return the area of a box outside the frame."""
    return (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, frame)
