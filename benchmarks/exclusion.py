"""Exclusion on the query's side: what an encoder makes of queries that leave something out, with and without it.

python benchmarks/exclusion.py --data DIR [--model dense:minilm]

For each β, and each share of the whole query beside what is kept: right rank on ExcluIR (DIR/excluir/dev.jsonl) and
nDCG@10 on our own ranking set, both by half: chosen on *select*, reported on *report*.
`mentions` is the share of the relevant passages that merely mention what is left out among the first ten, `traps` that
of the passages about it. The first line is the whole query, as anyone would encode it.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

BETAS = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5)
WHOLE = (0.0, 0.2, 0.4)
DEPTH = 10


def right_rank(queries: np.ndarray, wanted: np.ndarray, trap: np.ndarray, rows: list[int]) -> float:
    apart = np.sum(queries * (wanted - trap), axis=1)[rows]
    return round(100 * float(np.mean(apart > 0)), 1)


def ranked(
    queries: np.ndarray, passages: np.ndarray, names: list[str], items: Any, rows: list[int]
) -> dict[str, float]:
    from litotes.bench.measures import ndcg

    found: list[float] = []
    mentions: list[float] = []
    traps: list[float] = []
    for row in rows:
        first = [names[at] for at in np.argsort(-(passages @ queries[row]), kind="stable")[:DEPTH]]
        found.append(ndcg(first, {one.passage: one.grade for one in items[row].judgements}, DEPTH))
        mentions += [name in first for name in items[row].mentions]
        traps += [name in first for name in items[row].traps]
    shares = {"nDCG@10": found, "mentions": mentions, "traps": traps}
    return {name: round(100 * float(np.mean(values)), 1) for name, values in shares.items()}


def main() -> None:
    from litotes.data.general import general_exclusions, general_retrieval
    from litotes.data.sets import excluir
    from litotes.data.sets.halves import half_of
    from litotes.models import load
    from litotes.query import joined, parts_of
    from litotes.query.measuring import calmed

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--model", default="dense:minilm")
    given = options.parse_args()
    model: Any = load(given.model)
    contrasts, items = excluir.load(given.data / "excluir"), general_exclusions()
    passages = general_retrieval().passages
    documents = [model.encode([row.doc1 for row in contrasts]), model.encode([row.doc2 for row in contrasts])]
    stored, names = model.encode([one.text for one in passages]), [one.id for one in passages]
    asked = ([row.q1 for row in contrasts], [item.text for item in items])
    parts = [parts_of(queries, whole=True) for queries in asked]
    vectors = [model.encode(one.texts) for one in parts]
    calm = [calmed(model, rows) for rows in vectors]
    print(
        json.dumps(
            {
                f"{name} taken apart": sum(map(bool, one.excluded))
                for name, one in zip(("ExcluIR", "ours"), parts, strict=True)
            }
        )
    )
    keys = ([row.id for row in contrasts], [item.id for item in items])
    for whole, beta in ((None, 0.0), *product(WHOLE, BETAS)):
        if whole is None:
            queries = [rows[one.whole] for one, rows in zip(parts, vectors, strict=True)]
        else:
            queries = [joined(one, rows, beta=beta, whole=whole) for one, rows in zip(parts, calm, strict=True)]
        line: dict[str, Any] = {"whole": "only" if whole is None else whole, "beta": beta}
        for half in ("select", "report"):
            places = [[at for at, key in enumerate(some) if half_of(key) == half] for some in keys]
            line[half] = {"ExcluIR": right_rank(queries[0], documents[0], documents[1], places[0])}
            line[half] |= ranked(queries[1], stored, names, items, places[1])
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
