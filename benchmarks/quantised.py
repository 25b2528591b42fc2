"""Measure what quantised vectors cost: negation and retrieval with litotes-mini, for several codes of FAISS.

python benchmarks/quantised.py [--model litotes-mini]

Documents are encoded, quantised and decoded again; queries stay floats. `negation` is the pairwise accuracy on our
kinds of negation (taxonomy, dev), `retrieval` is nDCG@10 on general-mini, both × 100. `bytes` is the size of a vector.
A code with "block in int8" quantises only the base's columns that way, and the 128 columns of the block in eight bits.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import numpy as np

Code = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, float]]
"""from the vectors to train on and the vectors to quantise to decoded vectors and the bytes per vector"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="litotes-mini")
    arguments = parser.parse_args()
    from litotes.evaluation import DataSelection, build
    from litotes.query import load

    model = load(arguments.model, device="cpu")
    tasks = {"negation": build("taxonomy", DataSelection()), "retrieval": build("mini-retrieval", DataSelection())}
    texts: dict[str, dict[str, None]] = {"query": {}, "document": {}}
    for task in tasks.values():
        for role, found in task.texts().items():
            texts["query" if role == "query" else "document"] |= dict.fromkeys(found)
    queries, documents = list(texts["query"]), list(texts["document"])
    rows = {"query": model.encode_query(queries, exclude=False), "document": model.encode_document(documents)}
    for name, code in codes(384).items():
        decoded, size = code(rows["document"], rows["document"])
        known = {("query", text): row for text, row in zip(queries, rows["query"], strict=True)}
        known |= {("document", text): row for text, row in zip(documents, decoded, strict=True)}
        figures = {what: round(measured(task, Known(known)), 1) for what, task in tasks.items()}
        print(json.dumps({"code": name, "bytes": round(size), **figures}), flush=True)


class Known:
    """Vectors that are known, as a model for the benchmark."""

    name = "quantised"

    def __init__(self, vectors: dict[tuple[str, str], np.ndarray]) -> None:
        self._vectors = vectors

    def encode(self, texts: list[str], *, role: str = "") -> np.ndarray:
        return np.stack([self._vectors["query" if role == "query" else "document", text] for text in texts])


def measured(task: Any, model: Known) -> float:
    """Return the headline of a task, × 100."""
    from litotes.data.result_files import Provenance
    from litotes.evaluation import CachedScorer
    from litotes.evaluation.figures import fold
    from litotes.evaluation.tasks import figures

    rows = task.evaluate(CachedScorer(model))
    return fold(list(figures(task.family, rows))[:1], Provenance("", task.name, "", ""), rounds=1)[0].value


def codes(base: int) -> dict[str, Code]:
    """Return the codes by name; the first `base` columns are the base's."""

    def split(first: Code, second: Code) -> Code:
        def both(train: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, float]:
            left, left_size = first(train[:, :base], rows[:, :base])
            right, right_size = second(train[:, base:], rows[:, base:])
            return np.hstack([left, right]), left_size + right_size

        return both

    return {
        "float32": lambda train, rows: (rows, 4.0 * rows.shape[1]),
        "int8": factory("SQ8"),
        "4 bits": factory("SQ4"),
        "product, 64 bytes": factory("PQ64"),
        "product, 48 bytes; block in int8": split(factory("PQ48"), factory("SQ8")),
        "binary": binary,
        "binary; block in int8": split(binary, factory("SQ8")),
    }


def factory(name: str) -> Code:
    """Return a code of FAISS by the name of its index factory."""

    def code(train: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, float]:
        import faiss

        index = faiss.index_factory(rows.shape[1], name, faiss.METRIC_INNER_PRODUCT)
        index.train(np.ascontiguousarray(train))
        codes = index.sa_encode(np.ascontiguousarray(rows))
        return index.sa_decode(codes), float(codes.shape[1])

    return code


def binary(train: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, float]:
    """Keep the sign of each column, after its mean was subtracted; decoded vectors have the length of the originals."""
    signs = np.where(rows > train.mean(axis=0), 1.0, -1.0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) / np.sqrt(rows.shape[1])
    return (signs * lengths).astype(np.float32), rows.shape[1] / 8


if __name__ == "__main__":
    main()
