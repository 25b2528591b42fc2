"""The bench's dense path against plain `SentenceTransformer.encode`, and what a whole run needs of memory.

python benchmarks/bench.py --data DIR                 the same texts, five times each, in turns; the negation suite
python benchmarks/bench.py --data DIR --memory        a whole run over negation and general ability, in one process

Plain encoding takes each task's texts as they come, which is what a script of one's own would do. Ours is what
`litotes bench` does with them: an adapter, each text once whatever task asks for it, vectors kept as they come.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

ROUNDS = 5
TEXTS = 1500


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


def speed(folder: Path, rounds: int) -> dict[str, Any]:
    """On distinct texts, where nothing is to be saved, and over the suite, whose texts repeat."""
    suite = [some for task in tasks(folder, ["negation"]) for some in task.texts().items()]
    every = [text for _, some in suite for text in some]
    distinct = list(dict.fromkeys(every))
    step = max(1, len(distinct) // TEXTS)
    return {
        "distinct texts": len(distinct[::step]),
        "plain / ours, distinct texts": round(ratio([("", distinct[::step])], rounds), 3),
        "texts of the negation suite": len(every),
        "of them distinct": len(distinct),
        "plain / ours, negation suite": round(ratio(suite, 1), 3),
    }


def memory(folder: Path) -> dict[str, Any]:
    """A whole run, and the most memory this process ever had."""
    from litotes.bench import bench
    from litotes.models import load

    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        found = bench([load("dense:minilm")], tasks(folder, ["negation", "general"]), Path(out))
    headlines = {(one.task, one.measure): round(one.value, 2) for one in reversed(found) if one.slice == "all"}
    return {
        "minutes": round((time.perf_counter() - start) / 60, 1),
        "peak MB": round(getrusage(RUSAGE_SELF).ru_maxrss / 1024),
        "figures": {" ".join(name): value for name, value in reversed(headlines.items())},
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--memory", action="store_true", help="a whole run in one process, and its memory")
    options.add_argument("--rounds", type=int, default=ROUNDS)
    given = options.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    print(json.dumps(memory(given.data) if given.memory else speed(given.data, given.rounds), indent=1))


if __name__ == "__main__":
    main()
