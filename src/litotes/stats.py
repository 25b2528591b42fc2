"""Agreement, accuracy, intervals and tests, as plain functions.

A statistic is a function of counts: how often each item is drawn, one row a resample, one column an item. All ones give
its value, draws with replacement its interval, and the same draws for two models their paired difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

ROUNDS = 2000
CELLS = 1_000_000
"""how many counts of a resample are held at a time"""

Statistic = Callable[[np.ndarray], np.ndarray]


def accuracy(wanted: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """The share of equal answers; 0 for none at all."""
    _same_length(wanted, found)
    return sum(a == b for a, b in zip(wanted, found, strict=True)) / max(1, len(wanted))


def balanced_accuracy(wanted: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """The mean recall over the classes that occur."""
    _same_length(wanted, found)
    totals = Counter(wanted)
    right = Counter(a for a, b in zip(wanted, found, strict=True) if a == b)
    return sum(right[name] / total for name, total in totals.items()) / max(1, len(totals))


def f1(wanted: Sequence[Hashable], found: Sequence[Hashable], name: Hashable) -> float:
    """The F1 of one class; 0 where it neither occurs nor is found."""
    _same_length(wanted, found)
    pairs = list(zip(wanted, found, strict=True))
    right = sum(a == b == name for a, b in pairs)
    one_sided = sum((a == name) != (b == name) for a, b in pairs)
    return 2 * right / (2 * right + one_sided) if right or one_sided else 0.0


def macro_f1(wanted: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """The mean F1 over the classes that are wanted."""
    names = dict.fromkeys(wanted)
    return sum(f1(wanted, found, name) for name in names) / max(1, len(names))


def cohen_kappa(left: Sequence[Hashable], right: Sequence[Hashable]) -> float:
    """Agreement beyond chance of two readers; 1 when both always gave the same single answer."""
    _same_length(left, right)
    if not left:
        return 0.0
    agreed = accuracy(left, right)
    ours, theirs = Counter(left), Counter(right)
    chance = sum(ours[name] * theirs[name] for name in ours) / len(left) ** 2
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def weighted_kappa(left: Sequence[int], right: Sequence[int], *, power: int = 2) -> float:
    """Cohen's kappa for grades: a disagreement weighs |a − b| to the `power` (1 linear, 2 quadratic)."""
    _same_length(left, right)
    if not left:
        return 0.0
    ours, theirs = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    seen = float(np.mean(np.abs(ours - theirs) ** power))
    chance = float(np.mean(np.abs(ours[:, None] - theirs[None, :]) ** power))
    return 1.0 if chance == 0 else 1 - seen / chance


def confusion(wanted: Sequence[Hashable], found: Sequence[Hashable], names: Sequence[Hashable]) -> list[list[int]]:
    """Counts, wanted down, found across, in the order of `names`."""
    _same_length(wanted, found)
    counts = Counter(zip(wanted, found, strict=True))
    return [[counts[row, column] for column in names] for row in names]


def bootstrap(
    wanted: Sequence[Hashable],
    found: Sequence[Hashable],
    measure: Callable[[Sequence[Hashable], Sequence[Hashable]], float],
    *,
    seed: int = 0,
    rounds: int = ROUNDS,
) -> tuple[float, float]:
    """The 95% interval of a measure, by drawing items with replacement within each wanted class."""
    _same_length(wanted, found)
    generator = np.random.default_rng(seed)
    places: dict[Hashable, list[int]] = {}
    for place, name in enumerate(wanted):
        places.setdefault(name, []).append(place)
    values = []
    for _ in range(rounds):
        drawn = [int(i) for own in places.values() for i in generator.choice(own, len(own))]
        values.append(measure([wanted[i] for i in drawn], [found[i] for i in drawn]))
    low, high = np.quantile(values, (0.025, 0.975)) if values else (0.0, 0.0)
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Mcnemar:
    """Where two answerers of the same questions part: how often only one of them is right, and how likely by chance."""

    first_only: int
    second_only: int
    p: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one answerer less that of another on the same items, with its 95% interval."""

    value: float
    low: float
    high: float
    p: float
    """two-sided: twice the share of resamples on the rarer side of zero"""


@dataclass(frozen=True, slots=True)
class Tukey:
    """Two groups' means compared by Tukey's HSD: the first less the second, with the interval for all pairs at once."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Anova:
    """One-way analysis of variance, and every pair of groups."""

    f: float
    p: float
    pairs: tuple[Tukey, ...]


def mean(values: Sequence[float]) -> Statistic:
    """The mean, as a statistic."""
    numbers = np.asarray(values, dtype=float)
    return lambda counts: counts @ numbers / counts.sum(axis=1)


def quotient(top: Sequence[float], bottom: Sequence[float]) -> Statistic:
    """The mean of some items over the mean of others; an item that belongs to neither side is NaN there."""
    _same_length(top, bottom)
    sides = [np.asarray(side, dtype=float) for side in (top, bottom)]

    def statistic(counts: np.ndarray) -> np.ndarray:
        means = []
        for side in sides:
            there = ~np.isnan(side)
            means.append(_divide(counts[:, there] @ side[there], counts[:, there].sum(axis=1)))
        return _divide(*means)

    return statistic


def spearman(left: Sequence[float], right: Sequence[float]) -> Statistic:
    """Spearman's correlation, ties at their middle rank; NaN where a side has but one value."""
    _same_length(left, right)
    ours, theirs = _ranker(left), _ranker(right)

    def statistic(counts: np.ndarray) -> np.ndarray:
        total = counts.sum(axis=1, keepdims=True)
        sides = []
        for ranks in (ours(counts), theirs(counts)):
            sides.append(ranks - (counts * ranks).sum(axis=1, keepdims=True) / total)
        one, other = sides
        spread = np.sqrt((counts * one**2).sum(axis=1) * (counts * other**2).sum(axis=1))
        return _divide((counts * one * other).sum(axis=1), spread)

    return statistic


def auc(labels: Sequence[int], scores: Sequence[float]) -> Statistic:
    """How often an item labelled 1 scores above one labelled 0, a tie for half; NaN where a label is missing."""
    _same_length(labels, scores)
    positive = np.asarray(labels, dtype=float) > 0
    ranked = _ranker(scores)

    def statistic(counts: np.ndarray) -> np.ndarray:
        ones, zeros = counts[:, positive].sum(axis=1), counts[:, ~positive].sum(axis=1)
        ranks = (counts * ranked(counts))[:, positive].sum(axis=1)
        return _divide(ranks - ones * (ones + 1) / 2, ones * zeros)

    return statistic


def point(statistic: Statistic, items: int) -> float:
    """The statistic of the items themselves; NaN for none at all."""
    return float(statistic(np.ones((1, items)))[0]) if items else float("nan")


def draws(statistic: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> np.ndarray:
    """The statistic of `rounds` samples of the items drawn with replacement; the same seed draws the same samples."""
    found = [statistic(counts) for counts in _resamples(items, seed, rounds)] if items else []
    return np.concatenate(found) if found else np.zeros(0)


def interval(statistic: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> tuple[float, float]:
    """The 95% interval by the percentiles of the bootstrap; NaN for no items."""
    return percentiles(draws(statistic, items, seed=seed, rounds=rounds))


def percentiles(values: np.ndarray) -> tuple[float, float]:
    """The middle 95% of drawn values; draws without a value (a correlation with a constant) are left out."""
    there = values[~np.isnan(values)]
    if not there.size:
        return float("nan"), float("nan")
    low, high = np.quantile(there, (0.025, 0.975))
    return float(low), float(high)


def paired(first: Statistic, second: Statistic, items: int, *, seed: int = 0, rounds: int = ROUNDS) -> Difference:
    """How far two statistics of the same items lie apart: every resample draws the same items for both."""
    apart = draws(lambda counts: first(counts) - second(counts), items, seed=seed, rounds=rounds)
    there = apart[~np.isnan(apart)]
    low, high = percentiles(apart)
    rarer = min(int((there <= 0).sum()), int((there >= 0).sum()))
    chance = min(1.0, 2 * (rarer + 1) / (there.size + 1))
    return Difference(point(first, items) - point(second, items), low, high, chance)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Mcnemar:
    """The exact test: of the items only one of the two has right, is either's share more than a fair coin's?"""
    _same_length(first, second)
    ours = sum(bool(one) and not other for one, other in zip(first, second, strict=True))
    theirs = sum(bool(other) and not one for one, other in zip(first, second, strict=True))
    chance = float(_scipy().binomtest(ours, ours + theirs, 0.5).pvalue) if ours + theirs else 1.0
    return Mcnemar(ours, theirs, chance)


def anova(groups: Mapping[str, Sequence[float]]) -> Anova:
    """Whether the groups' means differ, and which; at least two groups of at least two values."""
    short = [name for name, values in groups.items() if len(values) < 2]
    if len(groups) < 2 or short:
        what = f"{short[0]!r} has {len(groups[short[0]])}" if short else f"got {len(groups)} group(s)"
        raise ValueError(f"two groups or more of two values or more expected; {what}")
    names, values = list(groups), [np.asarray(values, dtype=float) for values in groups.values()]
    whole, each = _scipy().f_oneway(*values), _scipy().tukey_hsd(*values)
    spans = each.confidence_interval()
    pairs = [
        Tukey(names[i], names[j], *(float(part[i, j]) for part in (each.statistic, spans.low, spans.high, each.pvalue)))
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    return Anova(float(whole.statistic), float(whole.pvalue), tuple(pairs))


def _scipy() -> Any:
    """Loaded when a test is asked for: intervals need numpy alone."""
    return import_module("scipy.stats")


def _resamples(items: int, seed: int, rounds: int) -> Iterator[np.ndarray]:
    """How often each item is drawn, resample by resample, some at a time so that they fit in memory."""
    generator = np.random.default_rng(seed)
    block = max(1, CELLS // items)
    for start in range(0, rounds, block):
        rows = min(block, rounds - start)
        drawn = generator.integers(0, items, (rows, items)) + np.arange(rows)[:, None] * items
        yield np.bincount(drawn.ravel(), minlength=rows * items).reshape(rows, items).astype(float)


def _ranker(values: Sequence[float]) -> Statistic:
    """The middle rank of each item in a resample: ranked by group of equal values, without sorting it again."""
    numbers = np.asarray(values, dtype=float)
    order = np.argsort(numbers, kind="stable")
    fresh = np.diff(numbers[order], prepend=np.nan) != 0
    starts = np.flatnonzero(fresh)
    group = np.empty(len(numbers), dtype=np.intp)
    group[order] = np.cumsum(fresh) - 1

    def ranks(counts: np.ndarray) -> np.ndarray:
        sizes = np.add.reduceat(counts[:, order], starts, axis=1)
        middle: np.ndarray = np.cumsum(sizes, axis=1) - sizes + (sizes + 1) / 2
        return middle[:, group]

    return ranks


def _divide(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """A quotient that is NaN over zero."""
    found = np.full(np.broadcast(top, bottom).shape, np.nan)
    np.divide(top, bottom, out=found, where=bottom != 0)
    return found


def _same_length(left: Sequence[object], right: Sequence[object]) -> None:
    if len(left) != len(right):
        raise ValueError(f"two lists of one length expected, got {len(left)} and {len(right)}")
