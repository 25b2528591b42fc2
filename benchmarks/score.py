"""What the metric costs: scoring pairs with litotes-score, against encoding both sides with its base of as many layers.

python benchmarks/score.py [--pairs 300] [--rounds 5]

Pairs of `written:graded`, on the CPU, in turns; the ratio is of the best rounds, in pairs a second: above 1 the metric
is quicker. `metric` is the model alone, `whole` is litotes.Metric with its checks and windows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def pairs_of(count: int) -> tuple[list[str], list[str]]:
    from litotes.train.sets import read_sets

    (graded,) = read_sets(["written:graded"])
    chosen = graded.examples[:: max(1, len(graded.examples) // count)][:count]
    return [one.query for one in chosen], [one.positive for one in chosen]


def main() -> None:
    import litotes
    from litotes.models.scorer import load_scorer
    from litotes.query import load

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=300)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    references, candidates = pairs_of(given.pairs)
    base, scorer = load("minilm", device="cpu"), load_scorer(device="cpu")
    metric = litotes.Metric("litotes-score", device="cpu")
    works: dict[str, Callable[[], Any]] = {
        "both sides": lambda: base.encode([*references, *candidates]),
        "metric": lambda: scorer.score(references, candidates),
        "whole": lambda: metric.score(references, candidates),
    }
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(given.rounds + 1):
        for name, work in works.items():
            taken[name].append(seconds(work))
    best = {name: min(times[1:]) for name, times in taken.items()}
    ratios = {name: best["both sides"] / best[name] for name in ("metric", "whole")}
    shown = {"seconds": {k: round(v, 3) for k, v in best.items()}, "ratio": {k: round(v, 2) for k, v in ratios.items()}}
    print(json.dumps({"pairs": len(references), **shown}))


if __name__ == "__main__":
    main()
