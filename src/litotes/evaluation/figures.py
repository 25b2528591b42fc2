"""Figures: numbers over the rows of a task, computed with their bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from litotes.data.result_files import ItemRow, Provenance
from litotes.stats import ROUNDS, Statistic, interval, mean, point
from litotes.types import Result

ALL = "all"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number over some rows that is still to be computed: a statistic, the number of items, and the slice."""

    measure: str
    statistic: Statistic
    items: int
    slice: str = ALL
    scale: float = 100.0
    """Shares, correlations and retrieval measures are multiplied by 100, as papers print them; other numbers by 1."""
    right: tuple[bool, ...] | None = None
    """For an accuracy: which items are right. McNemar's test needs them."""
    reference_items: int = 0
    """How many of the items only serve as a reference and do not count in n."""
    resampled: bool = True
    """Whether the items can be drawn again; a precomputed figure has none."""
    known_interval: tuple[float, float] | None = None
    """The interval of a precomputed figure, if it came with one."""


def fold(figures: Iterable[Figure], source: Provenance, *, seed: int = 0, rounds: int = ROUNDS) -> list[Result]:
    """Compute the figures, each with its bootstrap interval."""
    return [_result(figure, source, seed, rounds) for figure in figures]


def _result(figure: Figure, source: Provenance, seed: int, rounds: int) -> Result:
    items = figure.items if figure.resampled else 0
    low, high = figure.known_interval or interval(figure.statistic, items, seed=seed, rounds=rounds)
    return Result(
        source.model,
        source.task,
        source.split,
        figure.slice,
        figure.measure,
        value=figure.scale * point(figure.statistic, figure.items),
        low=figure.scale * low,
        high=figure.scale * high,
        n=figure.items - figure.reference_items,
        signature=source.signature,
    )


def average(measure: str, values: Sequence[float], *, slice: str = ALL, scale: float = 1.0) -> Figure:
    """Return the mean of some numbers as a figure."""
    return Figure(measure, mean(values), len(values), slice, scale)


def share(measure: str, flags: Sequence[bool], *, slice: str = ALL) -> Figure:
    """Return the percentage of true flags as a figure."""
    return Figure(measure, mean([float(flag) for flag in flags]), len(flags), slice, right=tuple(map(bool, flags)))


def precomputed(
    measure: str,
    value: float,
    items: int,
    *,
    slice: str = ALL,
    scale: float = 100.0,
    known_interval: tuple[float, float] | None = None,
) -> Figure:
    """Return a figure that another library computed: its items cannot be drawn again."""
    return Figure(
        measure,
        lambda counts: np.full(len(counts), value),
        items,
        slice,
        scale,
        resampled=False,
        known_interval=known_interval,
    )


def slices(rows: Sequence[ItemRow], division: str) -> dict[str, list[ItemRow]]:
    """Group rows by a division; the keys are names of slices ("kind: exceptor") in order of first appearance."""
    parts: dict[str, list[ItemRow]] = {}
    for row in rows:
        if row.groups.get(division):
            parts.setdefault(f"{division}: {row.groups[division]}", []).append(row)
    return parts
