"""Training curves: a panel a measure, a line a run."""

from __future__ import annotations

from litotes.report.drawing import Drawing
from litotes.report.reading import Evidence
from litotes.report.svg import MARKERS, SERIES, WIDE, canvas, clean, legend_below


def curves(evidence: Evidence) -> Drawing:
    """Every measure the runs wrote down, against the step or the epoch."""
    title = "Training curves"
    panels = []
    groups = dict.fromkeys((run.against, name) for run in evidence.curves for name in run.lines)
    for against, name in groups:
        with canvas(WIDE, 2.6, says=f"Training: {name} by {against}") as sheet:
            runs = [run for run in evidence.curves if run.against == against and name in run.lines]
            for number, run in enumerate(runs):
                x, y = zip(*sorted(run.lines[name]), strict=True)
                marker = MARKERS[number % len(MARKERS)] if len(x) <= 40 else ""
                colour = SERIES[number % len(SERIES)]
                sheet.axes.plot(
                    x, y, marker=marker, markersize=3.5, color=colour, label=clean(run.run, 36), linewidth=1.4
                )
            sheet.axes.grid(True)
            sheet.axes.set_xlabel(against)
            sheet.axes.set_title(clean(name, 44))
            if len(evidence.curves) > 1:
                legend_below(sheet.axes, 2.6)
        panels.append(sheet.svg)
    reason = "No run among the folders holds a curves.jsonl" if not panels else ""
    return Drawing("curves", title, "What each run wrote down as it trained." if panels else "", tuple(panels), reason)
