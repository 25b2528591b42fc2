"""Draw sweeps: how each measure depends on the one setting that changes from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litotes.reporting.figures import ReportFigure
from litotes.reporting.report_data import HIGHEST_COSINE, ReportData, SweepLines
from litotes.reporting.svg import MARKERS, PANEL_WIDTH, SERIES_COLOURS, canvas, drawable_text, legend_below

LOG_SCALE_RATIO = 8
"""The axis is logarithmic if its highest value is at least this many times the lowest."""
HEIGHT, ROW_HEIGHT = 2.6, 0.26
"""In inches: the height of a panel, and of a row in a panel whose points are names."""


def sweeps_figure(data: ReportData) -> ReportFigure:
    """Draw up to two panels per sweep, one for percentages and one for cosines, with one line per measure."""
    panels = []
    for sweep in data.sweeps:
        cosines = [
            name for name, points in sweep.lines.items() if all(abs(value) <= HIGHEST_COSINE for _, value in points)
        ]
        percentages = [name for name in sweep.lines if name not in cosines]
        panels += [_panel(sweep, names) for names in (percentages, cosines) if names]
    if not panels:
        return ReportFigure("sweeps", "Sweeps", reason="No point of the sweep was measured")
    caption = "Only one setting changes from run to run. A dashed line is the base model, before training."
    return ReportFigure("sweeps", "Sweeps", caption, tuple(panels))


def _panel(sweep: SweepLines, names: Sequence[str]) -> str:
    setting = sweep.what.partition("=")[0]
    height = HEIGHT if sweep.numeric else max(HEIGHT, 0.6 + ROW_HEIGHT * max(len(sweep.lines[name]) for name in names))
    with canvas(PANEL_WIDTH, height, alt_text=f"Sweep over {setting}: {', '.join(names)}") as panel:
        for number, name in enumerate(names):
            line_style = {"color": SERIES_COLOURS[number % len(SERIES_COLOURS)], "linewidth": 1.4}
            markers = {"marker": MARKERS[number % len(MARKERS)], "markersize": 4, "label": drawable_text(name, 36)}
            plot = _plot_by_number if sweep.numeric else _plot_by_name
            plot(panel.axes, sweep, name, line_style, markers)
        panel.axes.grid(True)
        panel.axes.set_title(drawable_text(f"{sweep.name}: by {setting}", 44))
        if sweep.numeric:
            panel.axes.set_xlabel(drawable_text(setting))
        legend_below(panel.axes, height, x_label=sweep.numeric)
    return panel.svg


def _plot_by_number(
    axes: Any, sweep: SweepLines, name: str, line_style: dict[str, Any], markers: dict[str, Any]
) -> None:
    points = sorted((float(at), value) for at, value in sweep.lines[name])
    x, y = [at for at, _ in points], [value for _, value in points]
    if x[0] > 0 and x[-1] >= LOG_SCALE_RATIO * x[0]:
        axes.set_xscale("log")
    axes.set_xticks(x, [f"{at:g}" for at in x])
    axes.minorticks_off()
    axes.plot(x, y, **line_style, **markers)
    if name in sweep.before:
        axes.axhline(sweep.before[name], linestyle="--", alpha=0.6, **line_style)


def _plot_by_name(axes: Any, sweep: SweepLines, name: str, line_style: dict[str, Any], markers: dict[str, Any]) -> None:
    """Draw unconnected points, since names have no order. The names are on the y axis, where long ones fit."""
    points = sweep.lines[name]
    y = [-row for row in range(len(points))]
    axes.plot([value for _, value in points], y, linestyle="none", color=line_style["color"], **markers)
    axes.set_yticks(y, [drawable_text(str(at), 24) for at, _ in points])
    if name in sweep.before:
        axes.axvline(sweep.before[name], linestyle="--", alpha=0.6, **line_style)
