"""By kind of negation: a heat map, the same with its intervals, and what the errors are."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.report.drawing import Drawing, View
from litotes.report.reading import Evidence
from litotes.report.svg import MARKERS, SERIES, WIDE, canvas, clean, head, heat, legend_below
from litotes.report.tables import Cell, Column, cells

KIND = "kind: "
ACCURACIES = ("pairwise accuracy", "right rank")
ERRORS = {
    "prefers the negated document": SERIES[4],
    "prefers the other document": SERIES[1],
    "prefers doc1": SERIES[5],
    "prefers doc2": SERIES[2],
    "both reversed": SERIES[3],
}
TOGETHER = 4
"""models in one panel of intervals"""
MISSING = (
    "No task here has kinds of negation: litotes bench --suite taxonomy, or a contrast file whose rows have a kind"
)
Figures = dict[tuple[str, Column], Cell]
Group = tuple[str, str, str]
"""a task, its split and its measure"""


def kinds(evidence: Evidence, view: View) -> Drawing:
    """Kinds down, models across."""
    title, there = "Accuracy by kind of negation", cells(evidence.scores)
    panels = []
    for group, names in _groups(evidence).items():
        models = _models(there, evidence, group, names)
        rows = [[_value(there, model, group, name) for model in models] for name in names]
        with canvas(1.3 + 0.46 * len(models), 0.27 * len(names) + 1.2, says=f"{title}: {group[0]}") as sheet:
            heat(sheet.axes, rows, 100, digits=0)
            sheet.axes.set_yticks(range(len(names)), [clean(name) for name in names])
            head(sheet.axes, [clean(view.labels[model], 28) for model in models])
            sheet.axes.set_title(_said(group), pad=10)
        panels.append(sheet.svg)
    caption = (
        "The share of contrasts of each kind that a model gets right, in per cent: both queries, where there are two."
    )
    return Drawing("kinds", title, caption, tuple(panels), "" if panels else MISSING)


def intervals(evidence: Evidence, view: View) -> Drawing:
    """A dot and its 95% interval for each model and kind."""
    title, there = "The same, with intervals", cells(evidence.scores)
    panels = []
    for group, names in _groups(evidence).items():
        models = _models(there, evidence, group, names)
        models = [
            *(model for model in models if model == view.base),
            *(model for model in models if model != view.base),
        ]
        panels += [
            _dots(there, models[start : start + TOGETHER], group, names, view)
            for start in range(0, len(models), TOGETHER)
        ]
    caption = (
        "Dots are accuracies, bars their 95% bootstrap intervals. Where bars overlap widely, do not rank the models."
    )
    return Drawing("intervals", title, caption, tuple(panels), "" if panels else MISSING)


def errors(evidence: Evidence, view: View) -> Drawing:
    """For each model, how its wrong answers are wrong, by kind."""
    title, there = "What goes wrong, by kind", cells(evidence.scores)
    panels = []
    for group, names in _groups(evidence).items():
        for model in _models(there, evidence, group, names):
            if any((model, _column(group, name, error)) in there for name in names for error in ERRORS):
                panels.append(_bars(there, model, group, names, view))
    caption = (
        "Of all contrasts of a kind: one document wins both queries (the one with the negation, or the other; doc1 or "
        "doc2 where neither or both have one), or both queries are answered the wrong way round. What is left of 100 "
        "is right, or tied."
    )
    return Drawing("errors", title, caption, tuple(panels), "" if panels else MISSING)


def _groups(evidence: Evidence) -> dict[Group, list[str]]:
    """The kinds of each task that has any, in order of first sight."""
    found: dict[Group, dict[str, None]] = {}
    for one in evidence.scores:
        if one.slice.startswith(KIND) and one.measure in ACCURACIES:
            group = found.setdefault((one.task, one.split, one.measure), {})
            group[one.slice.removeprefix(KIND)] = None
    return {group: list(names) for group, names in found.items()}


def _column(group: Group, name: str, measure: str = "") -> Column:
    return Column(group[0], group[1], f"{KIND}{name}", measure or group[2])


def _models(there: Figures, evidence: Evidence, group: Group, names: Sequence[str]) -> list[str]:
    return [model for model in evidence.models if any((model, _column(group, name)) in there for name in names)]


def _value(there: Figures, model: str, group: Group, name: str) -> float | None:
    cell = there.get((model, _column(group, name)))
    return cell.value if cell else None


def _said(group: Group) -> str:
    return clean(f"{group[0]}, {group[1]}: {group[2]}", 48)


def _dots(there: Figures, models: Sequence[str], group: Group, names: Sequence[str], view: View) -> str:
    apart = 0.72 / max(1, len(models))
    height = 0.13 * len(names) * (len(models) + 1) + 1.0 + 0.2 * len(models)
    with canvas(WIDE, height, says=f"{_said(group)}, with intervals") as sheet:
        axes = sheet.axes
        for number, model in enumerate(models):
            found = [(at, cell) for at, name in enumerate(names) if (cell := there.get((model, _column(group, name))))]
            places = [at + (number - (len(models) - 1) / 2) * apart for at, _ in found]
            colour = SERIES[number % len(SERIES)]
            label = clean(view.labels[model], 36)
            axes.plot(
                [cell.value for _, cell in found], places, MARKERS[number], color=colour, label=label, markersize=5
            )
            for (_, cell), place in zip(found, places, strict=True):
                axes.plot([cell.low, cell.high], [place, place], color=colour, linewidth=1.6)
        axes.set_yticks(range(len(names)), [clean(name) for name in names])
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlim(-2, 102)
        axes.grid(True, axis="x")
        axes.set_xlabel("%")
        axes.set_title(_said(group))
        legend_below(axes, height)
    return sheet.svg


def _bars(there: Figures, model: str, group: Group, names: Sequence[str], view: View) -> str:
    says = f"The errors of {view.labels[model]} on {group[0]} by kind"
    height = 0.24 * len(names) + 1.5
    with canvas(WIDE, height, says=says) as sheet:
        axes = sheet.axes
        left = [0.0] * len(names)
        for error, colour in ERRORS.items():
            found = [there.get((model, _column(group, name, error))) for name in names]
            if not any(found):
                continue
            values = [cell.value if cell else 0.0 for cell in found]
            axes.barh(range(len(names)), values, left=left, color=colour, height=0.7, label=error)
            left = [start + value for start, value in zip(left, values, strict=True)]
        axes.set_yticks(range(len(names)), [clean(name) for name in names])
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(True, axis="x")
        axes.set_xlabel("% of the contrasts")
        axes.set_title(clean(f"{view.labels[model]} on {group[0]}, {group[1]}", 44))
        legend_below(axes, height)
    return sheet.svg
