"""Count a filled sheet, and compare the sheets of two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError
from litotes.evaluation.review.categories import names
from litotes.evaluation.review.sheet import FilledRow
from litotes.stats import accuracy, cohen_kappa


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of a sheet have each category, the most frequent first."""

    items: int
    counts: dict[str, int]

    @property
    def filled(self) -> int:
        """How many items have a category."""
        return sum(self.counts.values())

    def share(self, category: str) -> float:
        """Return the percentage of this category among the items that have one."""
        return 100 * self.counts.get(category, 0) / max(1, self.filled)

    def line(self) -> dict[str, Any]:
        """Return the tally as plain JSON."""
        categories = {name: {"n": count, "share": round(self.share(name), 1)} for name, count in self.counts.items()}
        return {"items": self.items, "filled": self.filled, "categories": categories}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two people agree on the items that both categorised."""

    items: int
    same: float | None
    """The percentage of items with the same category; None if no item has a category in both sheets."""
    kappa: float | None

    def line(self) -> dict[str, Any]:
        """Return the agreement as plain JSON."""
        same, kappa = (None if value is None else round(value, 4) for value in (self.same, self.kappa))
        return {"items": self.items, "same": same, "kappa": kappa}


def tally(rows: Sequence[FilledRow]) -> Tally:
    """Count the categories of a sheet; equally frequent ones are in the order of categories.tsv."""
    counts = Counter(row.category for row in rows if row.category)
    order = sorted((name for name in names() if name in counts), key=lambda name: -counts[name])
    return Tally(len(rows), {name: counts[name] for name in order})


def agreed(first: Sequence[FilledRow], second: Sequence[FilledRow]) -> Agreement:
    """Return how far two people agree, also beyond chance (Cohen's kappa), on the items that both categorised."""
    by_first, by_second = ({row.key: row.category for row in rows} for rows in (first, second))
    if not set(by_first) & set(by_second):
        raise InputError("the two sheets have no item in common; expected the same sheet, filled by two people")
    both = [key for key in by_first if by_first[key] and by_second.get(key)]
    if not both:
        return Agreement(0, None, None)
    left, right = [by_first[key] for key in both], [by_second[key] for key in both]
    return Agreement(len(both), 100 * accuracy(left, right), cohen_kappa(left, right))
