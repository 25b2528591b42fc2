"""General ability by subject: where a language model lost what it gained in negation. HedgeTriple's lost arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from litotes.report.labels import short_names
from litotes.report.reading import ALL, Evidence
from litotes.report.tables import Cell, Column, Leaderboard, Line, cells
from litotes.types import Result

HARNESS = "lm-eval:"
SUBJECT = "subject: "
ARITHMETIC = (
    "elementary_mathematics",
    "high_school_mathematics",
    "college_mathematics",
    "abstract_algebra",
    "high_school_statistics",
)
ARITHMETIC_TASK = "gsm8k"


def by_subject(evidence: Evidence, labels: Mapping[str, str]) -> list[Leaderboard]:
    """One table, subjects down and models across, arithmetic first; none where no task has subjects."""
    columns = _columns(evidence.scores)
    there = cells(evidence.scores)
    models = [model for model in evidence.models if any((model, column) in there for column in columns)]
    if not any(column.slice != ALL for column in columns):
        return []
    tasks = short_names([column.task for column in columns])
    lines = [
        Line(_name(column, tasks), _marked([there.get((model, column)) for model in models])) for column in columns
    ]
    heads = tuple(Column(labels[model], "") for model in models)
    return [Leaderboard("by subject", heads, tuple(lines), (), line="subject")]


def _columns(scores: Sequence[Result]) -> list[Column]:
    """What a line is of: each subject under its task's own measure, and the task that is all arithmetic."""
    found: dict[Column, None] = {}
    for (task, split), parts in _by_task(scores).items():
        headline = parts[0]
        if task.removeprefix(HARNESS).partition("@")[0] == ARITHMETIC_TASK:
            found[Column(task, split, ALL, headline.measure)] = None
        below = [one for one in parts if one.slice.startswith(SUBJECT)]
        measures = [one.measure for one in below]
        measure = headline.measure if headline.measure in measures else next(iter(measures), "")
        found |= {Column(task, split, one.slice, measure): None for one in below if one.measure == measure}
    return sorted(found, key=lambda column: (_place(column), column.task, column.slice))


def _by_task(scores: Iterable[Result]) -> dict[tuple[str, str], list[Result]]:
    found: dict[tuple[str, str], list[Result]] = {}
    for one in scores:
        if one.task.startswith(HARNESS):
            found.setdefault((one.task, one.split), []).append(one)
    return found


def _place(column: Column) -> int:
    """Arithmetic in its order, then all else."""
    if column.slice == ALL:
        return len(ARITHMETIC)
    subject = column.slice.removeprefix(SUBJECT)
    return ARITHMETIC.index(subject) if subject in ARITHMETIC else len(ARITHMETIC) + 1


def _name(column: Column, tasks: Mapping[str, str]) -> str:
    task = tasks[column.task].removeprefix(HARNESS)
    subject = column.slice.removeprefix(SUBJECT).replace("_", " ")
    return f"{task} ({column.measure})" if column.slice == ALL else f"{task}: {subject} ({column.measure})"


def _marked(line: Sequence[Cell | None]) -> tuple[Cell | None, ...]:
    """With the best model of a subject marked, where there are two or more."""
    values = [cell.value for cell in line if cell]
    return tuple(replace(cell, best=len(values) > 1 and cell.value == max(values)) if cell else None for cell in line)
