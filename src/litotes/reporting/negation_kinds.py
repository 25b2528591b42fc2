"""Draw results by kind of negation: a heat map, the same values with their intervals, and the types of error."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.report_data import ReportData
from litotes.reporting.svg import (
    MARKERS,
    PANEL_WIDTH,
    SERIES_COLOURS,
    canvas,
    column_labels,
    drawable_text,
    heat_map,
    legend_below,
)
from litotes.reporting.tables import Cell, Column, cells_by_column

KIND = "kind: "
ACCURACIES = ("pairwise accuracy", "right rank")
ERROR_COLOURS = {
    "prefers the negated document": SERIES_COLOURS[4],
    "prefers the other document": SERIES_COLOURS[1],
    "prefers doc1": SERIES_COLOURS[5],
    "prefers doc2": SERIES_COLOURS[2],
    "both reversed": SERIES_COLOURS[3],
}
MODELS_PER_PANEL = 4
MISSING = (
    "No results by kind of negation. Run: litotes bench --suite taxonomy (or contrasts:FILE, if its rows have kinds)"
)
Cells = dict[tuple[str, Column], Cell]
Task = tuple[str, str, str]
"""The name of a task, its split and its measure."""


def kinds_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw a heat map per task, with a row per kind and a column per model."""
    title, cells = "Accuracy by kind of negation", cells_by_column(data.scores)
    panels = []
    for task, kinds in _kinds_by_task(data).items():
        models = _models(cells, data, task, kinds)
        rows = [[_value(cells, model, task, kind) for model in models] for kind in kinds]
        with canvas(1.3 + 0.46 * len(models), 0.27 * len(kinds) + 1.2, alt_text=f"{title}: {task[0]}") as panel:
            heat_map(panel.axes, rows, 100, places=0)
            panel.axes.set_yticks(range(len(kinds)), [drawable_text(kind) for kind in kinds])
            column_labels(panel.axes, [drawable_text(comparison.labels[model], 28) for model in models])
            panel.axes.set_title(_title(task), pad=10)
        panels.append(panel.svg)
    caption = (
        "The percentage of contrasts of each kind that a model gets right. A contrast with two queries is right if "
        "both queries are."
    )
    return ReportFigure("kinds", title, caption, tuple(panels), "" if panels else MISSING)


def intervals_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw a dot with its 95% interval for each model and kind."""
    cells = cells_by_column(data.scores)
    panels = []
    for task, kinds in _kinds_by_task(data).items():
        models = comparison.base_first(_models(cells, data, task, kinds))
        panels += [
            _interval_panel(cells, models[start : start + MODELS_PER_PANEL], task, kinds, comparison)
            for start in range(0, len(models), MODELS_PER_PANEL)
        ]
    caption = (
        "Dots are accuracies, and bars are their 95% bootstrap intervals. Do not rank models whose bars overlap widely."
    )
    title = "Accuracy by kind, with intervals"
    return ReportFigure("intervals", title, caption, tuple(panels), "" if panels else MISSING)


def errors_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw the types of error of each model by kind."""
    cells = cells_by_column(data.scores)
    panels = []
    for task, kinds in _kinds_by_task(data).items():
        for model in _models(cells, data, task, kinds):
            if any((model, _column(task, kind, error)) in cells for kind in kinds for error in ERROR_COLOURS):
                panels.append(_error_panel(cells, model, task, kinds, comparison))
    caption = (
        "The percentage of contrasts of a kind in which one document wins both queries (the one with the negation or "
        "the other one; doc1 or doc2 if neither or both have a negation), or in which both queries get the wrong "
        "document. The rest is right or tied."
    )
    return ReportFigure("errors", "Errors by kind of negation", caption, tuple(panels), "" if panels else MISSING)


def _kinds_by_task(data: ReportData) -> dict[Task, list[str]]:
    """Return the kinds of each task that has any, in order of first appearance."""
    tasks: dict[Task, dict[str, None]] = {}
    for score in data.scores:
        if score.slice.startswith(KIND) and score.measure in ACCURACIES:
            kinds = tasks.setdefault((score.task, score.split, score.measure), {})
            kinds[score.slice.removeprefix(KIND)] = None
    return {task: list(kinds) for task, kinds in tasks.items()}


def _column(task: Task, kind: str, measure: str = "") -> Column:
    return Column(task[0], task[1], f"{KIND}{kind}", measure or task[2])


def _models(cells: Cells, data: ReportData, task: Task, kinds: Sequence[str]) -> list[str]:
    return [model for model in data.models if any((model, _column(task, kind)) in cells for kind in kinds)]


def _value(cells: Cells, model: str, task: Task, kind: str) -> float | None:
    cell = cells.get((model, _column(task, kind)))
    return cell.value if cell else None


def _title(task: Task) -> str:
    return drawable_text(f"{task[0]}, {task[1]}: {task[2]}", 48)


def _interval_panel(
    cells: Cells, models: Sequence[str], task: Task, kinds: Sequence[str], comparison: ModelComparison
) -> str:
    distance = 0.72 / max(1, len(models))
    height = 0.13 * len(kinds) * (len(models) + 1) + 1.0 + 0.2 * len(models)
    with canvas(PANEL_WIDTH, height, alt_text=f"{_title(task)}, with intervals") as panel:
        axes = panel.axes
        for number, model in enumerate(models):
            rows = [(row, cell) for row, kind in enumerate(kinds) if (cell := cells.get((model, _column(task, kind))))]
            y = [row + (number - (len(models) - 1) / 2) * distance for row, _ in rows]
            colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
            label = drawable_text(comparison.labels[model], 36)
            axes.plot([cell.value for _, cell in rows], y, MARKERS[number], color=colour, label=label, markersize=5)
            for (_, cell), height_of_row in zip(rows, y, strict=True):
                axes.plot([cell.low, cell.high], [height_of_row, height_of_row], color=colour, linewidth=1.6)
        axes.set_yticks(range(len(kinds)), [drawable_text(kind) for kind in kinds])
        axes.set_ylim(len(kinds) - 0.5, -0.5)
        axes.set_xlim(-2, 102)
        axes.grid(True, axis="x")
        axes.set_xlabel("%")
        axes.set_title(_title(task))
        legend_below(axes, height)
    return panel.svg


def _error_panel(cells: Cells, model: str, task: Task, kinds: Sequence[str], comparison: ModelComparison) -> str:
    height = 0.24 * len(kinds) + 1.5
    alt_text = f"The errors of {comparison.labels[model]} on {task[0]} by kind"
    with canvas(PANEL_WIDTH, height, alt_text=alt_text) as panel:
        axes = panel.axes
        left = [0.0] * len(kinds)
        for error, colour in ERROR_COLOURS.items():
            row = [cells.get((model, _column(task, kind, error))) for kind in kinds]
            if not any(row):
                continue
            values = [cell.value if cell else 0.0 for cell in row]
            axes.barh(range(len(kinds)), values, left=left, color=colour, height=0.7, label=error)
            left = [start + value for start, value in zip(left, values, strict=True)]
        axes.set_yticks(range(len(kinds)), [drawable_text(kind) for kind in kinds])
        axes.set_ylim(len(kinds) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(True, axis="x")
        axes.set_xlabel("% of the contrasts")
        axes.set_title(drawable_text(f"{comparison.labels[model]} on {task[0]}, {task[1]}", 44))
        legend_below(axes, height)
    return panel.svg
