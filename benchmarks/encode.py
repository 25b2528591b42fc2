"""Measure the cost of the tower: the time of encoding with litotes-mini relative to its base, and of reranking.

python benchmarks/encode.py [--model litotes-mini] [--texts 200] [--rounds 5]

The texts are passages and queries of general-mini, encoded on the CPU. The ratios compare the best rounds: `encode` is
the model relative to its base, `block` is its polarity block alone relative to the same, and `rerank` is
`litotes.rerank` of 100 passages relative to encoding them once with the model. The model can also be litotes-base.
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


def main() -> None:
    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.models import polarity
    from litotes.models.bases import BASE, MINI
    from litotes.query import load, rerank

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=(MINI, BASE), default=MINI)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    collection = general_retrieval()
    passages = [passage.text for passage in collection.passages][: arguments.texts]
    queries = [query.text for query in collection.queries][: arguments.texts]
    name = arguments.model
    base, tower = load("minilm" if name == MINI else "mpnet", device="cpu"), load(name, device="cpu")
    block = polarity(name, device="cpu")
    first_100, query = passages[:100], queries[0]
    tasks: dict[str, Callable[[], Any]] = {
        "base passages": lambda: base.encode(passages),
        "tower passages": lambda: tower.encode(passages),
        "block passages": lambda: block.encode(passages),
        "base queries": lambda: base.encode(queries),
        "tower queries": lambda: tower.encode(queries),
        "block queries": lambda: block.encode(queries),
        "tower 100": lambda: tower.encode(first_100),
        "rerank 100": lambda: rerank(query, first_100, model=tower),
    }
    timings: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(arguments.rounds + 1):
        for name, task in tasks.items():
            timings[name].append(seconds(task))
    best = {name: min(times[1:]) for name, times in timings.items()}
    ratios = {
        "encode passages": best["tower passages"] / best["base passages"],
        "encode queries": best["tower queries"] / best["base queries"],
        "block passages": best["block passages"] / best["base passages"],
        "block queries": best["block queries"] / best["base queries"],
        "rerank": best["rerank 100"] / best["tower 100"],
    }
    print(
        json.dumps(
            {"seconds": {k: round(v, 3) for k, v in best.items()}, "ratio": {k: round(v, 2) for k, v in ratios.items()}}
        )
    )


if __name__ == "__main__":
    main()
