"""A check as plain text for people: in the shell, in a failed test, in a JUnit file."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from statistics import fmean

from litotes.evaluation.checking import KIND, NO_BASELINE, Check
from litotes.evaluation.requirements import shown
from litotes.types import Result

Cells = Sequence[str]


def check_table(check: Check) -> str:
    """Return the requirements, the figures and the verdict."""
    parts = [_requirements(check), _negation(check), _general(check), check.verdict]
    return "\n\n".join(part for part in parts if part)


def _requirements(check: Check) -> str:
    rows = [("requirement", "threshold", "measured", "95% interval", "n", "result")]
    for requirement in check.requirements:
        result = ("met" if requirement.met else "NOT MET") + (", narrowly" if requirement.close else "")
        rows.append((requirement.name, requirement.asked, *_figure(requirement.figure), result))
    return _aligned(rows)


def _negation(check: Check) -> str:
    headline = check.negation
    rows = [(f"{headline.task} {headline.split}, {headline.measure}", check.model, "95% interval", "n")]
    rows.append(("all", *_figure(headline)))
    rows += [(kind.slice.removeprefix(KIND), *_figure(kind)) for kind in check.kinds]
    return _aligned(rows)


def _general(check: Check) -> str:
    """Return the general tasks; the models are named below the table, so that it fits 80 columns."""
    if not check.baseline:
        return f"{NO_BASELINE.capitalize()}."
    rows = [("general task", "measure", "n", "model", "baseline", "lost", "95% interval")]
    for loss in check.general:
        about = (loss.model.task, loss.model.measure.removeprefix("accuracy, "), str(loss.lost.n))
        rows.append((*about, shown(loss.model.value), shown(loss.baseline.value), *_figure(loss.lost)[:2]))
    if check.general_loss is not None:
        model, baseline = (fmean(getattr(loss, side).value for loss in check.general) for side in ("model", "baseline"))
        mean = check.general_loss
        rows.append(("mean", "", str(mean.n), shown(model), shown(baseline), *_figure(mean)[:2]))
    return f"{_aligned(rows)}\nmodel: {check.model}, baseline: {check.baseline}"


def _figure(result: Result) -> tuple[str, str, str]:
    interval = "" if isnan(result.low) else f"{shown(result.low)} – {shown(result.high)}"
    return shown(result.value), interval, str(result.n)


def _aligned(rows: Sequence[Cells]) -> str:
    """Return columns as wide as their widest cell; the first row is the header."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join((lines[0], "  ".join("─" * width for width in widths).rstrip(), *lines[1:]))
