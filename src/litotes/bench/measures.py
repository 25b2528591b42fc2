"""What is measured of one item, as pure functions; figures over items are statistics of these (litotes.stats)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

RIGHT, FIRST, SECOND, REVERSED, TIED, UNREAD = "right", "prefers doc1", "prefers doc2", "reversed", "tied", "unread"
OUTCOMES = (RIGHT, FIRST, SECOND, REVERSED, TIED, UNREAD)
SAME = 1e-6
"""two scores this close, in proportion, are one score: the noise of float32 must not decide a tie"""


def preference(first: float, second: float) -> float:
    """How much the first score is above the second; 0 where they are the same but for rounding."""
    apart = first - second
    return 0.0 if abs(apart) <= SAME * max(abs(first), abs(second)) else apart


def outcome(first: float, second: float | None = None) -> str:
    """What came of a contrast: how much q1 prefers doc1, and q2 doc2; without q2, q1 decides alone (right rank).

    Right only where every query prefers its own document: a tie (0) is wrong, and so is an answer nobody could read.
    """
    both = (first,) if second is None else (first, second)
    if any(math.isnan(one) for one in both):
        return UNREAD
    if any(one == 0 for one in both):
        return TIED
    if all(one > 0 for one in both):
        return RIGHT
    if second is None:
        return SECOND
    if first > 0:
        return FIRST
    return SECOND if second > 0 else REVERSED


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Normalised discounted gain of the first k, as trec_eval has it; 0 where nothing relevant is known.

    The gain is the grade, the discount log2(1 + rank).
    """
    gains = [max(0.0, grades.get(name, 0.0)) for name in ranking[:k]]
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]
    return _discounted(gains) / _discounted(ideal) if ideal else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """One over the rank of the first relevant document; 0 where none of the first k is."""
    ranks = (rank for rank, name in enumerate(ranking[:k], start=1) if grades.get(name, 0) > 0)
    return next((1 / rank for rank in ranks), 0.0)


def recall(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """The share of the relevant documents that stand among the first k; 0 where nothing relevant is known."""
    relevant = {name for name, grade in grades.items() if grade > 0}
    return len(relevant & set(ranking[:k])) / len(relevant) if relevant else 0.0


def sensitivity(unchanged: float, perturbed: float, empty: float) -> float:
    """DEMETR's ratio: the drop to the perturbed text over the drop to an empty one; NaN where that is no drop."""
    floor = preference(unchanged, empty)
    return (unchanged - perturbed) / floor if floor > 0 else float("nan")


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(1 + rank) for rank, gain in enumerate(gains, start=1))
