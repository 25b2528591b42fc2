"""Draw NevIR accuracy against parameters, ours beside published models:

litotes bench cross:litotes-rerank cross:litotes-rerank-mini --suite nevir --half report --out RESULTS
python scripts/rerank_figure.py RESULTS/results.json --figure docs/figures/nevir_parameters.png
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """A model: its parameters in millions, and its pairwise accuracy on NevIR."""

    name: str
    millions: float
    accuracy: float
    reads_pairs: bool
    """whether it reads the query and the document together"""
    ours: bool = False
    interval: tuple[float, float] | None = None
    """a 95% interval, for our models; published figures come without one"""


PUBLISHED = (
    Point("MonoT5-small", 60, 27.7, True),
    Point("MonoT5-base", 220, 34.9, True),
    Point("MonoT5-large", 770, 45.8, True),
    Point("MonoT5-3B", 3_000, 50.6, True),
    Point("bge-reranker-v2-m3", 568, 43.5, True),
    Point("jina-reranker-v2", 278, 65.2, True),
    Point("Rank1-32B", 32_000, 70.1, True),
    Point("HedgeMPNet", 110, 40.6, False),
    Point("GritLM-7B", 7_000, 39.0, False),
)
"""From the papers and from published tables; models whose size is not public are left out."""
BELOW = ("bge-reranker-v2-m3", "jina-reranker-v2")
"""Names that are written below their mark, where another one would cover them."""
OURS = {"litotes-rerank": 110.0, "litotes-rerank-mini": 22.0, "litotes-mini": 22.0}
"""Our models, with the parameters of their bases in millions."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("results", type=Path)
    options.add_argument("--figure", type=Path, required=True)
    arguments = options.parse_args()
    points = [*PUBLISHED, *own_points(json.loads(arguments.results.read_text(encoding="utf-8")))]
    for point in sorted(points, key=lambda point: point.millions):
        print(f"{point.name}\t{point.millions:g}M\t{point.accuracy:.1f}")
    draw(points, arguments.figure)


def own_points(results: list[dict[str, Any]]) -> list[Point]:
    """Return our models among the results."""
    found = []
    for row in results:
        family, _, name = row["model"].partition(":")
        if row["task"] == "nevir" and row["slice"] == "all" and row["measure"] == "pairwise accuracy" and name in OURS:
            values = {"accuracy": row["value"], "interval": (row["low"], row["high"])}
            found.append(Point(name, OURS[name], reads_pairs=family == "cross", ours=True, **values))
    return found


def draw(points: list[Point], figure: Path) -> None:
    """Draw one mark per model: a circle if it reads pairs, a square if it encodes each text by itself."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
    for point in points:
        colour = "#c0392b" if point.ours else "#7f8c8d"
        axes.plot(point.millions, point.accuracy, marker="o" if point.reads_pairs else "s", color=colour, markersize=7)
        if point.interval:
            axes.plot([point.millions] * 2, point.interval, color=colour, linewidth=1)
        axes.annotate(
            point.name,
            (point.millions, point.accuracy),
            xytext=(7, -13 if point.name in BELOW else 4),
            textcoords="offset points",
            fontsize=9,
            color=colour,
            fontweight="bold" if point.ours else "normal",
        )
    axes.plot([], [], "o", color="#7f8c8d", label="reads query and document together")
    axes.plot([], [], "s", color="#7f8c8d", label="encodes each by itself")
    axes.legend(loc="upper center", frameon=False, fontsize=9)
    axes.axhline(25, color="#bdc3c7", linewidth=1, linestyle="--")
    axes.text(33_000, 25.8, "chance", fontsize=8, color="#7f8c8d", ha="right")
    axes.set(xscale="log", xlim=(15, 120_000), ylim=(20, 85))
    axes.set_xticks([20, 100, 1_000, 10_000], ["20M", "100M", "1B", "10B"])
    axes.minorticks_off()
    axes.set_xlabel("parameters")
    axes.set_ylabel("NevIR, pairwise accuracy")
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    drawn.savefig(figure, dpi=150)


if __name__ == "__main__":
    main()
