"""Agreement, accuracy and intervals, as plain functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np

ROUNDS = 2000


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


def _same_length(left: Sequence[object], right: Sequence[object]) -> None:
    if len(left) != len(right):
        raise ValueError(f"two lists of one length expected, got {len(left)} and {len(right)}")
