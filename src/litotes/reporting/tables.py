"""Leaderboards: one table per suite, with a row per model, a column per headline, and published results below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

from litotes.data.catalogue import SUITES, benchmarks, suite_mean, suites
from litotes.reporting.published_results import PublishedResult, read_published_results
from litotes.reporting.report_data import ALL, ReportData
from litotes.types import Result

OTHER = "other"
"""The table of the tasks that belong to no suite."""
HEDGETRIPLE_TASKS = ("nevir", "excluir", "cannot-wmt", "m3-counterfactual")
"""The HedgeTriple paper reports the mean of these four tasks."""
MEAN_OF_FOUR = "mean of the four"
MTEB = "mteb"
NARROW = 2
"""A table with at most this many columns lists published systems with a single result as rows."""
UNSCALED_MEASURES = ("ratio", "drop", "similarity")
"""Measures that are not multiplied by 100, and need more decimals."""


@dataclass(frozen=True, slots=True)
class Column:
    """What the values of a column measure."""

    task: str
    split: str
    slice: str = ALL
    measure: str = ""

    @property
    def details(self) -> str:
        """The slice, the measure and the split: what the name of the task does not say."""
        return ", ".join(part for part in (self.slice if self.slice != ALL else "", self.measure, self.split) if part)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in a table, with its interval (NaN if it has none)."""

    value: float
    low: float
    high: float
    n: int = 0
    split: str = ""
    """The split of a published result, if it differs from the column's."""
    best: bool = False

    def format(self, places: int) -> str:
        """Return the value with that many decimals."""
        return f"{self.value:.{places}f}"

    def interval(self, places: int) -> str:
        """Return "16.0–24.4", "-0.2 to 0.1" (a dash would read as a minus), or "" if there is no interval."""
        if isnan(self.low) or isnan(self.high):
            return ""
        return f"{self.low:.{places}f}{'–' if self.low >= 0 else ' to '}{self.high:.{places}f}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """The values of a model or a published system, one per column; None if it has none."""

    name: str
    cells: tuple[Cell | None, ...]
    paper: str = ""
    """Set for a published system."""
    size: str = ""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A table with the best row first."""

    title: str
    columns: tuple[Column, ...]
    measured: tuple[TableRow, ...]
    published: tuple[TableRow, ...]
    single_results: tuple[SingleResults, ...] = ()
    row_header: str = "model"
    """What the rows are."""


@dataclass(frozen=True, slots=True)
class SingleResults:
    """Published systems with a result in one column only. A list is shorter than rows of dashes."""

    paper: str
    column: Column
    split: str
    values: tuple[tuple[str, str], ...]
    """Each system with its value, the best first."""

    @property
    def details(self) -> str:
        """The task, the measure and the split."""
        return ", ".join(part for part in (self.column.task, self.column.measure, self.split) if part)


def decimals(measure: str) -> int:
    """Return the number of decimals that a measure is shown with."""
    return 2 if measure.startswith(UNSCALED_MEASURES) else 1


def leaderboards(data: ReportData, labels: Mapping[str, str]) -> list[Leaderboard]:
    """Return a table for each suite with results, and the published MTEB results if there is any such table."""
    tables = []
    for suite in (*suites(), OTHER):
        columns = suite_columns(data.scores, suite)
        if columns:
            tables.append(_leaderboard(suite, columns, data, labels))
    if tables:
        mteb = (result for result in read_published_results() if result.task == MTEB)
        columns = tuple(dict.fromkeys(Column(MTEB, result.split, result.slice, result.measure) for result in mteb))
        tables.append(Leaderboard("published: MTEB", columns, (), _published_rows(columns)))
    return tables


def headline_columns(scores: Iterable[Result], suite: str) -> list[Column]:
    """Return the headline of each task and split of a suite, in the order of the suite."""
    known = {task for name in suites() for task in _tasks(name)}
    order = _tasks(suite)
    columns: dict[tuple[str, str], Column] = {}
    for score in scores:
        if score.task in order or (suite == OTHER and score.task not in known):
            column = Column(score.task, score.split, score.slice, score.measure)
            columns.setdefault((score.task, score.split), column)
    return sorted(columns.values(), key=lambda column: order.index(column.task) if order else 0)


def suite_columns(scores: Sequence[Result], suite: str) -> tuple[Column, ...]:
    """Return the headlines of a suite, each followed by the extra columns of its benchmark that were measured."""
    measured = {Column(score.task, score.split, score.slice, score.measure) for score in scores}
    columns: list[Column] = []
    for headline in headline_columns(scores, suite):
        record = benchmarks().get(headline.task)
        extra = (Column(headline.task, headline.split, *part) for part in (record.extra_columns if record else ()))
        columns += [headline, *(column for column in extra if column in measured)]
    return tuple(columns)


def _tasks(suite: str) -> tuple[str, ...]:
    """Return the tasks in the table of a suite, after their mean if it has one."""
    mean = suite_mean(suite)
    return (*((mean,) if mean else ()), *suites().get(suite, ()))


def cells_by_column(scores: Iterable[Result]) -> dict[tuple[str, Column], Cell]:
    """Return a cell for each model and column, except for values that could not be computed."""
    return {
        (score.model, Column(score.task, score.split, score.slice, score.measure)): Cell(
            score.value, score.low, score.high, score.n
        )
        for score in scores
        if not isnan(score.value)
    }


def _leaderboard(suite: str, columns: tuple[Column, ...], data: ReportData, labels: Mapping[str, str]) -> Leaderboard:
    cells = cells_by_column(data.scores)
    measured = []
    for model in data.models:
        row = tuple(cells.get((model, column)) for column in columns)
        if any(row):
            measured.append(TableRow(labels[model], row))
    published = list(_published_rows(columns))
    indices = _indices_of_four(columns)
    if indices:
        columns = (*columns, Column(MEAN_OF_FOUR, ""))
        measured = [_with_mean(row, indices) for row in measured]
        published = [_with_mean(row, indices) for row in published]
    means = {MEAN_OF_FOUR, *(suite.mean for suite in SUITES if suite.mean)}
    lead = next((index for index, column in enumerate(columns) if column.task in means), 0)
    listed = [row for row in published if len(columns) <= NARROW or sum(map(bool, row.cells)) > 1]
    return Leaderboard(
        suite,
        columns,
        tuple(_mark_best(_ranked(measured, lead))),
        tuple(_ranked(listed, lead)),
        tuple(_single_results([row for row in _ranked(published, lead) if row not in listed], columns)),
    )


def _single_results(rows: Iterable[TableRow], columns: Sequence[Column]) -> Iterator[SingleResults]:
    groups: dict[tuple[str, Column, str], list[tuple[str, str]]] = {}
    for row in rows:
        for cell, column in zip(row.cells, columns, strict=True):
            if cell is not None:
                values = groups.setdefault((row.paper, column, cell.split or column.split), [])
                values.append((row.name, cell.format(decimals(column.measure))))
    for (paper, column, split), values in groups.items():
        yield SingleResults(paper, column, split, tuple(values))


def _indices_of_four(columns: Sequence[Column]) -> tuple[int, ...]:
    """Return the columns of the four HedgeTriple tasks; nothing unless each occurs exactly once."""
    indices = [
        index for index, column in enumerate(columns) if column.task in HEDGETRIPLE_TASKS and column.slice == ALL
    ]
    return tuple(indices) if sorted(columns[index].task for index in indices) == sorted(HEDGETRIPLE_TASKS) else ()


def _with_mean(row: TableRow, indices: Sequence[int]) -> TableRow:
    """Append the mean of some cells; None if one of them is missing."""
    cells = [cell for index in indices if (cell := row.cells[index]) is not None]
    mean = Cell(sum(cell.value for cell in cells) / len(cells), nan, nan) if len(cells) == len(indices) else None
    return replace(row, cells=(*row.cells, mean))


def _ranked(rows: Iterable[TableRow], lead: int) -> list[TableRow]:
    """Sort by the leading column, best first. Rows without a value there come last, sorted by the other columns."""

    def key(row: TableRow) -> list[float]:
        return [-cell.value if cell else float("inf") for cell in (row.cells[lead], *row.cells)]

    return sorted(rows, key=key)


def _mark_best(rows: Sequence[TableRow]) -> list[TableRow]:
    """Mark the best value of each column that has at least two."""
    marked_rows = []
    for row in rows:
        marked = []
        for index, cell in enumerate(row.cells):
            values = [other_cell.value for other in rows if (other_cell := other.cells[index])]
            best = cell is not None and len(values) > 1 and cell.value == max(values)
            marked.append(replace(cell, best=True) if cell and best else cell)
        marked_rows.append(TableRow(row.name, tuple(marked)))
    return marked_rows


def _published_rows(columns: Sequence[Column]) -> tuple[TableRow, ...]:
    """Return the systems that papers print a result for in any of the columns."""
    systems: dict[str, dict[Column, PublishedResult]] = {}
    for result in read_published_results():
        for column in columns:
            same = (result.task, result.slice, result.measure) == (column.task, column.slice, column.measure)
            # If a paper prints results for two splits, prefer the split of the column.
            if same and (column not in systems.get(result.name, {}) or result.split == column.split):
                systems.setdefault(result.name, {})[column] = result
    return tuple(_published_row(results, columns) for results in systems.values())


def _published_row(results: Mapping[Column, PublishedResult], columns: Sequence[Column]) -> TableRow:
    first = next(iter(results.values()))
    cells = []
    for column in columns:
        result = results.get(column)
        split = result.split if result and result.split != column.split else ""
        cells.append(Cell(result.value, nan, nan, split=split) if result else None)
    return TableRow(first.system, tuple(cells), first.paper, first.size)
