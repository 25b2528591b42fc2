"""Compare two models on the same items: is the difference more than chance? And compare many results by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litotes.data.result_files import ItemRow
from litotes.errors import InputError
from litotes.evaluation.figures import Figure
from litotes.evaluation.tasks import figures
from litotes.stats import ROUNDS, Anova, Difference, Mcnemar, anova, mcnemar, paired
from litotes.types import Result


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two models: the first minus the second, in the scale of the figure."""

    slice: str
    measure: str
    n: int
    difference: Difference
    """From the paired bootstrap."""
    test: Mcnemar | None
    """McNemar's exact test, for accuracies."""

    @property
    def significant(self) -> bool:
        """Whether the paired 95% interval excludes zero."""
        return self.difference.low > 0 or self.difference.high < 0

    def line(self) -> dict[str, Any]:
        """Return the comparison as plain JSON."""
        difference = self.difference
        line: dict[str, Any] = {"slice": self.slice, "measure": self.measure, "n": self.n}
        line |= {"difference": difference.value, "low": difference.low, "high": difference.high, "p": difference.p}
        if self.test is not None:
            line["mcnemar"] = {
                "first only": self.test.first_only,
                "second only": self.test.second_only,
                "p": self.test.p,
            }
        return line | {"significant": self.significant}


def compare(
    family: str, first: Sequence[ItemRow], second: Sequence[ItemRow], *, seed: int = 0, rounds: int = ROUNDS
) -> list[Comparison]:
    """Compare every figure of two models' rows on one task, paired item by item.

    Items that have no value for one model are left out for both. Accuracies are tested by McNemar, and all figures by
    the paired bootstrap.
    """
    return [_compare(left, right, seed, rounds) for left, right in paired_figures(family, first, second)]


def paired_figures(family: str, first: Sequence[ItemRow], second: Sequence[ItemRow]) -> list[tuple[Figure, Figure]]:
    """Return the figures of two models' rows on one task, over the items that have a value for both."""
    by_first, by_second = {row.id: row for row in first}, {row.id: row for row in second}
    for rows, by_id in ((first, by_first), (second, by_second)):
        if len(by_id) != len(rows):
            raise InputError(f"{len(rows)} rows have {len(by_id)} different ids; expected one id per item")
    if set(by_first) != set(by_second):
        example = sorted(set(by_first) ^ set(by_second))[0]
        raise InputError(
            f"the two models were measured on different items, such as {example!r}; expected the same task"
        )
    both = [name for name in by_first if (by_first[name].value is None) == (by_second[name].value is None)]
    left = {_key(figure): figure for figure in figures(family, [by_first[name] for name in both])}
    right = {_key(figure): figure for figure in figures(family, [by_second[name] for name in both])}
    if left and not any(figure.resampled for figure in left.values()):
        raise InputError(f"figures of the family {family!r} have no rows per item, so they cannot be paired")
    return [(left[key], right[key]) for key in left if key in right and left[key].items == right[key].items]


def _key(figure: Figure) -> tuple[str, str]:
    return figure.slice, figure.measure


def _compare(first: Figure, second: Figure, seed: int, rounds: int) -> Comparison:
    scale = first.scale
    difference = paired(first.statistic, second.statistic, first.items, seed=seed, rounds=rounds)
    scaled = Difference(scale * difference.value, scale * difference.low, scale * difference.high, difference.p)
    test = mcnemar(first.right, second.right) if first.right is not None and second.right is not None else None
    return Comparison(first.slice, first.measure, first.items - first.reference_items, scaled, test)


def variance(
    results: Sequence[Result],
    *,
    task: str,
    measure: str,
    division: str = "kind",
    models: Mapping[str, str] | None = None,
) -> Anova:
    """Return a one-way ANOVA with Tukey's HSD, as in the taxonomy paper, over every model's figure in every slice.

    The groups are the slices of the division (does the kind of negation matter?) or, with `models`, the group of each
    model, such as its architecture or its objective.
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
