"""Agreement, accuracy, intervals and tests, as plain functions.

A statistic is a function of counts: how often each item is drawn, with one row per resample and one column per item.
Counts of one give its value, draws with replacement its interval, and the same draws for two models their paired
difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

ROUNDS = 2000
MAX_COUNTS = 1_000_000
"""How many counts of resamples are in memory at a time."""

Statistic = Callable[[np.ndarray], np.ndarray]


def accuracy(labels: Sequence[Hashable], predictions: Sequence[Hashable]) -> float:
    """Return the share of predictions that equal their label; 0 if there are none."""
    _require_same_length(labels, predictions)
    return sum(a == b for a, b in zip(labels, predictions, strict=True)) / max(1, len(labels))


def balanced_accuracy(labels: Sequence[Hashable], predictions: Sequence[Hashable]) -> float:
    """Return the mean recall over the classes that are among the labels."""
    _require_same_length(labels, predictions)
    totals = Counter(labels)
    right = Counter(a for a, b in zip(labels, predictions, strict=True) if a == b)
    return sum(right[name] / total for name, total in totals.items()) / max(1, len(totals))


def f1(labels: Sequence[Hashable], predictions: Sequence[Hashable], name: Hashable) -> float:
    """Return the F1 of one class; 0 if it is neither among the labels nor predicted."""
    return _f1_scores(labels, predictions).get(name, 0.0)


def macro_f1(labels: Sequence[Hashable], predictions: Sequence[Hashable]) -> float:
    """Return the mean F1 over the classes that are among the labels."""
    scores = _f1_scores(labels, predictions)
    names = dict.fromkeys(labels)
    return sum(scores[name] for name in names) / max(1, len(names))


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return the agreement of two annotators beyond chance; 1 if both always gave the same single answer."""
    _require_same_length(first, second)
    if not first:
        return 0.0
    agreed = accuracy(first, second)
    first_counts, second_counts = Counter(first), Counter(second)
    chance = sum(first_counts[name] * second_counts[name] for name in first_counts) / len(first) ** 2
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def weighted_kappa(first: Sequence[int], second: Sequence[int], *, power: int = 2) -> float:
    """Return Cohen's kappa for grades: a disagreement has the weight |a − b| to the `power` (1 linear, 2 quadratic)."""
    _require_same_length(first, second)
    if not first:
        return 0.0
    left, right = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    observed = float(np.mean(np.abs(left - right) ** power))
    chance = float(np.mean(np.abs(left[:, None] - right[None, :]) ** power))
    return 1.0 if chance == 0 else 1 - observed / chance


def confusion(
    labels: Sequence[Hashable], predictions: Sequence[Hashable], names: Sequence[Hashable]
) -> list[list[int]]:
    """Return the counts of labels (rows) and predictions (columns), in the order of `names`."""
    _require_same_length(labels, predictions)
    counts = Counter(zip(labels, predictions, strict=True))
    return [[counts[row, column] for column in names] for row in names]


def bootstrap(
    labels: Sequence[Hashable],
    predictions: Sequence[Hashable],
    measure: Callable[[Sequence[Hashable], Sequence[Hashable]], float],
    *,
    seed: int = 0,
    rounds: int = ROUNDS,
) -> tuple[float, float]:
    """Return the 95% interval of a measure, by drawing items with replacement within the class of each label."""
    _require_same_length(labels, predictions)
    generator = np.random.default_rng(seed)
    places: dict[Hashable, list[int]] = {}
    for place, name in enumerate(labels):
        places.setdefault(name, []).append(place)
    values = []
    for _ in range(rounds):
        drawn = [int(i) for own in places.values() for i in generator.choice(own, len(own))]
        values.append(measure([labels[i] for i in drawn], [predictions[i] for i in drawn]))
    low, high = np.quantile(values, (0.025, 0.975)) if values else (0.0, 0.0)
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Mcnemar:
    """How often only one of two models is right on an item, and the probability of that by chance."""

    first_only: int
    second_only: int
    p: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one model minus that of another on the same items, with its 95% interval."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided: twice the share of resamples on the rarer side of zero."""


@dataclass(frozen=True, slots=True)
class Tukey:
    """The means of two groups compared by Tukey's HSD: the first minus the second, with a simultaneous interval."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Anova:
    """A one-way analysis of variance, and the comparison of every pair of groups."""

    f: float
    p: float
    pairs: tuple[Tukey, ...]


def mean(values: Sequence[float]) -> Statistic:
    """Return the mean as a statistic."""
    numbers = np.asarray(values, dtype=float)
    return lambda counts: counts @ numbers / counts.sum(axis=1)


def quotient(top: Sequence[float], bottom: Sequence[float]) -> Statistic:
    """Return the mean of some items divided by the mean of others; an item is NaN on the side it does not belong to."""
    _require_same_length(top, bottom)
    sides = [np.asarray(side, dtype=float) for side in (top, bottom)]

    def statistic(counts: np.ndarray) -> np.ndarray:
        means = []
        for side in sides:
            own = ~np.isnan(side)
            means.append(_divide(counts[:, own] @ side[own], counts[:, own].sum(axis=1)))
        return _divide(*means)

    return statistic


def spearman(left: Sequence[float], right: Sequence[float]) -> Statistic:
    """Return Spearman's correlation, with ties at their middle rank; NaN if a side has only one value."""
    _require_same_length(left, right)
    left_ranks, right_ranks = _ranker(left), _ranker(right)

    def statistic(counts: np.ndarray) -> np.ndarray:
        total = counts.sum(axis=1, keepdims=True)
        sides = []
        for ranks in (left_ranks(counts), right_ranks(counts)):
            sides.append(ranks - (counts * ranks).sum(axis=1, keepdims=True) / total)
        one, other = sides
        spread = np.sqrt((counts * one**2).sum(axis=1) * (counts * other**2).sum(axis=1))
        return _divide((counts * one * other).sum(axis=1), spread)

    return statistic


def auc(labels: Sequence[int], scores: Sequence[float]) -> Statistic:
    """Return how often an item labelled 1 scores above one labelled 0, ties counted half; NaN if a label is missing."""
    _require_same_length(labels, scores)
    positive = np.asarray(labels, dtype=float) > 0
    ranked = _ranker(scores)

    def statistic(counts: np.ndarray) -> np.ndarray:
        ones, zeros = counts[:, positive].sum(axis=1), counts[:, ~positive].sum(axis=1)
        ranks = (counts * ranked(counts))[:, positive].sum(axis=1)
        return _divide(ranks - ones * (ones + 1) / 2, ones * zeros)

    return statistic


def point(statistic: Statistic, items: int) -> float:
    """Return the statistic of the items themselves; NaN if there are none."""
    return float(statistic(np.ones((1, items)))[0]) if items else float("nan")


def draws(statistic: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> np.ndarray:
    """Return the statistic of `rounds` samples drawn with replacement; the same seed draws the same samples."""
    blocks = [statistic(counts) for counts in _resamples(items, seed, rounds)] if items else []
    return np.concatenate(blocks) if blocks else np.zeros(0)


def interval(statistic: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return the 95% interval by the percentiles of the bootstrap; NaN if there are no items."""
    return percentiles(draws(statistic, items, seed=seed, rounds=rounds))


def percentiles(values: np.ndarray) -> tuple[float, float]:
    """Return the middle 95% of drawn values, without draws that have no value (a correlation with a constant)."""
    valid = values[~np.isnan(values)]
    if not valid.size:
        return float("nan"), float("nan")
    low, high = np.quantile(valid, (0.025, 0.975))
    return float(low), float(high)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share; NaN if there are no trials."""
    if not trials:
        return float("nan"), float("nan")
    z = 1.959963984540054
    share, extra = successes / trials, z * z / trials
    middle = (share + extra / 2) / (1 + extra)
    half = z * math.sqrt(share * (1 - share) / trials + extra / (4 * trials)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def threshold_at(labels: Sequence[int], scores: Sequence[float], precision: float) -> float:
    """Return the lowest score at which enough of the accepted pairs are right; infinity if there is none."""
    if not scores:
        return float("inf")
    order = np.argsort(-np.asarray(scores), kind="stable")
    values, right = np.asarray(scores)[order], np.asarray(labels, dtype=float)[order]
    precise = np.cumsum(right) / np.arange(1, len(right) + 1) >= precision
    # equal scores are accepted together
    last = np.append(values[1:] != values[:-1], True)
    found = np.flatnonzero(precise & last)
    return float(values[found[-1]]) if len(found) else float("inf")


def paired(first: Statistic, second: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> Difference:
    """Return the difference of two statistics of the same items; every resample draws the same items for both."""
    differences = draws(lambda counts: first(counts) - second(counts), items, seed=seed, rounds=rounds)
    valid = differences[~np.isnan(differences)]
    low, high = percentiles(differences)
    rarer = min(int((valid <= 0).sum()), int((valid >= 0).sum()))
    p = min(1.0, 2 * (rarer + 1) / (valid.size + 1))
    return Difference(point(first, items) - point(second, items), low, high, p)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Mcnemar:
    """Return McNemar's exact test: is one model alone right more often than a fair coin would give?"""
    _require_same_length(first, second)
    first_only = sum(bool(one) and not other for one, other in zip(first, second, strict=True))
    second_only = sum(bool(other) and not one for one, other in zip(first, second, strict=True))
    total = first_only + second_only
    p = float(_scipy().binomtest(first_only, total, 0.5).pvalue) if total else 1.0
    return Mcnemar(first_only, second_only, p)


def anova(groups: Mapping[str, Sequence[float]]) -> Anova:
    """Test whether the means of groups differ, and which ones; there must be two groups of two values or more."""
    short = [name for name, values in groups.items() if len(values) < 2]
    if len(groups) < 2 or short:
        problem = f"{short[0]!r} has {len(groups[short[0]])}" if short else f"got {len(groups)} group(s)"
        raise ValueError(f"expected two groups or more, with two values or more; {problem}")
    names, values = list(groups), [np.asarray(values, dtype=float) for values in groups.values()]
    whole, each = _scipy().f_oneway(*values), _scipy().tukey_hsd(*values)
    spans = each.confidence_interval()
    pairs = [
        Tukey(names[i], names[j], *(float(part[i, j]) for part in (each.statistic, spans.low, spans.high, each.pvalue)))
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    return Anova(float(whole.statistic), float(whole.pvalue), tuple(pairs))


def pareto(points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the indices of the points that no other point dominates; higher is better on both axes.

    A point dominates another if it is at least as good on both axes and better on one, so equal points stay together.
    A point with a NaN is never included and dominates nothing.
    """
    valid = [index for index, point in enumerate(points) if not any(np.isnan(point))]
    return [index for index in valid if not any(_dominates(points[other], points[index]) for other in valid)]


def _dominates(point: tuple[float, float], other: tuple[float, float]) -> bool:
    return point != other and point[0] >= other[0] and point[1] >= other[1]


def _scipy() -> Any:
    """Import scipy when a test is asked for: intervals need only numpy."""
    return import_module("scipy.stats")


def _resamples(items: int, seed: int, rounds: int) -> Iterator[np.ndarray]:
    """Yield how often each item is drawn, some resamples at a time so that they fit into memory."""
    generator = np.random.default_rng(seed)
    block = max(1, MAX_COUNTS // items)
    for start in range(0, rounds, block):
        rows = min(block, rounds - start)
        drawn = generator.integers(0, items, (rows, items)) + np.arange(rows)[:, None] * items
        yield np.bincount(drawn.ravel(), minlength=rows * items).reshape(rows, items).astype(float)


def _ranker(values: Sequence[float]) -> Statistic:
    """Return the middle rank of each item of a resample, by groups of equal values, without sorting it again."""
    numbers = np.asarray(values, dtype=float)
    order = np.argsort(numbers, kind="stable")
    is_new = np.diff(numbers[order], prepend=np.nan) != 0
    starts = np.flatnonzero(is_new)
    group = np.empty(len(numbers), dtype=np.intp)
    group[order] = np.cumsum(is_new) - 1

    def ranks(counts: np.ndarray) -> np.ndarray:
        sizes = np.add.reduceat(counts[:, order], starts, axis=1)
        middle: np.ndarray = np.cumsum(sizes, axis=1) - sizes + (sizes + 1) / 2
        return middle[:, group]

    return ranks


def _divide(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Return a quotient that is NaN if the divisor is zero."""
    quotients = np.full(np.broadcast(top, bottom).shape, np.nan)
    np.divide(top, bottom, out=quotients, where=bottom != 0)
    return quotients


def _f1_scores(labels: Sequence[Hashable], predictions: Sequence[Hashable]) -> dict[Hashable, float]:
    """Return the F1 of each class that is among the labels or predicted: 2 · right / (labelled + predicted)."""
    _require_same_length(labels, predictions)
    right = Counter(a for a, b in zip(labels, predictions, strict=True) if a == b)
    totals = Counter(labels) + Counter(predictions)
    return {name: 2 * right[name] / total for name, total in totals.items()}


def _require_same_length(left: Sequence[object], right: Sequence[object]) -> None:
    if len(left) != len(right):
        raise ValueError(f"expected two lists of the same length, got {len(left)} and {len(right)}")
