"""The Pareto line: what no other model beats on both axes at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan


def pareto(points: Sequence[tuple[float, float]]) -> list[int]:
    """The places of the points that are beaten by none, from left to right; more is better on both axes.

    A point is beaten by one that is at least as good on both axes and better on one, so equal points stay together.
    A point with a NaN is never on the line and beats nothing.
    """
    there = [place for place, point in enumerate(points) if not any(isnan(value) for value in point)]
    unbeaten = [place for place in there if not any(_beats(points[other], points[place]) for other in there)]
    return sorted(unbeaten, key=lambda place: (points[place][0], -points[place][1], place))


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] >= other[0] and one[1] >= other[1]
