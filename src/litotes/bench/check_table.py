"""A check as plain text for people: in the shell, in a failed test, in a JUnit file."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from statistics import fmean

from litotes.bench.checking import KIND, NO_BASELINE, Check
from litotes.bench.requirements import shown
from litotes.types import Result

Cells = Sequence[str]


def check_table(found: Check) -> str:
    """What was asked, what was measured, and the verdict."""
    parts = [_asked(found), _heard(found), _general(found), found.verdict]
    return "\n\n".join(part for part in parts if part)


def _asked(found: Check) -> str:
    rows = [("requirement", "asked", "measured", "95% interval", "n", "result")]
    for one in found.requirements:
        remark = ("met" if one.met else "NOT MET") + (", the bar lies within the interval" if one.close else "")
        rows.append((one.name, one.asked, *_figure(one.figure), remark))
    return _aligned(rows)


def _heard(found: Check) -> str:
    one = found.negation
    rows = [(f"{one.task} {one.split}, {one.measure}", found.model, "95% interval", "n")]
    rows.append(("all", *_figure(one)))
    rows += [(kind.slice.removeprefix(KIND), *_figure(kind)) for kind in found.kinds]
    return _aligned(rows)


def _general(found: Check) -> str:
    if not found.baseline:
        return f"{NO_BASELINE.capitalize()}."
    rows = [("general task", "measure", "n", found.model, found.baseline, "lost", "95% interval")]
    for one in found.general:
        about = (one.model.task, one.model.measure, str(one.lost.n))
        rows.append((*about, _both(one.model), _both(one.baseline), *_figure(one.lost)[:2]))
    if found.general_loss is not None:
        ours, theirs = (fmean(getattr(one, side).value for one in found.general) for side in ("model", "baseline"))
        mean = found.general_loss
        rows.append(("mean", "", str(mean.n), shown(ours), shown(theirs), *_figure(mean)[:2]))
    return _aligned(rows)


def _figure(one: Result) -> tuple[str, str, str]:
    return shown(one.value), _interval(one), str(one.n)


def _both(one: Result) -> str:
    return f"{shown(one.value)} ({_interval(one)})"


def _interval(one: Result) -> str:
    return "" if isnan(one.low) else f"{shown(one.low)} – {shown(one.high)}"


def _aligned(rows: Sequence[Cells]) -> str:
    """Columns as wide as their widest cell; the first row is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join((lines[0], "  ".join("─" * width for width in widths).rstrip(), *lines[1:]))
