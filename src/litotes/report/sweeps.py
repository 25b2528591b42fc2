"""Sweeps: what each measure makes of the one thing that changes from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litotes.report.drawing import Drawing
from litotes.report.reading import COSINE, Evidence, Sweep
from litotes.report.svg import MARKERS, SERIES, WIDE, canvas, clean, legend_below

SPREAD = 8
"""how many times the least the greatest must be for a logarithmic axis"""
HIGH, ROW = 2.6, 0.26
"""inches: of a panel, and of a line in one whose points are names"""


def sweeps(evidence: Evidence) -> Drawing:
    """A panel a sweep and a scale: shares and correlations times 100 in one, cosines in another; a line a measure."""
    panels = []
    for sweep in evidence.sweeps:
        cosines = [name for name, points in sweep.lines.items() if all(abs(value) <= COSINE for _, value in points)]
        others = [name for name in sweep.lines if name not in cosines]
        panels += [_panel(sweep, those) for those in (others, cosines) if those]
    caption = "One thing changes from run to run, all else is the same; a broken line is the base, before training."
    reason = "No point of the sweep was measured" if not panels else ""
    return Drawing("sweeps", "Sweeps", caption if panels else "", tuple(panels), reason)


def _panel(sweep: Sweep, names: Sequence[str]) -> str:
    changed = sweep.what.partition("=")[0]
    high = HIGH if sweep.numeric else max(HIGH, 0.6 + ROW * max(len(sweep.lines[name]) for name in names))
    with canvas(WIDE, high, says=f"Sweep over {changed}: {', '.join(names)}") as sheet:
        for number, name in enumerate(names):
            look = {"color": SERIES[number % len(SERIES)], "linewidth": 1.4}
            marks = {"marker": MARKERS[number % len(MARKERS)], "markersize": 4, "label": clean(name, 36)}
            (_by_number if sweep.numeric else _by_name)(sheet.axes, sweep, name, look, marks)
        sheet.axes.grid(True)
        sheet.axes.set_title(clean(f"{sweep.name}: by {changed}", 44))
        if sweep.numeric:
            sheet.axes.set_xlabel(clean(changed))
        legend_below(sheet.axes, high, x_name=sweep.numeric)
    return sheet.svg


def _by_number(axes: Any, sweep: Sweep, name: str, look: dict[str, Any], marks: dict[str, Any]) -> None:
    points = sorted((float(at), value) for at, value in sweep.lines[name])
    places, values = [at for at, _ in points], [value for _, value in points]
    if places[0] > 0 and places[-1] >= SPREAD * places[0]:
        axes.set_xscale("log")
    axes.set_xticks(places, [f"{at:g}" for at in places])
    axes.minorticks_off()
    axes.plot(places, values, **look, **marks)
    if name in sweep.before:
        axes.axhline(sweep.before[name], linestyle="--", alpha=0.6, **look)


def _by_name(axes: Any, sweep: Sweep, name: str, look: dict[str, Any], marks: dict[str, Any]) -> None:
    """Names down the side, where long ones fit; the first on top, and no line between them: they have no order."""
    points = sweep.lines[name]
    down = [-place for place in range(len(points))]
    axes.plot([value for _, value in points], down, linestyle="none", color=look["color"], **marks)
    axes.set_yticks(down, [clean(str(at), 24) for at, _ in points])
    if name in sweep.before:
        axes.axvline(sweep.before[name], linestyle="--", alpha=0.6, **look)
