"""Measure rerankers on the halves of the development files, in steps that can run on different machines.

    python -m scripts.rerank_select collect --data DIR --out PAIRS
    python -m scripts.rerank_select score PAIRS MODEL --out LOGITS.npz
    python -m scripts.rerank_select measure PAIRS LOGITS.npz --half select
    python -m scripts.rerank_select fit PAIRS LOGITS.npz MODEL --weight 0.3

The first step encodes with each first stage. It and the second step need a GPU to be fast.
PAIRS gets pairs.json.gz, with every pair of texts once, and tasks.json, with what to compare. Settings are chosen on
the half *select*; `litotes bench` measures a released model. The last step fits the calibration on *select*, and
writes it with the chosen weight into the model's card; it prints how far the probabilities are off on *report*.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.data import beir
from litotes.data.benchmarks import cue_traps, excluir, general_mini, nevir, taxonomy
from litotes.data.halves import half_of
from litotes.data.items import Retrieval
from litotes.errors import LitotesError
from litotes.evaluation.measures import ndcg
from litotes.models import load
from litotes.query.first_stage import combine
from litotes.query.splitting import splitter
from litotes.stats import interval, mean
from litotes.types import Contrast

STAGES = ("dense:minilm", "dense:litotes-mini", "dense:mpnet", "bm25")
DEPTH = 50
WEIGHTS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
SHARES = (0.0, 0.3, 0.5, 0.7, 1.0)
"""Shares of the logit of the excluded part that are subtracted."""


class Pairs:
    """Distinct pairs of texts, numbered in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.pairs: dict[tuple[int, int], int] = {}

    def number(self, first: str, second: str) -> int:
        """Return the number of a pair."""
        key = tuple(self.texts.setdefault(text, len(self.texts)) for text in (first, second))
        return self.pairs.setdefault((key[0], key[1]), len(self.pairs))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect")
    collecting.add_argument("--data", type=Path, required=True)
    collecting.add_argument("--out", type=Path, required=True)
    collecting.add_argument("--stage", action="append", help="a first stage; the default is all four")
    scoring = commands.add_parser("score")
    measuring = commands.add_parser("measure")
    fitting = commands.add_parser("fit")
    for command in (scoring, measuring, fitting):
        command.add_argument("pairs", type=Path)
    scoring.add_argument("model", help="the folder of a pair model")
    scoring.add_argument("--out", type=Path, required=True)
    measuring.add_argument("logits", type=Path)
    fitting.add_argument("logits", type=Path)
    fitting.add_argument("model", type=Path, help="the folder of the pair model")
    fitting.add_argument("--weight", type=float, required=True)
    measuring.add_argument("--half", choices=("select", "report"), default="select")
    options = parser.parse_args()
    try:
        if options.command == "collect":
            collect(options.data, options.out, options.stage or STAGES)
        elif options.command == "score":
            score(options.pairs, options.model, options.out)
        elif options.command == "fit":
            fit(options.pairs, options.logits, options.model, options.weight)
        else:
            for name, values in measure(options.pairs, options.logits, options.half):
                low, high = interval(mean(values), len(values))
                print(f"{name}\t{100 * np.mean(values):.1f}\t{100 * low:.1f} to {100 * high:.1f}\t{len(values)} items")
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def collect(data: Path, out: Path, stages: Sequence[str]) -> None:
    """Write the pairs of every task, and the scores of each first stage."""
    split = splitter()
    pairs, tasks = Pairs(), {}
    contrasts = {
        "nevir": nevir.load(data / "nevir"),
        "taxonomy dev": taxonomy.taxonomy_benchmark("dev"),
        "taxonomy test": taxonomy.taxonomy_benchmark("test"),
    }
    for name, items in contrasts.items():
        tasks[name] = [{"half": half_of(item.id), "pairs": contrast_pairs(item, pairs)} for item in items]
    tasks["cue traps"] = [
        {"half": half_of(item.id), "pairs": [pairs.number(a, b) for a, same, trap in item.traps for b in (same, trap)]}
        for item in cue_traps.cue_traps()
    ]
    tasks["excluir"] = []
    excluding = excluir.load(data / "excluir")
    for item, parts in zip(excluding, split([item.q1 for item in excluding]), strict=True):
        queries = [item.q1, parts.kept, *parts.excluded]
        numbers = [[pairs.number(query, text) for text in (item.doc1, item.doc2)] for query in queries]
        tasks["excluir"].append({"half": half_of(item.id), "pairs": numbers})
    collections = {
        "general-mini": general_mini.general_retrieval(),
        "cranfield": beir.load(data / "cranfield"),
        "scifact": beir.load(data / "scifact", "dev"),
    }
    for name, collection in collections.items():
        print(f"{name} …", flush=True)
        tasks[name] = searched(collection, stages, pairs)
    out.mkdir(parents=True, exist_ok=True)
    with gzip.open(out / "pairs.json.gz", "wt", encoding="utf-8") as stream:
        json.dump({"texts": list(pairs.texts), "pairs": list(pairs.pairs)}, stream)
    (out / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")


def contrast_pairs(item: Contrast, pairs: Pairs) -> list[int]:
    """Return the pairs of a contrast: each query with its own document and with the other one."""
    first = [pairs.number(item.q1, item.doc1), pairs.number(item.q1, item.doc2)]
    return first if item.q2 is None else [*first, pairs.number(item.q2, item.doc2), pairs.number(item.q2, item.doc1)]


def searched(collection: Retrieval, stages: Sequence[str], pairs: Pairs) -> list[dict[str, Any]]:
    """Return the first documents of each query by each first stage, with their scores."""
    grades: dict[str, dict[str, float]] = {}
    for judgement in collection.judgements:
        grades.setdefault(judgement.query, {})[judgement.passage] = judgement.grade
    queries = [query for query in collection.queries if query.id in grades]
    # trec_eval ranks the later id first if scores are equal
    passages = sorted(collection.passages, key=lambda passage: passage.id, reverse=True)
    rows: list[dict[str, Any]] = [
        {"half": half_of(query.id), "grades": grades[query.id], "stages": {}} for query in queries
    ]
    for stage in stages:
        model: Any = load(stage)
        texts, documents = [query.text for query in queries], [passage.text for passage in passages]
        if hasattr(model, "matrix"):
            scores = np.asarray(model.matrix(texts, documents))
        else:
            scores = model.encode(texts, role="query") @ model.encode(documents, role="document").T
        for row, query, values in zip(rows, queries, scores, strict=True):
            first = np.argsort(-values, kind="stable")[:DEPTH]
            row["stages"][stage] = {
                "documents": [passages[at].id for at in first],
                "scores": [float(values[at]) for at in first],
                "pairs": [pairs.number(query.text, passages[at].text) for at in first],
            }
    return rows


def score(folder: Path, model: str, out: Path) -> None:
    """Write the logit of every pair."""
    from litotes.models.pair.build import load_pair_scorer
    from litotes.models.pair.heads import RELEVANCE

    with gzip.open(folder / "pairs.json.gz", "rt", encoding="utf-8") as stream:
        content = json.load(stream)
    texts, pairs = content["texts"], content["pairs"]
    scorer = load_pair_scorer(model)
    logits = scorer.logits([texts[a] for a, _ in pairs], [texts[b] for _, b in pairs], head=RELEVANCE)
    np.savez_compressed(out, logits=logits.astype(np.float32))


def measure(folder: Path, file: Path, half: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the values of a model on the items of one half of every task."""
    logits = np.load(file)["logits"]
    content = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    tasks = {name: [row for row in rows if row["half"] == half] for name, rows in content.items()}
    for name in ("nevir", "taxonomy dev", "taxonomy test"):
        margins = [logits[row["pairs"][::2]] - logits[row["pairs"][1::2]] for row in tasks[name]]
        yield f"{name}, pairwise accuracy", [float((margin > 0).all()) for margin in margins]
    traps = [logits[row["pairs"][::2]] > logits[row["pairs"][1::2]] for row in tasks["cue traps"]]
    yield "cue traps, accuracy", [float(np.mean(trap)) for trap in traps]
    yield "excluir, right rank", [float(_excluded(row, logits, None)) for row in tasks["excluir"]]
    for share in SHARES:
        right = [float(_excluded(row, logits, share)) for row in tasks["excluir"]]
        yield f"excluir, right rank with the operator, share {share}", right
    for name in ("general-mini", "cranfield", "scifact"):
        for stage in tasks[name][0]["stages"]:
            before = _retrieved(tasks[name], stage, logits, 0.0)
            yield f"{name} after {stage}, nDCG@10", before
            for weight in WEIGHTS:
                after = _retrieved(tasks[name], stage, logits, weight)
                changes = [new - old for old, new in zip(before, after, strict=True)]
                yield f"{name} after {stage}, change with weight {weight}", changes


def fit(folder: Path, file: Path, model: Path, weight: float) -> None:
    """Fit the calibration on *select* and write it into the model's card, with the weight."""
    from sklearn.linear_model import LogisticRegression

    from litotes.models.pair.card import CARD

    logits = np.load(file)["logits"]
    content = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    values, right, weights = _labelled(content, logits, "select")
    regression = LogisticRegression(C=1e6).fit(values[:, None], right, sample_weight=weights)
    fitted = {"slope": round(float(regression.coef_[0, 0]), 4), "offset": round(float(regression.intercept_[0]), 4)}
    card = json.loads((model / CARD).read_text(encoding="utf-8"))
    card["reranking"] = {"weight": weight, "calibration": fitted}
    (model / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    values, right, weights = _labelled(content, logits, "report")
    probabilities = 1 / (1 + np.exp(-(fitted["slope"] * values + fitted["offset"])))
    bins = np.minimum((10 * probabilities).astype(int), 9)
    error = 0.0
    for number in range(10):
        inside = bins == number
        if inside.any():
            share = weights[inside].sum() / weights.sum()
            stated = np.average(probabilities[inside], weights=weights[inside])
            error += share * abs(stated - np.average(right[inside], weights=weights[inside]))
    print(f"{json.dumps(fitted)}; expected calibration error on report {100 * error:.1f}%")


def _labelled(content: Mapping[str, Any], logits: np.ndarray, half: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return logits, whether each is of a right document, and weights: each task counts the same.

    The right and the wrong documents of contrasts, and the first ten documents of MiniLM in retrieval.
    """
    values, right, weights = [], [], []
    for name in ("nevir", "taxonomy dev", "general-mini", "scifact"):
        rows = [row for row in content[name] if row["half"] == half]
        pairs = []
        for row in rows:
            if "stages" in row:
                found = row["stages"]["dense:minilm"]
                graded = zip(found["pairs"][:10], found["documents"][:10], strict=True)
                pairs += [(pair, row["grades"].get(document, 0) > 0) for pair, document in graded]
            else:
                pairs += [(pair, place % 2 == 0) for place, pair in enumerate(row["pairs"])]
        values += [logits[pair] for pair, _ in pairs]
        right += [label for _, label in pairs]
        weights += [1 / len(pairs)] * len(pairs)
    return np.array(values, dtype=np.float64), np.array(right, dtype=float), np.array(weights) * 1000


def _excluded(row: Mapping[str, Any], logits: np.ndarray, share: float | None) -> bool:
    """Return whether the right document scores higher: by the whole query, or by its parts."""
    whole, kept, *excluded = (logits[numbers] for numbers in row["pairs"])
    scores = whole if share is None or not excluded else kept - share * np.mean(excluded, axis=0)
    return bool(scores[0] > scores[1])


def _retrieved(rows: Sequence[Mapping[str, Any]], stage: str, logits: np.ndarray, weight: float) -> list[float]:
    """Return nDCG@10 of each query after a first stage has been reranked; a weight of 0 leaves it as it is."""
    gains = []
    for row in rows:
        found = row["stages"][stage]
        order = np.argsort(-combine(np.array(found["scores"]), logits[found["pairs"]], weight=weight), kind="stable")
        gains.append(ndcg([found["documents"][at] for at in order], row["grades"], 10))
    return gains


if __name__ == "__main__":
    raise SystemExit(main())
