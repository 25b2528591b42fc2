"""Two models on the same items: is the difference more than chance? And many results by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litotes.bench.rows import Figure, Row
from litotes.bench.tasks import figures
from litotes.errors import InputError
from litotes.stats import ROUNDS, Anova, Difference, Mcnemar, anova, mcnemar, paired
from litotes.types import Result


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two models: the first less the second, as the figure is given (times 100 where it is)."""

    slice: str
    measure: str
    n: int
    difference: Difference
    """by the paired bootstrap"""
    test: Mcnemar | None
    """of an accuracy, McNemar's exact test"""

    @property
    def significant(self) -> bool:
        """Whether the paired 95% interval leaves out zero."""
        return self.difference.low > 0 or self.difference.high < 0

    def line(self) -> dict[str, Any]:
        """As plain JSON."""
        apart = self.difference
        found: dict[str, Any] = {"slice": self.slice, "measure": self.measure, "n": self.n}
        found |= {"difference": apart.value, "low": apart.low, "high": apart.high, "p": apart.p}
        if self.test is not None:
            found["mcnemar"] = {
                "first only": self.test.first_only,
                "second only": self.test.second_only,
                "p": self.test.p,
            }
        return found | {"significant": self.significant}


def compare(
    family: str, first: Sequence[Row], second: Sequence[Row], *, seed: int = 0, rounds: int = ROUNDS
) -> list[Comparison]:
    """Every figure of two models' rows for one task, paired item by item.

    Items that either model left out are left out of both; McNemar for accuracies, the paired bootstrap for all.
    """
    return [_compare(left, right, seed, rounds) for left, right in paired_figures(family, first, second)]


def paired_figures(family: str, first: Sequence[Row], second: Sequence[Row]) -> list[tuple[Figure, Figure]]:
    """The figures of two models' rows for one task, not yet computed, over the items that neither left out."""
    ours, theirs = {row.id: row for row in first}, {row.id: row for row in second}
    for rows, by_id in ((first, ours), (second, theirs)):
        if len(by_id) != len(rows):
            raise InputError(f"{len(rows)} rows have {len(by_id)} ids; expected an id of its own for each item")
    if set(ours) != set(theirs):
        apart = sorted(set(ours) ^ set(theirs))
        raise InputError(f"the two models' rows are of different items, such as {apart[0]!r}; expected the same task")
    both = [name for name in ours if (ours[name].value is None) == (theirs[name].value is None)]
    left = {_key(one): one for one in figures(family, [ours[name] for name in both])}
    right = {_key(one): one for one in figures(family, [theirs[name] for name in both])}
    if left and not any(one.drawn for one in left.values()):
        raise InputError(f"figures of the family {family!r} came whole, without a row an item: nothing can be paired")
    return [(left[key], right[key]) for key in left if key in right and left[key].items == right[key].items]


def _key(figure: Figure) -> tuple[str, str]:
    return figure.slice, figure.measure


def _compare(first: Figure, second: Figure, seed: int, rounds: int) -> Comparison:
    scale = first.scale
    apart = paired(first.statistic, second.statistic, first.items, seed=seed, rounds=rounds)
    scaled = Difference(scale * apart.value, scale * apart.low, scale * apart.high, apart.p)
    test = mcnemar(first.right, second.right) if first.right is not None and second.right is not None else None
    return Comparison(first.slice, first.measure, first.items - first.beside, scaled, test)


def variance(
    results: Sequence[Result],
    *,
    task: str,
    measure: str,
    division: str = "kind",
    models: Mapping[str, str] | None = None,
) -> Anova:
    """One-way ANOVA with Tukey's HSD as in the taxonomy paper, over every model's figure in every slice of a division.

    The groups are the slices (does the kind of negation matter?) or, with `models`, the sorts of model they name: an
    architecture, or an objective.
    """
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for result in results:
        if (result.task, result.measure) != (task, measure) or not result.slice.startswith(f"{division}: "):
            continue
        if models is None:
            groups[result.slice.removeprefix(f"{division}: ")].append(result.value)
        elif result.model in models:
            groups[models[result.model]].append(result.value)
    try:
        return anova(groups)
    except ValueError as error:
        raise InputError(f"{task}, {measure} by {division}: {error}") from error
