"""Measures of one item, as pure functions; figures over items are statistics of these (litotes.stats)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

RIGHT, FIRST, SECOND, REVERSED, TIED, UNREAD = "right", "prefers doc1", "prefers doc2", "reversed", "tied", "unread"
SAME = 1e-6
"""Two scores that differ by less, relative to their size, are a tie: float32 noise must not decide it."""


def preference(first: float, second: float) -> float:
    """Return by how much the first score is above the second; 0 if they are equal up to rounding."""
    difference = first - second
    return 0.0 if abs(difference) <= SAME * max(abs(first), abs(second)) else difference


def outcome(first: float, second: float | None = None) -> str:
    """Return the outcome of a contrast, given by how much q1 prefers doc1, and q2 doc2; without q2, q1 decides alone.

    It is right only if every query prefers its own document: a tie (0) is wrong, and so is an unreadable answer (NaN).
    """
    margins = (first,) if second is None else (first, second)
    if any(math.isnan(margin) for margin in margins):
        return UNREAD
    if any(margin == 0 for margin in margins):
        return TIED
    if all(margin > 0 for margin in margins):
        return RIGHT
    if second is None:
        return SECOND
    if first > 0:
        return FIRST
    return SECOND if second > 0 else REVERSED


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k, as trec_eval computes it.

    The gain is the grade, the discount log2(1 + rank). It is 0 if no relevant document is known.
    """
    gains = [max(0.0, grades.get(name, 0.0)) for name in ranking[:k]]
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]
    return _discounted(gains) / _discounted(ideal) if ideal else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return one over the rank of the first relevant document; 0 if none of the first k is relevant."""
    ranks = (rank for rank, name in enumerate(ranking[:k], start=1) if grades.get(name, 0) > 0)
    return next((1 / rank for rank in ranks), 0.0)


def recall(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the share of the relevant documents that are among the first k; 0 if no relevant document is known."""
    relevant = {name for name, grade in grades.items() if grade > 0}
    return len(relevant & set(ranking[:k])) / len(relevant) if relevant else 0.0


def violation(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return 1 if a document that violates the query is among the first k, else 0 (V@k). Its grade is below 0."""
    return float(first_violation(ranking, grades, k) <= k)


def first_violation(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the rank of the first document that violates the query; k + 1 if none of the first k does (FVR@k)."""
    ranks = (rank for rank, name in enumerate(ranking[:k], start=1) if grades.get(name, 0) < 0)
    return float(next(ranks, k + 1))


def sensitivity(unchanged: float, perturbed: float, empty: float) -> float:
    """Return DEMETR's ratio: the drop to the perturbed text over the drop to an empty one; NaN if that is 0 or less."""
    floor = preference(unchanged, empty)
    return (unchanged - perturbed) / floor if floor > 0 else float("nan")


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(1 + rank) for rank, gain in enumerate(gains, start=1))
