"""Which epoch, or which blend, of a run is kept: by negation and general ability together.

By convention an evaluator names its scores "negation.…" and "general.…"; the mean of each group is what counts here,
and other names ("twin cosine") are noted but decide nothing. Higher is better, in one unit for all scores of a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from litotes.errors import InputError

NEGATION, GENERAL = "negation.", "general."


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run stood: at an epoch, or at a share of a blend."""

    at: float
    negation: float
    general: float


def point_of(at: float, scores: Mapping[str, float]) -> Point:
    """An evaluator's scores as a point; InputError where one of the groups is missing."""
    groups = [[value for name, value in scores.items() if name.startswith(group)] for group in (NEGATION, GENERAL)]
    if not all(groups):
        raise InputError(
            f"a choice needs scores named {NEGATION}… and {GENERAL}…; the evaluator gave {', '.join(scores) or 'none'}"
        )
    negation, general = (sum(values) / len(values) for values in groups)
    return Point(at, negation, general)


def pareto(points: Iterable[Point]) -> list[Point]:
    """The points that no other beats in one ability without losing in the other, in their order."""
    everything = list(points)
    return [point for point in everything if not any(_beats(other, point) for other in everything)]


def choose(points: Sequence[Point], max_general_loss: float) -> Point:
    """The best at negation among those that lost at most so much general ability; never one off the Pareto line.

    The first point is the start, before any training, and the measure of loss. It may itself be the choice: where every
    other lost too much. Of equals the first wins.
    """
    if not points:
        raise InputError("there are no points to choose from; expected the start at least")
    kept = [point for point in points if not lost_too_much(points[0], point, max_general_loss)]
    return max(pareto(kept), key=lambda point: (point.negation, point.general))


def lost_too_much(start: Point, point: Point, max_general_loss: float) -> bool:
    """Whether to stop early: general ability fell below the start's by more than was asked."""
    # Scores are sums of floats: a loss of exactly what was asked is not more.
    return start.general - point.general > max_general_loss + 1e-9


def _beats(one: Point, other: Point) -> bool:
    return (
        one.negation >= other.negation
        and one.general >= other.general
        and (one.negation > other.negation or one.general > other.general)
    )
