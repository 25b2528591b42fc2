"""Measure the cost of the metric: the speed of litotes-score relative to encoding both texts with its base.

python benchmarks/score.py [--metric litotes-score-mini --base minilm] [--pairs 300] [--rounds 5]

The pairs are from `written:graded`, scored on the CPU. Model and base have the same number of layers. The ratios
compare the best rounds, in pairs per second: above 1, the metric is faster. `metric` is the model alone, and `whole` is
litotes.Metric with its checks and windows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any


def seconds(task: Callable[[], Any]) -> float:
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def graded_pairs(count: int) -> tuple[list[str], list[str]]:
    """Return references and candidates."""
    from litotes.training.sets import read_sets

    (graded,) = read_sets(["written:graded"])
    chosen = graded.examples[:: max(1, len(graded.examples) // count)][:count]
    return [example.query for example in chosen], [example.positive for example in chosen]


def main() -> None:
    import litotes
    from litotes.models.pair.metric import load_metric
    from litotes.query import load

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metric", default="litotes-score")
    parser.add_argument("--base", default="mpnet")
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    references, candidates = graded_pairs(arguments.pairs)
    base, scorer = load(arguments.base, device="cpu"), load_metric(arguments.metric, device="cpu")
    metric = litotes.Metric(arguments.metric, device="cpu")
    tasks: dict[str, Callable[[], Any]] = {
        "both sides": lambda: base.encode([*references, *candidates]),
        "metric": lambda: scorer.score(candidates, references),
        "whole": lambda: metric.score(candidates, references),
    }
    timings: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(arguments.rounds + 1):
        for name, task in tasks.items():
            timings[name].append(seconds(task))
    best = {name: min(times[1:]) for name, times in timings.items()}
    ratios = {name: best["both sides"] / best[name] for name in ("metric", "whole")}
    shown = {"seconds": {k: round(v, 3) for k, v in best.items()}, "ratio": {k: round(v, 2) for k, v in ratios.items()}}
    print(json.dumps({"pairs": len(references), **shown}))


if __name__ == "__main__":
    main()
