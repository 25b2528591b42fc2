"""Measure what quantised vectors cost: negation and retrieval, with FAISS and with Qdrant.

python -m benchmarks.quantised --data DIR --half report [--models litotes-mini,minilm] [--cache FOLDER] [--qdrant]

The documents of all tasks are one collection. A code stores it in fewer bytes and scores it with each query. NevIR and
taxonomy (our kinds of negation) are pairwise accuracy, Cranfield and SciFact nDCG@10, all × 100. Without --data, only
taxonomy and mini-retrieval (nDCG@10 on general-mini) are measured. Each figure comes with the 95% interval of its
difference from float32 on the same items. `kept` is the share of the first ten results of float32 that are still among
the first ten, and `bytes` is the size of a stored vector. `rescored` has the figures after the first 40 results were
scored again with floats. Product codes are trained several times, and their figures are means.

--qdrant measures Qdrant instead. It needs Qdrant's engine as a library: pip install qdrant-edge-py
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

SHIPPED_TASKS, DATA_TASKS = ("taxonomy", "mini-retrieval"), ("nevir", "taxonomy", "cranfield", "scifact")
FIRST = 10
DEPTH = 4 * FIRST
"""How many of the first results are scored again."""
ROLES = ("query", "document")
PRODUCT = "product, 8 columns per byte"
RANDOM = "columns per byte"
"""Codes with this in their names start from random centroids, and are trained several times."""
OPQ_ROUNDS = 10
"""How often OPQ improves its rotation. FAISS's default, 50, takes five times as long."""


@dataclass(frozen=True)
class Stored:
    """Documents in a code: the score of each query (row) with each document (column), and the bytes per document."""

    scores: np.ndarray
    size: float


Code = Callable[[np.ndarray, np.ndarray], Stored]
"""From the vectors of queries and documents to the stored documents. A code that is trained learns from them."""


@dataclass(frozen=True)
class Scores:
    """The scores of a code, as a model for the benchmark."""

    name: str
    values: np.ndarray
    rows: Mapping[str, int]
    columns: Mapping[str, int]

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same place."""
        places = [self.rows[query] for query in queries], [self.columns[document] for document in documents]
        found: np.ndarray = self.values[places]
        return found

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query (row) with each document (column)."""
        rows, columns = [self.rows[query] for query in queries], [self.columns[document] for document in documents]
        found: np.ndarray = self.values[np.ix_(rows, columns)]
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="litotes-mini,minilm")
    parser.add_argument("--data", type=Path, help="the folder of data sets, for NevIR, Cranfield and SciFact")
    parser.add_argument("--half", default="all", help="select, report or all")
    parser.add_argument("--runs", type=int, default=3, help="train product codes so many times, and print the means")
    parser.add_argument("--cache", type=Path, help="a folder for the vectors of the texts")
    parser.add_argument("--qdrant", action="store_true", help="measure Qdrant instead of FAISS")
    arguments = parser.parse_args()
    from litotes.evaluation import CachedScorer, DataSelection, suite
    from litotes.models import load

    names = DATA_TASKS if arguments.data else SHIPPED_TASKS
    tasks = suite(names, DataSelection(arguments.data, half=arguments.half))
    for name in arguments.models.split(","):
        model: Any = load(f"dense:{name}")
        block = 0 if model.shape is None else model.shape.width
        base = model.facts()["dimensions"] - block
        codes = qdrant_codes() if arguments.qdrant else faiss_codes()
        if block:
            codes[f"{PRODUCT}, 4 of the block"] = partial(spread, codes[PRODUCT], base)
        vectors = CachedScorer(model, cache=arguments.cache)
        for code, figures in measured(codes, vectors, tasks, runs=arguments.runs):
            print(json.dumps({"model": name, "code": code, **figures}), flush=True)


def measured(
    codes: Mapping[str, Code], model: Any, tasks: Sequence[Any], *, runs: int = 1
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each code, its size and its figures. `model` has the vectors of texts by their role."""
    texts = [list(dict.fromkeys(text for task in tasks for text in task.texts()[role])) for role in ROLES]
    queries, documents = (model.vectors(some, role) for some, role in zip(texts, ROLES, strict=True))
    rows, columns = ({text: at for at, text in enumerate(some)} for some in texts)
    exact = Scores("float32", queries @ documents.T, rows, columns)
    for name, code in codes.items():
        stored = [shuffled(code, queries, documents, seed) for seed in range(runs if RANDOM in name else 1)]
        scores = [replace(exact, values=one.scores) for one in stored]
        again = [replace(exact, values=rescored(one.scores, exact.values)) for one in stored]
        figures = compared(scores, exact, tasks) | {"rescored": compared(again, exact, tasks)}
        yield name, {"bytes": round(stored[0].size), **figures}


def shuffled(code: Code, queries: np.ndarray, documents: np.ndarray, seed: int) -> Stored:
    """Store the documents in another order. A product code then starts from other centroids."""
    order = np.random.default_rng(seed).permutation(len(documents))
    stored = code(queries, documents[order])
    return replace(stored, scores=stored.scores[:, np.argsort(order)])


def compared(runs: Sequence[Scores], exact: Scores, tasks: Sequence[Any]) -> dict[str, Any]:
    """Return the figure of each task, the interval of its difference from float32, and what is kept of the first."""
    from litotes.stats import mean, paired

    found: dict[str, Any] = {}
    for task in tasks:
        values = np.mean([by_item(task, scores) for scores in runs], axis=0).tolist()
        difference = paired(mean(values), mean(by_item(task, exact)), len(values))
        found[task.name] = round(100 * fmean(values), 1)
        found[f"{task.name}, difference"] = [round(100 * end, 1) for end in (difference.low, difference.high)]
    return found | {"kept": round(100 * fmean(kept(scores.values, exact.values) for scores in runs), 1)}


def by_item(task: Any, scores: Scores) -> list[float]:
    """Return the figure of each item: whether a pair is right, or the nDCG@10 of a query."""
    from litotes.evaluation import CachedScorer

    return [row.value for row in task.evaluate(CachedScorer(scores))]


def kept(scores: np.ndarray, exact: np.ndarray) -> float:
    """Return the share of the first ten documents of each query that are still among the first ten."""
    pairs = zip(first(scores, FIRST).tolist(), first(exact, FIRST).tolist(), strict=True)
    return float(np.mean([len(set(one) & set(other)) / FIRST for one, other in pairs]))


def rescored(scores: np.ndarray, exact: np.ndarray, *, depth: int = DEPTH) -> np.ndarray:
    """Return the exact scores of the first results of each query. The others follow in their own order."""
    best = first(scores, depth)
    found: np.ndarray = scores - scores.max() + exact.min() - 1
    np.put_along_axis(found, best, np.take_along_axis(exact, best, axis=1), axis=1)
    return found


def first(scores: np.ndarray, count: int) -> np.ndarray:
    """Return the columns of the highest scores in each row, in any order."""
    last = min(count, scores.shape[1]) - 1
    columns: np.ndarray = np.argpartition(-scores, last, axis=1)[:, :count]
    return columns


def faiss_codes() -> dict[str, Code]:
    """Return the codes of FAISS by name."""
    return {
        "float32": partial(in_faiss, "Flat"),
        "int8": partial(in_faiss, "SQ8"),
        "int4": partial(in_faiss, "SQ4"),
        "product, 4 columns per byte": partial(product, 4),
        PRODUCT: partial(product, 8),
        "OPQ, 8 columns per byte": partial(product, 8, rotated=True),
        "binary": binary,
        "binary, finer queries": partial(in_faiss, "RaBitQ"),
    }


def qdrant_codes() -> dict[str, Code]:
    """Return the codes of Qdrant by name."""
    import qdrant_edge as edge

    finer = edge.BinaryQuantizationQueryEncoding.Scalar8Bits
    return {
        "float32": partial(in_qdrant, None, 32),
        "int8": partial(in_qdrant, edge.ScalarQuantizationConfig(edge.ScalarType.Int8), 8),
        "product, 4 columns per byte": partial(in_qdrant, edge.ProductQuantizationConfig(edge.CompressionRatio.X16), 2),
        PRODUCT: partial(in_qdrant, edge.ProductQuantizationConfig(edge.CompressionRatio.X32), 1),
        "binary": partial(in_qdrant, edge.BinaryQuantizationConfig(), 1),
        "binary, finer queries": partial(in_qdrant, edge.BinaryQuantizationConfig(query_encoding=finer), 1),
        "rotated, 4 bits": partial(in_qdrant, edge.TurboQuantQuantizationConfig(bits=edge.TurboQuantBitSize.Bits4), 4),
        "rotated, 1 bit": partial(in_qdrant, edge.TurboQuantQuantizationConfig(bits=edge.TurboQuantBitSize.Bits1), 1),
    }


def in_faiss(name: str, queries: np.ndarray, documents: np.ndarray) -> Stored:
    """Store documents in an index of FAISS, by its name in the index factory, and search all of them."""
    import faiss

    index: Any = faiss.index_factory(documents.shape[1], name, faiss.METRIC_INNER_PRODUCT)
    if name.startswith("OPQ"):
        rotation: Any = faiss.downcast_VectorTransform(index.chain.at(0))
        rotation.niter = OPQ_ROUNDS
    index.train(documents)
    index.add(documents)
    found, places = index.search(queries, len(documents))
    scores = np.empty_like(found)
    np.put_along_axis(scores, places, found, axis=1)
    return Stored(scores, index.sa_code_size())


def product(columns: int, queries: np.ndarray, documents: np.ndarray, *, rotated: bool = False) -> Stored:
    """Store so many columns in a byte; `rotated` learns a rotation of all columns first (OPQ).

    "np" leaves out a slow step of the training that only numbers the centroids.
    """
    parts = documents.shape[1] // columns
    return in_faiss(f"OPQ{parts},PQ{parts}np" if rotated else f"PQ{parts}np", queries, documents)


def in_qdrant(quantization: Any, bits: int, queries: np.ndarray, documents: np.ndarray) -> Stored:
    """Store documents in Qdrant, in a code with so many bits per column, and search all of them, without a graph."""
    import qdrant_edge as edge

    columns = documents.shape[1]
    settings = edge.EdgeConfig(
        edge.EdgeVectorParams(columns, edge.Distance.Dot, quantization_config=quantization),
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10**9),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=1),
    )
    search = edge.SearchParams(quantization=edge.QuantizationSearchParams(rescore=False))
    scores = np.full((len(queries), len(documents)), -np.inf, dtype=np.float32)
    with TemporaryDirectory() as folder:
        shard = edge.EdgeShard.create(folder, settings)
        points = [edge.Point(at, row) for at, row in enumerate(documents.tolist())]
        shard.update(edge.UpdateOperation.upsert_points(points))
        shard.optimize()
        for row, query in zip(scores, queries.tolist(), strict=True):
            found = shard.search(edge.SearchRequest(edge.Query.Nearest(query), len(documents), params=search))
            row[[point.id for point in found]] = [point.score for point in found]
        shard.close()
    return Stored(scores, columns * bits / 8)


def binary(queries: np.ndarray, documents: np.ndarray) -> Stored:
    """Store the sign of each column. Queries are signs, too: equal bits minus unequal ones, as in IndexBinaryFlat."""
    left, right = (np.where(rows > 0, 1, -1).astype(np.float32) for rows in (queries, documents))
    return Stored(left @ right.T, documents.shape[1] / 8)


def spread(code: Code, base: int, queries: np.ndarray, documents: np.ndarray) -> Stored:
    """Put a column of zeros after each column of the block: a product code then has twice the bytes for it."""
    wide = (np.hstack([rows[:, :base], np.kron(rows[:, base:], [1, 0])]) for rows in (queries, documents))
    return code(*(rows.astype(np.float32) for rows in wide))


if __name__ == "__main__":
    main()
