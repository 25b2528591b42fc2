"""Measure the exclusion operator: how an encoder ranks documents for queries that exclude something.

python benchmarks/exclusion.py --data DIR [--model dense:minilm]

For each β and each weight of the whole query: right rank on ExcluIR (DIR/excluir/dev.jsonl), and nDCG@10 on the queries
of general-mini that exclude something. Settings are chosen on the *select* half and reported on the *report* half.
`mentions` is the share of relevant passages among the first ten that merely mention what is excluded; `traps` is the
share of passages about it. The first line is without the operator.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

BETAS = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5)
WHOLE_WEIGHTS = (0.0, 0.2, 0.4)
DEPTH = 10


def right_rank(queries: np.ndarray, right: np.ndarray, wrong: np.ndarray, rows: list[int]) -> float:
    margins = np.sum(queries * (right - wrong), axis=1)[rows]
    return round(100 * float(np.mean(margins > 0)), 1)


def ranking_measures(
    queries: np.ndarray, passages: np.ndarray, names: list[str], items: Any, rows: list[int]
) -> dict[str, float]:
    from litotes.evaluation.measures import ndcg

    gains: list[float] = []
    mentions: list[float] = []
    traps: list[float] = []
    for row in rows:
        first = [names[at] for at in np.argsort(-(passages @ queries[row]), kind="stable")[:DEPTH]]
        gains.append(ndcg(first, {judged.passage: judged.grade for judged in items[row].judgements}, DEPTH))
        mentions += [name in first for name in items[row].mentions]
        traps += [name in first for name in items[row].traps]
    shares = {"nDCG@10": gains, "mentions": mentions, "traps": traps}
    return {name: round(100 * float(np.mean(values)), 1) for name, values in shares.items()}


def main() -> None:
    from litotes.data.benchmarks import excluir
    from litotes.data.benchmarks.general_mini import general_exclusions, general_retrieval
    from litotes.data.halves import half_of
    from litotes.models import load
    from litotes.query import combine_parts, split_queries
    from litotes.query.benchmark_models import rescale_parts

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="dense:minilm")
    arguments = parser.parse_args()
    model: Any = load(arguments.model)
    contrasts, items = excluir.load(arguments.data / "excluir"), general_exclusions()
    passages = general_retrieval().passages
    documents = [model.encode([row.doc1 for row in contrasts]), model.encode([row.doc2 for row in contrasts])]
    stored, names = model.encode([passage.text for passage in passages]), [passage.id for passage in passages]
    texts = ([row.q1 for row in contrasts], [item.text for item in items])
    parts = [split_queries(queries, whole=True) for queries in texts]
    vectors = [model.encode(split.texts) for split in parts]
    rescaled = [rescale_parts(model, rows) for rows in vectors]
    print(
        json.dumps(
            {
                f"{name}, queries split": sum(map(bool, split.excluded))
                for name, split in zip(("ExcluIR", "general-mini"), parts, strict=True)
            }
        )
    )
    keys = ([row.id for row in contrasts], [item.id for item in items])
    for whole, beta in ((None, 0.0), *product(WHOLE_WEIGHTS, BETAS)):
        if whole is None:
            queries = [rows[split.whole] for split, rows in zip(parts, vectors, strict=True)]
        else:
            queries = [combine_parts(*pair, beta=beta, whole=whole) for pair in zip(parts, rescaled, strict=True)]
        line: dict[str, Any] = {"whole": "only" if whole is None else whole, "beta": beta}
        for half in ("select", "report"):
            places = [[at for at, key in enumerate(ids) if half_of(key) == half] for ids in keys]
            line[half] = {"ExcluIR": right_rank(queries[0], documents[0], documents[1], places[0])}
            line[half] |= ranking_measures(queries[1], stored, names, items, places[1])
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
