"""Choosing which epoch or blend of a run is kept, by negation and general ability together.

By convention an evaluator names its scores "negation.…" and "general.…"; the mean of each group counts here. Scores
with other names ("minimal-pair cosine") are recorded but do not decide. Higher is better, and the scores of a group
have the same unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from litotes.errors import InputError
from litotes.stats import pareto

NEGATION, GENERAL = "negation.", "general."


@dataclass(frozen=True, slots=True)
class AbilityPoint:
    """The abilities of a model at an epoch, or at a share of a blend."""

    at: float
    negation: float
    general: float


def point_of(at: float, scores: Mapping[str, float]) -> AbilityPoint:
    """Return an evaluator's scores as a point; raise InputError if a group of scores is missing."""
    groups = [[value for name, value in scores.items() if name.startswith(group)] for group in (NEGATION, GENERAL)]
    if not all(groups):
        raise InputError(
            f"a choice needs scores named {NEGATION}… and {GENERAL}…; the evaluator returned "
            f"{', '.join(scores) or 'none'}"
        )
    negation, general = (sum(values) / len(values) for values in groups)
    return AbilityPoint(at, negation, general)


def choose(points: Sequence[AbilityPoint], max_general_loss: float) -> AbilityPoint:
    """Return the best point at negation among those that lost at most so much general ability.

    The first point is the start, to which general ability is compared; it is returned if all others lost too much. A
    point that another one dominates is never returned. Of equal points the first is returned.
    """
    if not points:
        raise InputError("there are no points to choose from; expected at least the start")
    allowed = [point for point in points if not lost_too_much(points[0], point, max_general_loss)]
    best = [allowed[index] for index in pareto([(point.negation, point.general) for point in allowed])]
    return max(best, key=lambda point: (point.negation, point.general))


def lost_too_much(start: AbilityPoint, point: AbilityPoint, max_general_loss: float) -> bool:
    """Return whether general ability fell below the start's by more than is allowed."""
    # Scores are sums of floats, so a loss of exactly the limit may come out slightly larger.
    return start.general - point.general > max_general_loss + 1e-9
