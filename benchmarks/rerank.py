"""Measure the cost of a reranker: its time relative to a plain CrossEncoder, and its memory for many candidates.

python benchmarks/rerank.py MODEL [--documents 50] [--rounds 5]

MODEL is the name or folder of a pair model. The documents are passages of general-mini, read on the CPU. The plain
CrossEncoder is the same model, saved with its base, with the library's own batches. The ratios compare the best rounds:
`rerank` is `Reranker.rank` with the scores of a first stage, and `with first stage` also computes the cosines of the
base. `memory` compares the peak memory of two processes that rerank 1,000 and 100 candidates.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from typing import Any


def seconds(task: Callable[[], Any]) -> float:
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def candidates(count: int) -> tuple[str, list[str]]:
    """Return a query and as many different documents."""
    from litotes.data.benchmarks.general_mini import general_retrieval

    collection = general_retrieval()
    passages = [passage.text for passage in collection.passages]
    copies = -(-count // len(passages))
    documents = [f"{text} ({copy})" if copy else text for copy in range(copies) for text in passages]
    return collection.queries[0].text, documents[:count]


def speed(model: str, documents: int, rounds: int) -> dict[str, Any]:
    """Return the best times of a plain CrossEncoder and of the reranker, and their ratios."""
    from sentence_transformers import CrossEncoder

    import litotes

    reranker = litotes.Reranker(model, device="cpu")
    query, texts = candidates(documents)
    scores = [1 - 0.01 * place for place in range(len(texts))]
    with tempfile.TemporaryDirectory() as folder:
        reranker.save(folder)
        plain = CrossEncoder(folder, device="cpu")
        tasks: dict[str, Callable[[], Any]] = {
            "plain": lambda: plain.rank(query, texts, show_progress_bar=False),
            "rerank": lambda: reranker.rank(query, texts, scores=scores),
            "with first stage": lambda: reranker.rank(query, texts),
        }
        timings: dict[str, list[float]] = {name: [] for name in tasks}
        for _ in range(rounds + 1):
            for name, task in tasks.items():
                timings[name].append(seconds(task))
    best = {name: min(times[1:]) for name, times in timings.items()}
    ratios = {name: best[name] / best["plain"] for name in ("rerank", "with first stage")}
    return {"seconds": {k: round(v, 3) for k, v in best.items()}, "ratio": {k: round(v, 2) for k, v in ratios.items()}}


def peak(model: str, count: int) -> int:
    """Return the peak memory of a process that reranks some candidates, in MB."""
    command = [sys.executable, __file__, model, "--peak", str(count)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def print_peak(model: str, count: int) -> None:
    """Rerank some candidates in this process and print its peak memory."""
    import litotes

    query, texts = candidates(count)
    litotes.Reranker(model, device="cpu").rank(query, texts)
    print(getrusage(RUSAGE_SELF).ru_maxrss // 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        print_peak(arguments.model, arguments.peak)
        return
    print(json.dumps(speed(arguments.model, arguments.documents, arguments.rounds)), flush=True)
    peaks = {count: peak(arguments.model, count) for count in (100, 1000)}
    print(json.dumps({"memory": {"peak MB": peaks, "ratio": round(peaks[1000] / peaks[100], 2)}}))


if __name__ == "__main__":
    main()
