"""Draw what the dial gains and costs beside several encoders:

litotes dial fit mpnet --out mpnet.json
python -m scripts.beside_bases fit granite --wheels WHEELS --out granite.json
python scripts/dial_figure.py mpnet.json granite.json --figure docs/figures/dial_curves.png
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

NEGATION = "taxonomy"
NAMES = {
    "minilm": "all-MiniLM-L6-v2",
    "mpnet": "all-mpnet-base-v2",
    "l3": "paraphrase-MiniLM-L3-v2",
    "granite": "granite-embedding-30m",
    "use": "Universal Sentence Encoder",
    "wordllama": "wordllama",
}
COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#566573")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("fits", type=Path, nargs="+")
    options.add_argument("--figure", type=Path, required=True)
    arguments = options.parse_args()
    fits = [json.loads(file.read_text(encoding="utf-8")) for file in arguments.fits]
    for fit in fits:
        print(f"{fit['encoder']}\tby spread {fit['by_spread']:g}\tby general-mini {fit['by_tasks']:g}")
    draw(fits, arguments.figure)


def general(scores: dict[str, float]) -> float:
    """Return the mean over the tasks of general-mini."""
    values = [value for task, value in scores.items() if task != NEGATION]
    return sum(values) / len(values)


def draw(fits: list[dict[str, Any]], figure: Path) -> None:
    """Draw two panels, negation and general ability, with one line per encoder and a mark at its fitted dial."""
    import matplotlib
    import numpy

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn, (left, right) = pyplot.subplots(1, 2, figsize=(9.5, 4), constrained_layout=True)
    for fit, colour in zip(fits, COLOURS, strict=False):
        dials = [point["dial"] for point in fit["curve"]]
        negation = [point["scores"][NEGATION] for point in fit["curve"]]
        ordinary = [general(point["scores"]) for point in fit["curve"]]
        change = [value - ordinary[0] for value in ordinary]
        name = NAMES.get(fit["encoder"], fit["encoder"])
        for axes, values in ((left, negation), (right, change)):
            axes.plot(dials, values, color=colour, label=name, linewidth=1.6)
            axes.plot(fit["by_spread"], numpy.interp(fit["by_spread"], dials, values), "o", color=colour, markersize=6)
    left.set_ylabel("our kinds of negation, pairwise accuracy")
    right.set_ylabel("general-mini, change of the mean in points")
    right.axhline(0, color="#bdc3c7", linewidth=1, linestyle="--")
    left.legend(frameon=False, fontsize=8, loc="lower right")
    for axes in (left, right):
        axes.set_xlabel("dial")
        axes.set_xlim(0, 0.5)
        for edge in ("top", "right"):
            axes.spines[edge].set_visible(False)
    drawn.savefig(figure, dpi=150)


if __name__ == "__main__":
    main()
