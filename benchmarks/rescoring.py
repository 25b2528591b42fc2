"""Measure `rescore` beside the exclusion operator: python -m benchmarks.rescoring [--model litotes-mini]

For the queries of general-mini that exclude something: nDCG@10, `mentions` (the share of relevant passages that merely
mention what is excluded, among the first ten) and `traps` (the share of passages about it), with every passage
rescored, by half. For queries with 20 names of products, songs, books or dishes each: how often something excluded, and
something relevant, comes first. The 72 queries of short_documents.jsonl were in view when the constants of `rescore`
were chosen. The 70 of short_documents_test.jsonl were written afterwards, by a hand that had seen neither the code nor
the data.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.exclusion import DEPTH
from litotes.data.marked_queries import marked_query

SHORT = {"short": "short_documents.jsonl", "short, test": "short_documents_test.jsonl"}
Scores = Callable[[str, np.ndarray, list[str]], np.ndarray]


def ranking(scores: Scores, model: Any) -> dict[str, dict[str, float]]:
    """Return the measures of the queries of general-mini, by half."""
    from litotes.data.benchmarks.general_mini import general_exclusions, general_retrieval
    from litotes.data.halves import half_of
    from litotes.evaluation.measures import ndcg

    passages = general_retrieval().passages
    texts, names = [passage.text for passage in passages], [passage.id for passage in passages]
    stored = model.encode_document(texts)
    found: dict[str, dict[str, list[float]]] = {}
    for item in general_exclusions():
        order = np.argsort(-scores(item.text, stored, texts), kind="stable")
        first = [names[at] for at in order[:DEPTH]]
        row = found.setdefault(half_of(item.id), {"nDCG@10": [], "mentions": [], "traps": []})
        row["nDCG@10"].append(ndcg(first, {judged.passage: judged.grade for judged in item.judgements}, DEPTH))
        row["mentions"] += [name in first for name in item.mentions]
        row["traps"] += [name in first for name in item.traps]
    return {half: {name: _percent(values) for name, values in row.items()} for half, row in sorted(found.items())}


def short_documents(scores: Scores, model: Any, path: Path) -> dict[str, float]:
    """Return how often something excluded, and something relevant, comes first."""
    excluded, relevant = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        first = int(scores(marked_query(row["query"]).text, model.encode_document(row["items"]), row["items"]).argmax())
        excluded.append(first in row["excluded"])
        relevant.append(first in row["relevant"])
    return {"excluded first": _percent(excluded), "relevant first": _percent(relevant), "queries": len(excluded)}


def _percent(values: list[float] | list[bool]) -> float:
    return round(100 * float(np.mean(values)), 1)


def main() -> None:
    from litotes.query import load, rescore

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="litotes-mini")
    model = load(parser.parse_args().model, device="cpu")
    ways: dict[str, Scores] = {
        "query as it is": lambda query, stored, _: stored @ model.encode_query(query, exclude=False),
        "operator": lambda query, stored, _: stored @ model.encode_query(query),
        "rescore": partial(rescore, model=model),
    }
    for name, scores in ways.items():
        short = {name: short_documents(scores, model, Path(__file__).parent / file) for name, file in SHORT.items()}
        print(json.dumps({"scores": name, **ranking(scores, model), **short}), flush=True)


if __name__ == "__main__":
    main()
