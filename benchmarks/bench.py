"""The bench's dense path against plain `SentenceTransformer.encode`, and what a whole run needs of memory.

python benchmarks/bench.py --data DIR                 the same texts, five times each, in turns; the negation suite
python benchmarks/bench.py --data DIR --memory        `litotes bench` over negation and general ability, in one process

Plain encoding takes the texts as the tasks ask for them, list by list. Ours is what `litotes bench` does with them: an
adapter, each text once whatever task asks for it, vectors kept as they come.
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
    from litotes.bench import Where, suite

    return suite(list(suites), Where(data=folder))


Texts = list[tuple[str, list[str]]]
"""lists of texts as tasks have them, each with the role in which they are encoded"""


def ratio(texts: Texts, rounds: int) -> float:
    """Plain seconds over ours, the median of some rounds; who goes first changes from round to round."""
    from litotes.bench.vectors import Vectors
    from litotes.models import load
    from litotes.models.bases import BASES

    model = stock(BASES["minilm"]().folder)
    ours: Any = load("dense:minilm", max_tokens=model.max_seq_length)

    def plain() -> None:
        for _, some in texts:
            model.encode(some, batch_size=32, show_progress_bar=False, normalize_embeddings=True)

    def kept() -> None:
        vectors = Vectors(ours)
        for role in {role for role, _ in texts}:
            vectors.fill([text for found, some in texts for text in some if found == role], role)
        vectors.close()

    for encode in (model.encode, ours.encode):
        encode([text for _, some in texts for text in some[:10]])
    found = []
    for number in range(rounds):
        first, second = (plain, kept) if number % 2 else (kept, plain)
        times = {first: seconds(first), second: seconds(second)}
        found.append(times[plain] / times[kept])
    return median(found)


def stock(folder: Path) -> Any:
    """The same weights as anyone would load them."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    model.max_seq_length = 256
    return model


def asked(folder: Path, share: float) -> Texts:
    """The texts as the tasks of the negation suite ask for them, of the first items of each; lists as they come."""
    from litotes.bench import Scorer
    from litotes.models import load

    class Listening(Scorer):
        """Writes down what it is asked for, and answers with anything."""

        def vectors(self, texts: Sequence[str], role: str = "") -> np.ndarray:
            found.append((role, list(texts)))
            return np.random.default_rng(0).normal(size=(len(texts), 4))

    found: Texts = []
    scorer = Listening(load("dense:minilm"))
    for task in tasks(folder, ["negation"]):
        field = "items" if hasattr(task, "items") else "pairs"
        items = getattr(task, field)
        replace(task, **{field: items[: round(share * len(items))]}).evaluate(scorer)
    return found


def speed(folder: Path, rounds: int, share: float) -> None:
    """On distinct texts, where nothing is to be saved, and over the suite, whose texts repeat."""
    suite = asked(folder, share)
    every = [(role, text) for role, some in suite for text in some]
    distinct = list(dict.fromkeys(text for _, text in every))
    step = max(1, len(distinct) // TEXTS)
    print(json.dumps({"distinct texts": len(distinct[::step])}), flush=True)
    print(json.dumps({"plain / ours": round(ratio([("", distinct[::step])], rounds), 3)}), flush=True)
    print(json.dumps({"texts the suite asks for": len(every), "of them distinct": len(set(every))}), flush=True)
    print(json.dumps({"plain / ours": round(ratio(suite, rounds), 3)}), flush=True)


def memory(folder: Path) -> None:
    """The command itself, in this process, and the most memory the process ever had."""
    from litotes.cli.app import app

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        given = ["bench", "dense:minilm", "--suite", "negation,general", "--data", str(folder), "--out", out]
        app(given, standalone_mode=False)
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"minutes": round((time.perf_counter() - start) / 60, 1), "peak MB": round(peak)}))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--memory", action="store_true", help="a whole run in one process, and its memory")
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--share", type=float, default=1.0, help="of the items of each task, the first ones")
    given = options.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if given.memory:
        memory(given.data)
    else:
        speed(given.data, given.rounds, given.share)


if __name__ == "__main__":
    main()
