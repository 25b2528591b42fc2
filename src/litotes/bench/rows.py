"""Rows, figures, results: what a model made of each item, what is folded from it, and how that is written down."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.stats import ROUNDS, Statistic, interval, mean, point
from litotes.types import Result

ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """What a model made of one item."""

    id: str
    value: float | None
    """the item's own figure: right (1) or wrong (0), an nDCG, a similarity; None where the item is left out"""
    groups: dict[str, str] = field(default_factory=dict)
    """what the item belongs to, by the name of the division: kind, edit, outcome"""
    numbers: dict[str, float] = field(default_factory=dict)
    """what the figures are computed from"""

    def line(self) -> dict[str, Any]:
        """Its part of a line in the rows file."""
        return {"id": self.id, "value": self.value, "groups": self.groups, "numbers": self.numbers}


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over rows, not yet computed: a statistic, of how many items, in which slice."""

    measure: str
    statistic: Statistic
    items: int
    slice: str = ALL
    scale: float = 100.0
    """shares, correlations and retrieval measures are given times 100, as the papers print them; other things as is"""
    right: tuple[bool, ...] | None = None
    """of an accuracy, which items are right: what McNemar's test needs"""
    beside: int = 0
    """how many of the items are only there to be compared with, and do not count in n"""
    drawn: bool = True
    """whether its items can be drawn anew; of a figure that came whole they cannot"""
    given: tuple[float, float] | None = None
    """the interval that a figure came with; without one, a figure that came whole has none"""


@dataclass(frozen=True, slots=True)
class About:
    """Whose figures they are."""

    model: str
    task: str
    split: str
    signature: str


def fold(figures: Iterable[Figure], about: About, *, seed: int = 0, rounds: int = ROUNDS) -> list[Result]:
    """The figures, computed, each with its bootstrap interval."""
    return [_result(figure, about, seed, rounds) for figure in figures]


def _result(figure: Figure, about: About, seed: int, rounds: int) -> Result:
    drawn = figure.items if figure.drawn else 0
    low, high = figure.given or interval(figure.statistic, drawn, seed=seed, rounds=rounds)
    return Result(
        about.model,
        about.task,
        about.split,
        figure.slice,
        figure.measure,
        value=figure.scale * point(figure.statistic, figure.items),
        low=figure.scale * low,
        high=figure.scale * high,
        n=figure.items - figure.beside,
        signature=about.signature,
    )


def average(measure: str, values: Sequence[float], *, slice: str = ALL, scale: float = 1.0) -> Figure:
    """The mean of numbers."""
    return Figure(measure, mean(values), len(values), slice, scale)


def share(measure: str, right: Sequence[bool], *, slice: str = ALL) -> Figure:
    """How many of the items are so, times 100; an accuracy, where being so is being right."""
    return Figure(measure, mean([float(one) for one in right]), len(right), slice, right=tuple(map(bool, right)))


def whole(
    measure: str,
    value: float,
    items: int,
    *,
    slice: str = ALL,
    scale: float = 100.0,
    given: tuple[float, float] | None = None,
) -> Figure:
    """A figure that came whole: it does not depend on which items are drawn."""
    return Figure(measure, lambda counts: np.full(len(counts), value), items, slice, scale, drawn=False, given=given)


def slices(rows: Sequence[Row], division: str) -> dict[str, list[Row]]:
    """The rows of each group of a division, under the slice's name ("kind: exceptor"), in order of first sight."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.groups.get(division):
            found.setdefault(f"{division}: {row.groups[division]}", []).append(row)
    return found


def write_rows(path: Path, rows: Sequence[Row], about: About, family: str) -> None:
    """The rows as JSON lines, each saying whose it is; the file appears whole or not at all."""
    whose = {"model": about.model, "task": about.task, "family": family, "split": about.split}
    lines = (json.dumps({**whose, **row.line()}, ensure_ascii=False) for row in rows)
    write_whole(path, "".join(f"{line}\n" for line in lines))


def read_rows(path: Path) -> list[Row]:
    """The rows of a file that `write_rows` wrote."""
    found = []
    for where, _, row in json_objects(text_lines(path), str(path)):
        try:
            found.append(Row(row["id"], row["value"], row["groups"], row["numbers"]))
        except KeyError as error:
            raise InputError(f"{where}: no {error.args[0]}; expected a row as litotes bench writes it") from error
    return found


def write_whole(path: Path, text: str) -> None:
    """Under a name of its own until it is whole, so that a run that is killed leaves no half file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
