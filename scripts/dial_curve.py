"""Draw and print scores by dial, from a benchmark run at several dials:

litotes bench dense:litotes-mini@0 dense:litotes-mini@0.1 … --suite negation,general --half report --out RESULTS
python scripts/dial_curve.py RESULTS/results.json --figure docs/figures/dial.png
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

NEGATION = {
    "nevir": "NevIR",
    "taxonomy": "taxonomy",
    "cue-traps": "cue traps",
    "excluir": "ExcluIR",
    "cannot-wmt": "CANNOT-WMT",
}
GENERAL = {"stsb": "STS-B", "sick": "SICK", "scifact": "SciFact", "cranfield": "Cranfield", "banking77": "Banking77"}
Curves = dict[str, dict[float, tuple[float, float, float]]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("results", type=Path)
    options.add_argument("--figure", type=Path)
    arguments = options.parse_args()
    curves = read(json.loads(arguments.results.read_text(encoding="utf-8")))
    print(table(curves))
    if arguments.figure:
        draw(curves, arguments.figure)


def read(results: list[dict[str, Any]]) -> Curves:
    """Return the main score of each task by dial: value, low, high."""
    curves: Curves = {}
    for row in results:
        _, sign, dial = row["model"].rpartition("@")
        if sign and row["task"] in NEGATION | GENERAL:
            curves.setdefault(row["task"], {}).setdefault(float(dial), (row["value"], row["low"], row["high"]))
    return curves


def table(curves: Curves) -> str:
    """Return a Markdown table with one row per dial."""
    tasks = [task for task in NEGATION | GENERAL if task in curves]
    dials = sorted({dial for task in tasks for dial in curves[task]})
    whole = all(task in curves for task in GENERAL)
    names = [(NEGATION | GENERAL)[task] for task in tasks] + ["general mean"] * whole
    lines = [f"| dial | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for dial in dials:
        cells = [f"{curves[task][dial][0]:.1f}" for task in tasks]
        if whole:
            cells.append(f"{sum(curves[task][dial][0] for task in GENERAL) / len(GENERAL):.1f}")
        lines.append(f"| {dial:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(curves: Curves, figure: Path) -> None:
    """Draw negation with its intervals, and the change in general ability, by dial."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), constrained_layout=True)
    for task, name in NEGATION.items():
        points = sorted(curves.get(task, {}).items())
        if points:
            dials = [dial for dial, _ in points]
            line = left.plot(dials, [value for _, (value, _, _) in points], marker="o", markersize=3, label=name)[0]
            bounds = [(low, high) for _, (_, low, high) in points if not math.isnan(low)]
            if len(bounds) == len(points):
                left.fill_between(dials, *zip(*bounds, strict=True), color=line.get_color(), alpha=0.12, linewidth=0)
    for task, name in GENERAL.items():
        points = sorted(curves.get(task, {}).items())
        if points:
            start = points[0][1][0]
            dials, lost = [dial for dial, _ in points], [value - start for _, (value, _, _) in points]
            right.plot(dials, lost, marker="o", markersize=3, label=name)
    right.axhline(0, color="grey", linewidth=0.8)
    left.set(title="Negation", xlabel="dial w", ylabel="score, with 95% intervals")
    right.set(title="General ability", xlabel="dial w", ylabel="points above or below the base")
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(figure, dpi=130)


if __name__ == "__main__":
    main()
