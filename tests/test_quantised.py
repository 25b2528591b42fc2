"""Test benchmarks/quantised.py: each code by its definition or by hand, and a small run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from zlib import crc32

import numpy as np
import pytest
from benchmarks.quantised import (
    binary,
    faiss_codes,
    in_faiss,
    kept,
    measured,
    product,
    qdrant_codes,
    rescored,
    shuffled,
    spread,
)

from litotes.evaluation import CachedScorer, suite
from litotes.evaluation.tasks import figures
from litotes.stats import point

faiss = pytest.importorskip("faiss")
QUERY = np.array([[0.9, -0.1, 0.3, -0.3, 0.1, 0.1, 0.1, 0.1]], dtype=np.float32)
DOCUMENTS = np.array(
    [[0.5, -0.5, 0.5, -0.5, 0, 0, 0, 0], [-1, -1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1]], dtype=np.float32
)
EXACT = [0.8, -0.4, 1.2]


def drawn(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32)


def test_binary_counts_equal_bits_minus_unequal_ones() -> None:
    # The signs of the query are + − + − and four +. A column of 0 counts as −. So 4, 6 and 6 of 8 signs are equal.
    stored = binary(QUERY, DOCUMENTS)
    assert stored.scores.tolist() == [[0, 4, 4]]
    assert stored.size == 1


def test_binary_ranks_as_a_binary_index_of_faiss() -> None:
    queries, documents = drawn(5, 64), drawn(50, 64, seed=1)
    index = faiss.IndexBinaryFlat(64)
    index.add(np.packbits(documents > 0, axis=1))
    unequal, places = index.search(np.packbits(queries > 0, axis=1), 50)
    found = np.take_along_axis(binary(queries, documents).scores, places, axis=1)
    assert found.tolist() == (64 - 2 * unequal).tolist()


def test_binary_codes_do_not_depend_on_the_dial() -> None:
    queries, documents = drawn(5, 64), drawn(50, 64, seed=1)
    dialled = queries * np.repeat([0.1, 0.9], [48, 16]).astype(np.float32)
    assert (binary(dialled, documents).scores == binary(queries, documents).scores).all()


def test_the_first_results_are_scored_again_and_come_first() -> None:
    # The second and the third document have the most equal bits. The first one has a higher score than the second.
    scores, exact = np.array([[0.0, 4.0, 4.0]]), np.array([EXACT])
    found = rescored(scores, exact, depth=2)[0].tolist()
    assert found[1:] == EXACT[1:]
    assert found[0] < min(EXACT)
    assert rescored(scores, exact, depth=3).tolist() == [EXACT]


def test_int8_rounds_each_column_by_at_most_a_step_of_its_range() -> None:
    queries, documents = drawn(5, 64), drawn(50, 64, seed=1)
    stored = in_faiss("SQ8", queries, documents)
    limit = np.abs(queries) @ np.ptp(documents, axis=0) / 255
    assert (np.abs(stored.scores - queries @ documents.T) <= limit[:, np.newaxis]).all()
    assert stored.size == 64


def test_a_product_code_of_256_documents_is_exact() -> None:
    # Each byte stands for one of 256 centroids, and these are the documents themselves.
    queries, documents = drawn(5, 16), drawn(256, 16, seed=1)
    stored = product(8, queries, documents)
    assert stored.scores == pytest.approx(queries @ documents.T, abs=1e-5)
    assert stored.size == 2


def test_a_spread_block_has_the_same_scores_and_twice_the_bytes() -> None:
    stored = spread(partial(in_faiss, "Flat"), 4, QUERY, DOCUMENTS)
    assert stored.scores[0] == pytest.approx(EXACT)
    assert stored.size == 4 * (4 + 2 * 4)


def test_the_order_of_the_documents_does_not_change_binary_codes() -> None:
    assert shuffled(binary, QUERY, DOCUMENTS, seed=1).scores.tolist() == [[0, 4, 4]]


def test_kept_is_the_share_of_the_first_ten() -> None:
    exact = np.arange(20.0)[np.newaxis]
    assert kept(exact, exact) == 1
    assert kept(-exact, exact) == 0
    # One of the first ten, 10, is exchanged for 0.
    scores = exact.copy()
    scores[0, [0, 10]] = 10, 0
    assert kept(scores, exact) == 0.9


class Words:
    """Vectors without a model: the words of a text, hashed into 32 columns."""

    name = "words"

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        rows = np.full((len(texts), 32), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[crc32(word.encode()) % 32] += 1
        unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def test_a_run_has_the_figures_of_each_code() -> None:
    (task,) = suite(["mini-retrieval"])
    model = CachedScorer(Words())
    found = dict(measured(faiss_codes(), model, [task]))
    sizes = {name: row["bytes"] for name, row in found.items()}
    assert (sizes["float32"], sizes["int8"], sizes["int4"], sizes["binary"]) == (128, 32, 16, 4)
    assert (sizes["product, 4 columns per byte"], sizes["product, 8 columns per byte"]) == (8, 4)
    headline = figures(task.family, task.evaluate(model))[0]
    value = round(100 * point(headline.statistic, headline.items), 1)
    exact = {"mini-retrieval": value, "mini-retrieval, difference": [0, 0], "kept": 100}
    assert found["float32"] == {"bytes": 128, **exact, "rescored": exact}
    assert all(row["kept"] <= row["rescored"]["kept"] for row in found.values())


def test_qdrant_quantises() -> None:
    pytest.importorskip("qdrant_edge", reason="needs qdrant-edge-py")
    codes, draw = qdrant_codes(), np.random.default_rng(0)
    # int8 has one range for all columns, with 127 steps. So numbers from 0 to 127 are exact, and queries are clamped.
    documents = draw.integers(0, 128, (1000, 16)).astype(np.float32)
    query = draw.integers(100, 200, (1, 16)).astype(np.float32)
    assert codes["float32"](query, documents).scores == pytest.approx(query @ documents.T)
    assert codes["int8"](query, documents).scores == pytest.approx(query.clip(max=127) @ documents.T)
    queries, documents = drawn(5, 64), drawn(1000, 64, seed=1)
    equal = binary(queries, documents).scores
    assert np.corrcoef(codes["binary"](queries, documents).scores.ravel(), equal.ravel())[0, 1] == pytest.approx(1)
