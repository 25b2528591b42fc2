"""Draw the training curves: one panel per measure, one line per run."""

from __future__ import annotations

from litotes.reporting.figures import ReportFigure
from litotes.reporting.report_data import ReportData
from litotes.reporting.svg import MARKERS, PANEL_WIDTH, SERIES_COLOURS, canvas, drawable_text, legend_below

HEIGHT = 2.6
MAX_MARKED_POINTS = 40
"""A line with more points has no markers."""


def curves_figure(data: ReportData) -> ReportFigure:
    """Draw every measure that the runs logged, by step or epoch."""
    panels = []
    measures = dict.fromkeys((run.against, name) for run in data.curves for name in run.lines)
    for against, name in measures:
        with canvas(PANEL_WIDTH, HEIGHT, alt_text=f"Training: {name} by {against}") as panel:
            runs = [run for run in data.curves if run.against == against and name in run.lines]
            for number, run in enumerate(runs):
                x, y = zip(*sorted(run.lines[name]), strict=True)
                panel.axes.plot(
                    x,
                    y,
                    marker=MARKERS[number % len(MARKERS)] if len(x) <= MAX_MARKED_POINTS else "",
                    markersize=3.5,
                    color=SERIES_COLOURS[number % len(SERIES_COLOURS)],
                    label=drawable_text(run.run, 36),
                    linewidth=1.4,
                )
            panel.axes.grid(True)
            panel.axes.set_xlabel(against)
            panel.axes.set_title(drawable_text(name, 44))
            if len(data.curves) > 1:
                legend_below(panel.axes, HEIGHT)
        panels.append(panel.svg)
    if not panels:
        reason = "None of the folders contains a curves.jsonl with values. Run: litotes train"
        return ReportFigure("curves", "Training curves", reason=reason)
    return ReportFigure(
        "curves", "Training curves", "The measures that each run logged during training.", tuple(panels)
    )
