"""Draw the ROC curves of tiers of the guard, and of the cosines of encoders, on the test pairs of same-answer:

python -m scripts.guard_figure rules mini base cosine:minilm cosine:mpnet --figure docs/figures/guard_roc.png
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.data.benchmarks.same_answer import MessagePair, same_answer_pairs
from litotes.guard import Guard
from litotes.models import load
from litotes.stats import auc, point

COSINE = "cosine:"
NAMES = {"minilm": "cosine, all-MiniLM-L6-v2", "mpnet": "cosine, all-mpnet-base-v2"}
COLOURS = ("#00796b", "#d9822b", "#3f51b5", "#8d8d8d", "#b0b0b0")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+", help="tiers of the guard, or cosine: and the name of an encoder")
    options.add_argument("--split", choices=("dev", "test"), default="test")
    options.add_argument("--figure", type=Path, required=True)
    arguments = options.parse_args()
    pairs = same_answer_pairs(arguments.split)
    draw({name: pair_scores(name, pairs) for name in arguments.models}, [pair.same for pair in pairs], arguments.figure)


def pair_scores(name: str, pairs: Sequence[MessagePair]) -> np.ndarray:
    """Return the score of each pair."""
    new, cached = [pair.new for pair in pairs], [pair.cached for pair in pairs]
    if not name.startswith(COSINE):
        return np.array(Guard(name, threshold=0.5, log=False, explain=False).scores(new, cached))
    encoder: Any = load(f"dense:{name.removeprefix(COSINE)}")
    left, right = (encoder.encode(texts, role="document") for texts in (new, cached))
    found: np.ndarray = (left * right).sum(axis=1)
    return found


def curve(values: np.ndarray, same: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of wrongly and of rightly accepted pairs at every threshold, the highest first."""
    thresholds = np.concatenate([[np.inf], np.unique(values)[::-1]])
    accepted = values[None, :] >= thresholds[:, None]
    return accepted[:, ~same].mean(axis=1), accepted[:, same].mean(axis=1)


def draw(found: dict[str, np.ndarray], labels: Sequence[bool], path: Path) -> None:
    """Draw the curves with their areas in the legend."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    same = np.array(labels)
    figure, axes = pyplot.subplots(figsize=(6.2, 5.4))
    for (name, values), colour in zip(found.items(), COLOURS, strict=False):
        area = 100 * point(auc(same.astype(int).tolist(), values.tolist()), len(same))
        shown = NAMES.get(name.removeprefix(COSINE), name) if name.startswith(COSINE) else f"guard, {name}"
        print(f"{shown}\t{area:.1f}")
        style = "--" if name.startswith(COSINE) else "-"
        axes.plot(*curve(values, same), style, color=colour, label=f"{shown} ({area:.1f})", linewidth=2)
    axes.plot([0, 1], [0, 1], color="#cccccc", linewidth=1)
    axes.text(0.62, 0.6, "chance", color="#999999", rotation=42, ha="left", va="top")
    axes.set_xlabel("accepted, of pairs that deserve different answers")
    axes.set_ylabel("accepted, of pairs that deserve the same answer")
    axes.set_title("Do two messages deserve the same answer? (AUC in brackets)", fontsize=11)
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
