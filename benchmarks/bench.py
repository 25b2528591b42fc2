"""Compare `litotes bench` with plain `SentenceTransformer.encode`, or measure the memory of a whole run.

python benchmarks/bench.py --data DIR                 encode the negation suite five times each, alternating
python benchmarks/bench.py --data DIR --memory        run `litotes bench` on negation and general ability in one process

Plain encoding encodes the lists of texts as the tasks request them. `litotes bench` uses an adapter, encodes each text
once for all tasks, and caches the vectors.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

import numpy as np

ROUNDS = 5
TEXTS = 600


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def tasks(folder: Path, suites: Sequence[str]) -> list[Any]:
    from litotes.evaluation import DataSelection, suite

    return suite(list(suites), DataSelection(data=folder))


Texts = list[tuple[str, list[str]]]
"""Lists of texts as tasks request them, each with the role that it is encoded in."""


def ratio(texts: Texts, rounds: int) -> float:
    """Return the median of plain seconds over ours. The order alternates from round to round."""
    from litotes.evaluation.vectors import VectorCache
    from litotes.models import load
    from litotes.models.bases import BASES

    model = plain_model(BASES["minilm"]().folder)
    ours: Any = load("dense:minilm", max_tokens=model.max_seq_length)

    def plain() -> None:
        for _, batch in texts:
            model.encode(batch, batch_size=32, show_progress_bar=False, normalize_embeddings=True)

    def cached() -> None:
        vectors = VectorCache(ours)
        for wanted in {role for role, _ in texts}:
            vectors.fill([text for role, batch in texts for text in batch if role == wanted], wanted)
        vectors.close()

    for encode in (model.encode, ours.encode):
        encode([text for _, batch in texts for text in batch[:10]])
    ratios = []
    for number in range(rounds):
        first, second = (plain, cached) if number % 2 else (cached, plain)
        times = {first: seconds(first), second: seconds(second)}
        ratios.append(times[plain] / times[cached])
    return median(ratios)


def plain_model(folder: Path) -> Any:
    """Load the same weights with sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    model.max_seq_length = 256
    return model


def requested(folder: Path, share: float) -> Texts:
    """Return the lists of texts that the tasks of the negation suite request for their first items."""
    from litotes.evaluation import CachedScorer
    from litotes.models import load

    class RecordingScorer(CachedScorer):
        """A scorer that records the requested texts and returns random vectors."""

        def vectors(self, texts: Sequence[str], role: str = "") -> np.ndarray:
            requests.append((role, list(texts)))
            return np.random.default_rng(0).normal(size=(len(texts), 4))

    requests: Texts = []
    scorer = RecordingScorer(load("dense:minilm"))
    for task in tasks(folder, ["negation"]):
        field = "items" if hasattr(task, "items") else "pairs"
        items = getattr(task, field)
        replace(task, **{field: items[: round(share * len(items))]}).evaluate(scorer)
    return requests


def speed(folder: Path, rounds: int, share: float) -> None:
    """Print the ratio on distinct texts, where caching cannot help, and on the suite, whose texts repeat."""
    suite = requested(folder, share)
    all_texts = [(role, text) for role, batch in suite for text in batch]
    distinct = list(dict.fromkeys(text for _, text in all_texts))
    step = max(1, len(distinct) // TEXTS)
    print(json.dumps({"distinct texts": len(distinct[::step])}), flush=True)
    print(json.dumps({"plain / ours": round(ratio([("", distinct[::step])], rounds), 3)}), flush=True)
    print(json.dumps({"texts the suite requests": len(all_texts), "distinct": len(set(all_texts))}), flush=True)
    print(json.dumps({"plain / ours": round(ratio(suite, rounds), 3)}), flush=True)


def memory(folder: Path) -> None:
    """Run the command in this process and print its time and peak memory."""
    from litotes.cli.app import app

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        arguments = ["bench", "dense:minilm", "--suite", "negation,general", "--data", str(folder), "--out", out]
        app(arguments, standalone_mode=False)
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"minutes": round((time.perf_counter() - start) / 60, 1), "peak MB": round(peak)}))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--memory", action="store_true", help="run everything in one process and print its memory")
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--share", type=float, default=1.0, help="the share of each task's items to use")
    arguments = options.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if arguments.memory:
        memory(arguments.data)
    else:
        speed(arguments.data, arguments.rounds, arguments.share)


if __name__ == "__main__":
    main()
