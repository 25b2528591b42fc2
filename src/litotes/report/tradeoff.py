"""Negation against general ability: a point a model, and the Pareto line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from litotes.report.drawing import Drawing, View
from litotes.report.labels import place_labels
from litotes.report.pareto import pareto
from litotes.report.plots import INK
from litotes.report.published import Published, published
from litotes.report.reading import ALL, Evidence
from litotes.report.svg import MARKERS, SERIES, WIDE, Canvas, canvas, clean, legend_below
from litotes.report.tables import FOUR, GENERAL_MEAN, MTEB, Cell, Column, cells, suite_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT, MARK = 3.6, 3
FEW, SHORT = 6, 24
"""models, and letters in a name, that there is room for beside the points"""
TITLE = "Negation against general ability"


@dataclass(frozen=True, slots=True)
class Point:
    """A model's general ability (x) and its hearing of negation (y)."""

    name: str
    x: float
    y: float
    left: float = nan
    right: float = nan


@dataclass(frozen=True, slots=True)
class Plane:
    """Points on two axes that mean the same for all of them."""

    points: tuple[Point, ...]
    x_name: str
    y_name: str
    x_tasks: str = ""
    """what the axis is the mean of, in full"""
    y_tasks: str = ""

    def line(self) -> list[Point]:
        """The points no other beats, from left to right."""
        return [self.points[place] for place in pareto([(point.x, point.y) for point in self.points])]


def plane(evidence: Evidence, view: View) -> Plane | None:
    """The models measured on both; None where there is none.

    General ability is the general mean, or else the mean of general-mini. Negation is the mean of the four tasks the
    papers average where every model has them, else of all the negation tasks that every model has.
    """
    there = cells(evidence.scores)
    negation = [one for one in suite_columns(evidence.scores, "negation") if not one.slice.startswith("scale: ")]
    general = [one for one in suite_columns(evidence.scores, "general") if one.task == GENERAL_MEAN][:1]
    general = general or list(suite_columns(evidence.scores, "general-mini"))
    models = [
        model
        for model in evidence.models
        if general and all((model, one) in there for one in general) and any((model, one) in there for one in negation)
    ]
    shared = [one for one in negation if all((model, one) in there for model in models)]
    four = [one for one in shared if one.task in FOUR]
    shared = four if len(four) == len(FOUR) == len({one.task for one in four}) else shared
    if not models or not shared:
        return None
    points = []
    for model in models:
        x, y = ([there[model, one] for one in those] for those in (general, shared))
        alone: Cell | None = x[0] if len(x) == 1 else None
        ends = (alone.low, alone.high) if alone else (nan, nan)
        points.append(Point(view.labels[model], _mean(x), _mean(y), *ends))
    return Plane(
        tuple(points),
        f"general: {_named(general)}",
        f"negation: {_named(shared)}",
        _tasks(general),
        _tasks(shared),
    )


def numbered(found: Plane) -> tuple[Plane, dict[str, str]]:
    """The plane with numbers for names, from the top down, and whose they are; as it is where the names have room."""
    if len(found.points) <= FEW and all(len(point.name) <= SHORT for point in found.points):
        return found, {}
    ranked = sorted(found.points, key=lambda point: -point.y)
    names = {str(number): point.name for number, point in enumerate(ranked, start=1)}
    points = tuple(replace(point, name=number) for number, point in zip(names, ranked, strict=True))
    return replace(found, points=points), names


def tradeoff(evidence: Evidence, view: View) -> Drawing:
    """Ours, and beside it, on axes of their own, what the papers paid."""
    found = plane(evidence, view)
    if found is None:
        reason = "No model here has both a negation task and a general figure: litotes bench --suite negation,general"
        return Drawing("tradeoff", TITLE, reason=reason)
    found, names = numbered(found)
    on_line = ", ".join(point.name for point in found.line())
    key = f" {'; '.join(f'{number} is {name}' for number, name in names.items())}." if names else ""
    there = names.values() or {point.name for point in found.points}
    absent = [name for name in view.labels.values() if name not in there]
    without = f" Without a figure on one of the axes: {', '.join(absent)}." if absent else ""
    caption = (
        f"Up is better at negation ({found.y_tasks}), right is better at all else ({found.x_tasks}; the bar is its 95% "
        f"interval where it is one figure). No model beats those on the line on both axes: {on_line}.{key}{without} "
        "The other panels are published figures, on other measures: HedgeTriple's negation average against its MTEB "
        "average, and the taxonomy paper's NevIR dev accuracy against MS MARCO MRR@10 after 1, 6 and 20 epochs."
    )
    panels = (_scatter(found, "Measured here", line=True), _scatter(_mteb(), "Published: HedgeTriple"), _epochs())
    return Drawing("tradeoff", TITLE, caption, panels)


def _scatter(found: Plane, title: str, *, line: bool = False) -> str:
    with canvas(WIDE, HEIGHT, says=f"{title}: {found.y_name} against {found.x_name}") as sheet:
        axes = sheet.axes
        for point in found.points:
            if not isnan(point.left):
                axes.plot([point.left, point.right], [point.y, point.y], color=SERIES[0], linewidth=1, alpha=0.6)
            axes.plot(point.x, point.y, "o", color=SERIES[0], markersize=6)
        if line:
            x, y = zip(*((point.x, point.y) for point in found.line()), strict=True)
            axes.step(x, y, where="pre", color=SERIES[1], linewidth=1.6, zorder=1)
            ring = axes.plot(x, y, "o", color=SERIES[1], label="on the Pareto line", markersize=10)[0]
            ring.set_markerfacecolor("none")
            legend_below(axes, HEIGHT)
        _frame(sheet, found.x_name, found.y_name, title)
        _write_names(sheet, found.points)
    return sheet.svg


def _frame(sheet: Canvas, x_name: str, y_name: str, title: str) -> None:
    sheet.axes.margins(0.14, 0.16)
    sheet.axes.grid(True)
    sheet.axes.set_xlabel(clean(x_name, 52))
    sheet.axes.set_ylabel(clean(y_name, 40))
    sheet.axes.set_title(title)


def _write_names(sheet: Canvas, points: Sequence[Point], others: Sequence[Point] = ()) -> None:
    """Each point's name where it is in nobody's way, nor in that of other marks."""
    axes, texts = sheet.axes, [clean(point.name, 28) for point in points]
    axes.autoscale_view()
    there = [_place(axes, point.x, point.y) for point in points]
    bars = [(_place(axes, point.left, point.y), _place(axes, point.right, point.y)) for point in points]
    taken = [(left[0], left[1] - 1, right[0], right[1] + 1) for left, right in bars if not isnan(left[0])]
    marks = [_place(axes, point.x, point.y) for point in others]
    taken += [(x - MARK, y - MARK, x + MARK, y + MARK) for x, y in marks]
    box = axes.get_window_extent()
    frame = (box.x0, box.y0, box.x1, box.y1)
    for text, place in zip(texts, place_labels(there, texts, frame, taken=taken), strict=True):
        x, y = axes.transData.inverted().transform((place[0], (place[1] + place[3]) / 2))
        axes.text(x, y, text, ha="left", va="center", fontsize=9.5, color=INK)


def _place(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """Where a point stands on the sheet."""
    across, up = axes.transData.transform((x, y))
    return float(across), float(up)


def _mteb() -> Plane:
    """HedgeTriple's two averages, for the systems it prints both of."""
    rows = [one for one in published() if one.paper == "HedgeTriple"]
    points = []
    for system in dict.fromkeys(one.system for one in rows):
        general = [one.value for one in rows if (one.system, one.task, one.slice) == (system, MTEB, "average")]
        negation = [one.value for one in rows if one.system == system and one.task in FOUR and one.slice == ALL]
        if general and len(negation) == len(FOUR):
            points.append(Point(system, general[0], sum(negation) / len(negation)))
    return Plane(tuple(points), "MTEB average (published)", "mean of four negation tasks")


def _epochs() -> str:
    """The taxonomy paper's runs: a path a model, from the first epoch to the last."""
    with canvas(WIDE, HEIGHT, says="Published: NevIR accuracy against MS MARCO MRR@10 over epochs of tuning") as sheet:
        rows = [one for one in published() if one.paper == "taxonomy"]
        ends, way = [], []
        for number, system in enumerate(dict.fromkeys(one.system for one in rows)):
            x, y = (_values(rows, system, task) for task in ("ms-marco", "nevir"))
            colour = SERIES[number % len(SERIES)]
            sheet.axes.plot(x, y, color=colour, marker=MARKERS[number], markersize=5, linewidth=1.2)
            way += [Point("", *place) for place in zip(x, y, strict=True)]
            ends.append(Point(system.removesuffix(", mixed data"), x[-1], y[-1]))
        _frame(sheet, "MS MARCO MRR@10 (published)", "NevIR dev accuracy", "Published: taxonomy paper, by epoch")
        _write_names(sheet, ends, way)
    return sheet.svg


def _values(rows: Sequence[Published], system: str, task: str) -> list[float]:
    return [one.value for one in rows if (one.system, one.task) == (system, task)]


def _mean(those: Sequence[Cell]) -> float:
    return sum(cell.value for cell in those) / len(those)


def _named(columns: Sequence[Column]) -> str:
    """What an axis is, in short: one figure by its name, several as their mean."""
    return _said(columns[0]) if len(columns) == 1 else f"mean of {len(columns)} tasks"


def _tasks(columns: Sequence[Column]) -> str:
    return ("mean of " if len(columns) > 1 else "") + ", ".join(map(_said, columns))


def _said(column: Column) -> str:
    return f"{column.task} ({column.split})" if column.split else column.task
