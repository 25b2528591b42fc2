"""A filled sheet counted, and two people's compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.bench.review.categories import names
from litotes.bench.review.sheet import Filled
from litotes.errors import InputError
from litotes.stats import accuracy, cohen_kappa


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of a sheet were sorted into each category, the commonest first."""

    items: int
    counts: dict[str, int]

    @property
    def filled(self) -> int:
        """How many items have a category."""
        return sum(self.counts.values())

    def share(self, category: str) -> float:
        """Of the items that have one, how many have this category, in percent."""
        return 100 * self.counts.get(category, 0) / max(1, self.filled)

    def line(self) -> dict[str, Any]:
        """As plain JSON."""
        each = {name: {"n": count, "share": round(self.share(name), 1)} for name, count in self.counts.items()}
        return {"items": self.items, "filled": self.filled, "categories": each}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two people on the items that both sorted."""

    items: int
    same: float | None
    """how often both gave the same category, in percent; None where no item was sorted by both"""
    kappa: float | None

    def line(self) -> dict[str, Any]:
        """As plain JSON."""
        same, kappa = (None if value is None else round(value, 4) for value in (self.same, self.kappa))
        return {"items": self.items, "same": same, "kappa": kappa}


def tally(filled: Sequence[Filled]) -> Tally:
    """The categories of a sheet, counted; of equals, in the order of the table."""
    counts = Counter(one.category for one in filled if one.category)
    order = sorted((name for name in names() if name in counts), key=lambda name: -counts[name])
    return Tally(len(filled), {name: counts[name] for name in order})


def agreed(first: Sequence[Filled], second: Sequence[Filled]) -> Agreement:
    """How far two people agree, beyond chance too (Cohen's kappa), on the items that both sorted."""
    ours, theirs = ({one.key: one.category for one in side} for side in (first, second))
    if not set(ours) & set(theirs):
        raise InputError("the two sheets have no item in common; expected one sheet, filled by two people")
    both = [key for key in ours if ours[key] and theirs.get(key)]
    if not both:
        return Agreement(0, None, None)
    left, right = [ours[key] for key in both], [theirs[key] for key in both]
    return Agreement(len(both), 100 * accuracy(left, right), cohen_kappa(left, right))
