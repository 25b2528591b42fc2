"""What the tower costs: encoding with litotes-mini against encoding with its base, and reranking against both.

python benchmarks/encode.py [--texts 200] [--rounds 5]

Passages and queries of general-mini, on the CPU, in turns; the ratios are of the best rounds. `encode` is litotes-mini
over all-MiniLM-L6-v2; `rerank` is `litotes.rerank` of 100 passages over encoding them once with litotes-mini.
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


def main() -> None:
    from litotes.data.general import general_retrieval
    from litotes.query import load, rerank

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    collection = general_retrieval()
    passages = [one.text for one in collection.passages][: given.texts]
    queries = [one.text for one in collection.queries][: given.texts]
    base, mini = load("minilm", device="cpu"), load("litotes-mini", device="cpu")
    few, query = passages[:100], queries[0]
    works: dict[str, Callable[[], Any]] = {
        "base passages": lambda: base.encode(passages),
        "mini passages": lambda: mini.encode(passages),
        "base queries": lambda: base.encode(queries),
        "mini queries": lambda: mini.encode(queries),
        "mini 100": lambda: mini.encode(few),
        "rerank 100": lambda: rerank(query, few, model=mini),
    }
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(given.rounds + 1):
        for name, work in works.items():
            taken[name].append(seconds(work))
    best = {name: min(times[1:]) for name, times in taken.items()}
    ratios = {
        "encode passages": best["mini passages"] / best["base passages"],
        "encode queries": best["mini queries"] / best["base queries"],
        "rerank": best["rerank 100"] / best["mini 100"],
    }
    print(
        json.dumps(
            {"seconds": {k: round(v, 3) for k, v in best.items()}, "ratio": {k: round(v, 2) for k, v in ratios.items()}}
        )
    )


if __name__ == "__main__":
    main()
