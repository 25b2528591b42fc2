"""General ability by subject, to see where a language model got worse; HedgeTriple's got worse at arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from litotes.data.benchmarks.lm_eval import PREFIX
from litotes.reporting.labels import short_names
from litotes.reporting.report_data import ALL, ReportData
from litotes.reporting.tables import Cell, Column, Leaderboard, TableRow, cells_by_column
from litotes.types import Result

SUBJECT = "subject: "
ARITHMETIC = (
    "elementary_mathematics",
    "high_school_mathematics",
    "college_mathematics",
    "abstract_algebra",
    "high_school_statistics",
)
ARITHMETIC_TASK = "gsm8k"


def subject_leaderboards(data: ReportData, labels: Mapping[str, str]) -> list[Leaderboard]:
    """Return a table with one row per subject, arithmetic first, and one column per model; [] without subjects."""
    columns = _columns(data.scores)
    cells = cells_by_column(data.scores)
    models = [model for model in data.models if any((model, column) in cells for column in columns)]
    if not any(column.slice != ALL for column in columns):
        return []
    task_names = short_names([column.task for column in columns])
    rows = [
        TableRow(_row_name(column, task_names), _mark_best([cells.get((model, column)) for model in models]))
        for column in columns
    ]
    head = tuple(Column(labels[model], "") for model in models)
    return [Leaderboard("by subject", head, tuple(rows), (), row_header="subject")]


def _columns(scores: Sequence[Result]) -> list[Column]:
    """Return each subject with its task's main measure, and the task that is all arithmetic."""
    columns: dict[Column, None] = {}
    for (task, split), results in _by_task(scores).items():
        headline = results[0]
        if task.removeprefix(PREFIX).partition("@")[0] == ARITHMETIC_TASK:
            columns[Column(task, split, ALL, headline.measure)] = None
        subjects = [result for result in results if result.slice.startswith(SUBJECT)]
        measures = [result.measure for result in subjects]
        measure = headline.measure if headline.measure in measures else next(iter(measures), "")
        columns |= {
            Column(task, split, result.slice, measure): None for result in subjects if result.measure == measure
        }
    return sorted(columns, key=lambda column: (_rank(column), column.task, column.slice))


def _by_task(scores: Iterable[Result]) -> dict[tuple[str, str], list[Result]]:
    tasks: dict[tuple[str, str], list[Result]] = {}
    for score in scores:
        if score.task.startswith(PREFIX):
            tasks.setdefault((score.task, score.split), []).append(score)
    return tasks


def _rank(column: Column) -> int:
    """Return the place of a row: the arithmetic subjects in their order, the arithmetic task, then the others."""
    if column.slice == ALL:
        return len(ARITHMETIC)
    subject = column.slice.removeprefix(SUBJECT)
    return ARITHMETIC.index(subject) if subject in ARITHMETIC else len(ARITHMETIC) + 1


def _row_name(column: Column, task_names: Mapping[str, str]) -> str:
    task = task_names[column.task].removeprefix(PREFIX)
    subject = column.slice.removeprefix(SUBJECT).replace("_", " ")
    return f"{task} ({column.measure})" if column.slice == ALL else f"{task}: {subject} ({column.measure})"


def _mark_best(cells: Sequence[Cell | None]) -> tuple[Cell | None, ...]:
    """Mark the best model of a subject, if at least two have a value."""
    values = [cell.value for cell in cells if cell]
    return tuple(replace(cell, best=len(values) > 1 and cell.value == max(values)) if cell else None for cell in cells)
