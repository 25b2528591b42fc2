"""Measure what splitting queries costs and what it does to ordinary ones.

python benchmarks/splitting.py [--splitter linear] [--rounds 5]            # time, relative to encoding without it
python benchmarks/splitting.py --data DIR [--splitter linear] [--show]     # ordinary questions that are split

Without DIR, the time of `encode_query` is compared with and without exclusion, on queries of general-mini that exclude
nothing, one at a time and 64 at a time. With DIR, all questions of SQuAD, the queries of Cranfield and SciFact, the
messages of Banking77 and the queries of general-mini are split, apart from those of general-mini that are written to
exclude something. For questions of SQuAD that are split, the rank of their passage is compared with and without the
split. --show prints them, so that true exclusions can be counted by reading.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

BATCHES = (1, 64)
QUERIES = 256


def seconds(task: Callable[[], Any]) -> float:
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def ordinary(data: Path) -> dict[str, list[str]]:
    """Return the ordinary texts by data set."""
    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.workflows.benchmarking import named_tasks

    texts = {"squad": [question for question, _ in squad(data)], "banking77": []}
    for name in ("train.csv", "test.csv"):
        if (data / "banking77" / name).is_file():
            with (data / "banking77" / name).open(encoding="utf-8", newline="") as lines:
                texts["banking77"] += [row["text"] for row in csv.DictReader(lines)]
    for name in ("cranfield", "scifact"):
        (task,), _ = named_tasks([name], data_dir=data, split="dev", half="all", skip_missing=False)
        texts[name] = task.texts()["query"]
    texts["general-mini"] = [query.text for query in general_retrieval().queries]
    return {name: list(dict.fromkeys(ones)) for name, ones in texts.items()}


def squad(data: Path) -> list[tuple[str, str]]:
    """Return the questions, each with its passage."""
    rows = map(json.loads, (data / "squad" / "passages.jsonl").read_text(encoding="utf-8").splitlines())
    return [(question["text"], row["passage"]) for row in rows for question in row["questions"]]


def harm(data: Path, name: str, *, show: bool) -> None:
    from litotes.query import load
    from litotes.query.splitting import splitter

    split = splitter(name)
    texts = ordinary(data)
    total = taken = 0
    for source, queries in texts.items():
        found = [one for one in split(queries) if one]
        total, taken = total + len(queries), taken + len(found)
        print(json.dumps({"data": source, "queries": len(queries), "split": len(found)}), flush=True)
        for one in found if show else ():
            print(f"  {one.text}\n    → {one.kept} | {', '.join(one.excluded)}")
    print(json.dumps({"data": "all", "queries": total, "split": taken, "share": round(100 * taken / total, 2)}))
    passage_of = dict(squad(data))
    passages = list(dict.fromkeys(passage_of.values()))
    asked = [one for one in split(list(passage_of)) if one]
    model = load("litotes-mini", device="cpu")
    stored = model.encode_document(passages)
    place = {passage: number for number, passage in enumerate(passages)}
    ranks = []
    for one in asked:
        scores = [
            stored @ np.asarray(row) for row in (model.encode_query(one.text, exclude=False), model.encode_query(one))
        ]
        at = place[passage_of[one.text]]
        ranks.append([int((score > score[at]).sum()) for score in scores])
    rises, falls = (sum(bool((after - before) * sign > 0) for before, after in ranks) for sign in (-1, 1))
    print(json.dumps({"SQuAD, split": len(ranks), "passage rises": rises, "passage falls": falls}))


def cost(rounds: int, name: str) -> None:
    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.query import load
    from litotes.query.splitting import splitter

    split = splitter(name)
    queries = [query.text for query in general_retrieval().queries]
    queries = [one.text for one in split(queries) if not one][:QUERIES]
    model = load("litotes-mini", device="cpu")
    for batch in BATCHES:
        lists = [queries[start : start + batch] for start in range(0, len(queries), batch)]
        best = {}
        for splits in (False, True):
            times = [seconds(partial(_encode, model, split if splits else None, lists)) for _ in range(rounds + 1)]
            best[splits] = min(times[1:])
        print(json.dumps({"batch": batch, "queries": len(queries), "ratio": round(best[True] / best[False], 3)}))


def _encode(model: Any, split: Any, lists: list[list[str]]) -> None:
    for queries in lists:
        if split:
            list(split(queries))
        model.encode_query(queries, exclude=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--splitter", default="", help="litotes-splitter (default), linear, or a folder")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.data:
        harm(arguments.data, arguments.splitter, show=arguments.show)
    else:
        cost(arguments.rounds, arguments.splitter)


if __name__ == "__main__":
    main()
