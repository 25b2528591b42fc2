"""Plot negation against general ability: one point per model, and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from litotes.data.catalogue import suite_mean
from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.labels import place_labels
from litotes.reporting.plots import INK
from litotes.reporting.published_results import PublishedResult, read_published_results
from litotes.reporting.report_data import ALL, ReportData
from litotes.reporting.svg import MARKERS, PANEL_WIDTH, SERIES_COLOURS, Canvas, canvas, drawable_text, legend_below
from litotes.reporting.tables import HEDGETRIPLE_TASKS, MTEB, Cell, Column, cells_by_column, headline_columns
from litotes.stats import pareto

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT, MARKER_RADIUS = 3.6, 3
MAX_LABELS, MAX_LABEL_LENGTH = 6, 24
"""With more models, or with a longer name, the points are labelled with numbers."""
TITLE = "Negation against general ability"


@dataclass(frozen=True, slots=True)
class Point:
    """The general ability (x) of a model and its ability to handle negation (y)."""

    name: str
    x: float
    y: float
    left: float = nan
    """The lower end of the interval of x."""
    right: float = nan


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """Models measured on the same two axes."""

    points: tuple[Point, ...]
    x_name: str
    y_name: str
    x_tasks: str = ""
    """The tasks whose mean is on the x axis."""
    y_tasks: str = ""
    """The tasks whose mean is on the y axis."""

    def pareto_front(self) -> list[Point]:
        """Return the points that no other point beats on both axes, from left to right."""
        front = [self.points[index] for index in pareto([(point.x, point.y) for point in self.points])]
        return sorted(front, key=lambda point: (point.x, -point.y))


def measured_tradeoff(data: ReportData, comparison: ModelComparison) -> Tradeoff | None:
    """Return the models that were measured on both axes; None if there is none.

    General ability is the general mean, or else the mean of general-mini. Negation is the mean of the four tasks that
    the HedgeTriple paper averages if every model has them, or else of all negation tasks that every model has.
    """
    cells = cells_by_column(data.scores)
    negation = headline_columns(data.scores, "negation")
    means = [column for column in headline_columns(data.scores, "general") if column.task == suite_mean("general")]
    general = means[:1] or headline_columns(data.scores, "general-mini")
    models = [
        model
        for model in data.models
        if general
        and all((model, column) in cells for column in general)
        and any((model, column) in cells for column in negation)
    ]
    shared = [column for column in negation if all((model, column) in cells for model in models)]
    four = [column for column in shared if column.task in HEDGETRIPLE_TASKS]
    shared = four if len(four) == len(HEDGETRIPLE_TASKS) == len({column.task for column in four}) else shared
    if not models or not shared:
        return None
    points = []
    for model in models:
        x, y = ([cells[model, column] for column in columns] for columns in (general, shared))
        interval = (x[0].low, x[0].high) if len(x) == 1 else (nan, nan)
        points.append(Point(comparison.labels[model], _mean(x), _mean(y), *interval))
    return Tradeoff(
        tuple(points),
        f"general: {_axis_name(general)}",
        f"negation: {_axis_name(shared)}",
        _task_list(general),
        _task_list(shared),
    )


def number_points(tradeoff: Tradeoff) -> tuple[Tradeoff, dict[str, str]]:
    """Replace the names by numbers, from the top down, and return the name of each number.

    If the names fit beside the points, the trade-off is returned unchanged, with an empty mapping.
    """
    if len(tradeoff.points) <= MAX_LABELS and all(len(point.name) <= MAX_LABEL_LENGTH for point in tradeoff.points):
        return tradeoff, {}
    ranked = sorted(tradeoff.points, key=lambda point: -point.y)
    names = {str(number): point.name for number, point in enumerate(ranked, start=1)}
    points = tuple(replace(point, name=number) for number, point in zip(names, ranked, strict=True))
    return replace(tradeoff, points=points), names


def tradeoff_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw the measured trade-off, and beside it the published ones, each on its own axes."""
    tradeoff = measured_tradeoff(data, comparison)
    if tradeoff is None:
        reason = (
            "No model was measured on both negation and general ability. Run: litotes bench --suite negation,general"
        )
        return ReportFigure("tradeoff", TITLE, reason=reason)
    tradeoff, names = number_points(tradeoff)
    front = ", ".join(point.name for point in tradeoff.pareto_front())
    legend = f" {'; '.join(f'{number} is {name}' for number, name in names.items())}." if names else ""
    shown = names.values() or {point.name for point in tradeoff.points}
    absent = [name for name in comparison.labels.values() if name not in shown]
    not_shown = f" Not measured on both axes: {', '.join(absent)}." if absent else ""
    caption = (
        f"Higher is better at negation ({tradeoff.y_tasks}); further right is better at everything else "
        f"({tradeoff.x_tasks}; if this is a single value, the bar is its 95% interval). No other model beats the "
        f"models on the Pareto front on both axes: {front}.{legend}{not_shown} "
        "The other panels show published results with other measures: HedgeTriple's negation average against its MTEB "
        "average, and the taxonomy paper's NevIR dev accuracy against MS MARCO MRR@10 after 1, 6 and 20 epochs."
    )
    panels = (
        _scatter(tradeoff, "Measured here", front=True),
        _scatter(_hedgetriple(), "Published: HedgeTriple"),
        _taxonomy_epochs(),
    )
    return ReportFigure("tradeoff", TITLE, caption, panels)


def _scatter(tradeoff: Tradeoff, title: str, *, front: bool = False) -> str:
    with canvas(PANEL_WIDTH, HEIGHT, alt_text=f"{title}: {tradeoff.y_name} against {tradeoff.x_name}") as panel:
        axes = panel.axes
        for point in tradeoff.points:
            if not isnan(point.left):
                axes.plot(
                    [point.left, point.right], [point.y, point.y], color=SERIES_COLOURS[0], linewidth=1, alpha=0.6
                )
            axes.plot(point.x, point.y, "o", color=SERIES_COLOURS[0], markersize=6)
        if front:
            x, y = zip(*((point.x, point.y) for point in tradeoff.pareto_front()), strict=True)
            axes.step(x, y, where="pre", color=SERIES_COLOURS[1], linewidth=1.6, zorder=1)
            ring = axes.plot(x, y, "o", color=SERIES_COLOURS[1], label="on the Pareto front", markersize=10)[0]
            ring.set_markerfacecolor("none")
            legend_below(axes, HEIGHT)
        _label_axes(panel, tradeoff.x_name, tradeoff.y_name, title)
        _label_points(panel, tradeoff.points)
    return panel.svg


def _label_axes(panel: Canvas, x_name: str, y_name: str, title: str) -> None:
    panel.axes.margins(0.14, 0.16)
    panel.axes.grid(True)
    panel.axes.set_xlabel(drawable_text(x_name, 52))
    panel.axes.set_ylabel(drawable_text(y_name, 40))
    panel.axes.set_title(title)


def _label_points(panel: Canvas, points: Sequence[Point], unlabelled: Sequence[Point] = ()) -> None:
    """Write the name of each point where it covers neither another label nor a marker."""
    axes, texts = panel.axes, [drawable_text(point.name, 28) for point in points]
    axes.autoscale_view()
    positions = [_position(axes, point.x, point.y) for point in points]
    bars = [(_position(axes, point.left, point.y), _position(axes, point.right, point.y)) for point in points]
    obstacles = [(left[0], left[1] - 1, right[0], right[1] + 1) for left, right in bars if not isnan(left[0])]
    markers = [_position(axes, point.x, point.y) for point in unlabelled]
    obstacles += [(x - MARKER_RADIUS, y - MARKER_RADIUS, x + MARKER_RADIUS, y + MARKER_RADIUS) for x, y in markers]
    extent = axes.get_window_extent()
    frame = (extent.x0, extent.y0, extent.x1, extent.y1)
    for text, box in zip(texts, place_labels(positions, texts, frame, obstacles=obstacles), strict=True):
        x, y = axes.transData.inverted().transform((box[0], (box[1] + box[3]) / 2))
        axes.text(x, y, text, ha="left", va="center", fontsize=9.5, color=INK)


def _position(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """Return the position of a point on the canvas."""
    across, up = axes.transData.transform((x, y))
    return float(across), float(up)


def _hedgetriple() -> Tradeoff:
    """Return HedgeTriple's two averages for the systems that have both."""
    results = [result for result in read_published_results() if result.paper == "HedgeTriple"]
    points = []
    for system in dict.fromkeys(result.system for result in results):
        own = [result for result in results if result.system == system]
        general = [result.value for result in own if (result.task, result.slice) == (MTEB, "average")]
        negation = [result.value for result in own if result.task in HEDGETRIPLE_TASKS and result.slice == ALL]
        if general and len(negation) == len(HEDGETRIPLE_TASKS):
            points.append(Point(system, general[0], sum(negation) / len(negation)))
    return Tradeoff(tuple(points), "MTEB average (published)", "mean of four negation tasks")


def _taxonomy_epochs() -> str:
    """Draw the taxonomy paper's runs: one line per model, from the first epoch to the last."""
    alt_text = "Published: NevIR accuracy against MS MARCO MRR@10 over epochs of fine-tuning"
    with canvas(PANEL_WIDTH, HEIGHT, alt_text=alt_text) as panel:
        results = [result for result in read_published_results() if result.paper == "taxonomy"]
        last_epochs, all_epochs = [], []
        for number, system in enumerate(dict.fromkeys(result.system for result in results)):
            x, y = (_values(results, system, task) for task in ("ms-marco", "nevir"))
            colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
            panel.axes.plot(x, y, color=colour, marker=MARKERS[number], markersize=5, linewidth=1.2)
            all_epochs += [Point("", *position) for position in zip(x, y, strict=True)]
            last_epochs.append(Point(system.removesuffix(", mixed data"), x[-1], y[-1]))
        _label_axes(panel, "MS MARCO MRR@10 (published)", "NevIR dev accuracy", "Published: taxonomy paper, by epoch")
        _label_points(panel, last_epochs, all_epochs)
    return panel.svg


def _values(results: Sequence[PublishedResult], system: str, task: str) -> list[float]:
    return [result.value for result in results if (result.system, result.task) == (system, task)]


def _mean(cells: Sequence[Cell]) -> float:
    return sum(cell.value for cell in cells) / len(cells)


def _axis_name(columns: Sequence[Column]) -> str:
    """Return a short name: the task if there is one, else the number of tasks."""
    return _task_name(columns[0]) if len(columns) == 1 else f"mean of {len(columns)} tasks"


def _task_list(columns: Sequence[Column]) -> str:
    return ("mean of " if len(columns) > 1 else "") + ", ".join(map(_task_name, columns))


def _task_name(column: Column) -> str:
    return f"{column.task} ({column.split})" if column.split else column.task
