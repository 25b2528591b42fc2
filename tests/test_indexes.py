"""Test upgraded indexes in FAISS, hnswlib, Qdrant and LanceDB: dot product, cosine, Euclidean distance, int8.

The results of each store are compared with plain arithmetic on the vectors that it stores.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

from litotes.models import TowerShape, dial
from litotes.query import BETA, upgrade
from litotes.query.encoder import Encoder
from tests.family_models import dense_minilm, quiet
from tests.small_tower import BASE_WIDTH, DEFAULT_DIAL, TOWER_WIDTH, small_encoder

TEXTS = [
    "Borscht is a sour soup of beetroot, often served with cream.",
    "Miso soup is made from fermented soybeans.",
    "Gazpacho is a cold soup of raw tomatoes.",
    "Minestrone is a thick soup of vegetables and pasta.",
    "The ferry to the island does not run on Sundays.",
    "The ferry to the island runs on Sundays too.",
    "The museum never opens before ten.",
    "The museum opens before ten.",
    "Cats sleep through most of the afternoon.",
    "Nobody repaired the organ in the village church.",
    "The organ in the village church was repaired last spring.",
    "A good knife needs sharpening once a month.",
    "The court refused to hear the appeal.",
    "The court agreed to hear the appeal.",
    "Penguins cannot fly, but they swim well.",
    "Swifts fly for months without landing.",
]
PLAIN, EXCLUDING = "Does the ferry run at the weekend?", "soups other than borscht"
# Rounded vectors do not have exactly unit length, and FAISS, which has no cosine, does not normalise them.
TOLERANCE = {"float32": 1e-5, "int8": 1e-3}
METRICS, DTYPES, DIALS = ("dot", "cosine", "l2"), ("float32", "int8"), (0.0, 0.1, 0.5, 1.0)

Search = Callable[[np.ndarray], tuple[list[int], np.ndarray]]
Store = Callable[[np.ndarray, str, str], tuple[Search, np.ndarray]]
"""(vectors, metric, dtype) → a function from a query to indices and scores, and the vectors that the store returns"""


def faiss_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    """FAISS has no cosine, so the query is normalised like the stored vectors."""
    faiss = pytest.importorskip("faiss")
    measure = faiss.METRIC_L2 if metric == "l2" else faiss.METRIC_INNER_PRODUCT
    if dtype == "int8":
        index = faiss.IndexScalarQuantizer(vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, measure)
        index.train(vectors)
    else:
        index = faiss.IndexFlat(vectors.shape[1], measure)
    index.add(vectors)

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        row = query / np.linalg.norm(query) if metric == "cosine" else query
        scores, indices = index.search(row[np.newaxis], len(vectors))
        return indices[0].tolist(), scores[0]

    return search, index.reconstruct_n(0, len(vectors))


def rounded(vectors: np.ndarray, dtype: str) -> np.ndarray:
    """Simulate int8 by rounding, for stores of floats."""
    step = float(np.abs(vectors).max()) / 127
    return (np.round(vectors / step) * step).astype(np.float32) if dtype == "int8" else vectors


def hnswlib_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    hnswlib = pytest.importorskip("hnswlib")
    rows = rounded(vectors, dtype)
    index = hnswlib.Index(space={"dot": "ip"}.get(metric, metric), dim=rows.shape[1])
    index.init_index(max_elements=len(rows), random_seed=7)
    index.add_items(rows)
    index.set_ef(2 * len(rows))

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        indices, distances = index.knn_query(query[np.newaxis], k=len(rows))
        return indices[0].tolist(), distances[0] if metric == "l2" else 1 - distances[0]

    return search, np.array(index.get_items(list(range(len(rows)))))


def qdrant_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    """Embedded Qdrant accepts the int8 setting but computes with floats; a server would quantise."""
    models = pytest.importorskip("qdrant_client.models")
    client = import_module("qdrant_client").QdrantClient(":memory:")
    distance = {"dot": "Dot", "cosine": "Cosine", "l2": "Euclid"}[metric]
    scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8)
    client.create_collection(
        "texts",
        vectors_config=models.VectorParams(size=vectors.shape[1], distance=models.Distance(distance)),
        quantization_config=models.ScalarQuantization(scalar=scalar) if dtype == "int8" else None,
    )
    client.upload_collection("texts", vectors=vectors, ids=range(len(vectors)))

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        points = client.query_points("texts", query=query.tolist(), limit=len(vectors)).points
        scores = np.array([point.score for point in points])
        return [point.id for point in points], scores**2 if metric == "l2" else scores

    stored, _ = client.scroll("texts", limit=len(vectors), with_vectors=True)
    return search, np.array([point.vector for point in stored], dtype=np.float32)


def lancedb_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    database = pytest.importorskip("lancedb").connect("memory://")
    rows = [{"id": at, "vector": row} for at, row in enumerate(rounded(vectors, dtype))]
    table = database.create_table("texts", rows)

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        found = table.search(query).distance_type(metric).limit(len(vectors)).to_arrow()
        distances = found["_distance"].to_numpy()
        return found["id"].to_pylist(), distances if metric == "l2" else 1 - distances

    return search, np.stack(table.to_arrow().sort_by("id")["vector"].to_numpy())


STORES = pytest.mark.parametrize("store", [faiss_store, hnswlib_store, qdrant_store, lancedb_store])
EVERY_CASE = pytest.mark.parametrize(("metric", "dtype"), [(metric, dtype) for metric in METRICS for dtype in DTYPES])


@pytest.fixture(scope="module")
def model() -> Encoder:
    encoder: Encoder = small_encoder()
    return encoder


@pytest.fixture(scope="module")
def fresh(model: Encoder) -> np.ndarray:
    rows: np.ndarray = model.encode_document(TEXTS)
    return rows


@pytest.fixture(scope="module")
def base(model: Encoder) -> np.ndarray:
    rows: np.ndarray = dense_minilm().encode(TEXTS)
    return rows


@pytest.fixture(scope="module")
def upgraded(model: Encoder, base: np.ndarray) -> np.ndarray:
    return upgrade(base, TEXTS, model=model)


@pytest.fixture(scope="module")
def query_vector(model: Encoder) -> np.ndarray:
    row: np.ndarray = model.encode_query(PLAIN)
    return row


@pytest.fixture(scope="module")
def excluding(model: Encoder) -> dict[float, tuple[np.ndarray, ...]]:
    """Return for two dials: the vector with exclusion, and those of the whole query, its kept and its excluded part."""
    return {
        w: (
            model.encode_query(EXCLUDING, dial=w),
            *model.encode_query([EXCLUDING, "soups", "borscht"], dial=w, exclude=False),
        )
        for w in (0.0, DEFAULT_DIAL)
    }


@pytest.fixture(scope="module")
def queries(model: Encoder) -> dict[float, np.ndarray]:
    return {w: model.encode_query(PLAIN, dial=w) for w in DIALS}


def exact_scores(kept: np.ndarray, query: np.ndarray, metric: str) -> np.ndarray:
    """Return the scores by definition, in double precision; distances are squared."""
    rows, row = kept.astype(np.float64), query.astype(np.float64)
    if metric == "l2":
        distances: np.ndarray = ((rows - row) ** 2).sum(axis=1)
        return distances
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(row) if metric == "cosine" else 1.0
    scores: np.ndarray = rows @ row / lengths
    return scores


def agree(
    result: tuple[list[int], np.ndarray], expected: np.ndarray, metric: str, *, near: float = TOLERANCE["float32"]
) -> None:
    """Check that every text is found with its score, best first; scores closer than `near` can be in any order."""
    indices, scores = result
    assert sorted(indices) == list(range(len(expected)))
    assert scores == pytest.approx(expected[indices], abs=near)
    ascending = expected[indices] if metric == "l2" else -expected[indices]
    assert (np.diff(ascending) > -2 * near).all()


@STORES
@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors_read_back_from_an_index_can_be_upgraded(
    store: Store, dtype: str, model: Encoder, base: np.ndarray, fresh: np.ndarray
) -> None:
    _, old = store(base, "cosine", dtype)
    upgraded = upgrade(old, TEXTS, model=model)
    assert upgraded == pytest.approx(fresh, abs=1e-5 if dtype == "float32" else 0.01)
    assert np.linalg.norm(upgraded, axis=1) == pytest.approx(1, abs=1e-5)


@STORES
@EVERY_CASE
def test_an_upgraded_index_ranks_like_a_new_one(
    store: Store, metric: str, dtype: str, upgraded: np.ndarray, fresh: np.ndarray, query_vector: np.ndarray
) -> None:
    search, kept = store(upgraded, metric, dtype)
    agree(search(query_vector), exact_scores(kept, query_vector, metric), metric, near=TOLERANCE[dtype])
    near = 0.02 if dtype == "int8" else TOLERANCE[dtype]
    agree(search(query_vector), exact_scores(fresh, query_vector, metric), metric, near=near)
    # the two ferries, in any order
    assert set(search(query_vector)[0][:2]) == {4, 5}


@STORES
@EVERY_CASE
def test_the_dial_is_set_per_query_without_indexing_again(
    store: Store, metric: str, dtype: str, fresh: np.ndarray, queries: dict[float, np.ndarray], query_vector: np.ndarray
) -> None:
    search, _ = store(fresh, metric, dtype)
    cos_f = fresh[:, :BASE_WIDTH] @ query_vector[:BASE_WIDTH] / (1 - DEFAULT_DIAL)
    cos_g = fresh[:, BASE_WIDTH:] @ query_vector[BASE_WIDTH:] / DEFAULT_DIAL
    for w, query in queries.items():
        dots = (1 - w) * cos_f + w * cos_g
        square = (1 - w) ** 2 / (1 - DEFAULT_DIAL) + w**2 / DEFAULT_DIAL
        # Stored vectors have length 1, so cosine and distance follow from the dot product and the query's length.
        expected = {"dot": dots, "cosine": dots / np.sqrt(square), "l2": square + 1 - 2 * dots}[metric]
        agree(search(query), expected, metric, near=0.02 if dtype == "int8" else TOLERANCE[dtype])


@STORES
def test_all_distances_give_the_same_ranking_at_every_dial(
    store: Store, fresh: np.ndarray, queries: dict[float, np.ndarray]
) -> None:
    searches = [store(fresh, metric, "float32")[0] for metric in METRICS]
    for query in queries.values():
        dots = exact_scores(fresh, query, "dot")
        for search in searches:
            assert (np.diff(dots[search(query)[0]]) < 1e-5).all()


@STORES
@EVERY_CASE
def test_what_a_query_excludes_moves_down(
    store: Store, metric: str, dtype: str, fresh: np.ndarray, excluding: dict[float, tuple[np.ndarray, ...]]
) -> None:
    search, kept = store(fresh, metric, dtype)
    for split, whole, soups, borscht in excluding.values():
        expected = soups.astype(np.float64) - BETA * borscht
        expected *= np.linalg.norm(soups) / np.linalg.norm(expected)
        agree(search(split), exact_scores(kept, expected, metric), metric, near=TOLERANCE[dtype])
        assert search(whole)[0][0] == 0
        assert search(split)[0].index(0) == 3


@STORES
def test_a_stored_query_vector_can_be_rescaled_to_a_dial(
    store: Store, fresh: np.ndarray, queries: dict[float, np.ndarray], query_vector: np.ndarray
) -> None:
    search, _ = store(fresh, "dot", "float32")
    for w, query in queries.items():
        dialled = dial(TowerShape(DEFAULT_DIAL, TOWER_WIDTH), query_vector, w)
        assert search(dialled)[1] == pytest.approx(search(query)[1], abs=1e-5)


@pytest.mark.slow
def test_int8_keeps_most_of_the_first_ten() -> None:
    """Check the table of docs/indexes.md with a margin, on a part of general-mini at three dials."""
    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.query import load

    collection = general_retrieval()
    with quiet():
        mini = load(device="cpu")
    rows = mini.encode_document([passage.text for passage in collection.passages[::2]])
    queries = mini.encode_query([query.text for query in collection.queries[::3]], exclude=False)
    dialled = [dial(mini, queries, w) for w in (0.0, 0.15, 0.5)]
    for store in (faiss_store, hnswlib_store):
        _, kept = store(rows, "dot", "int8")
        for query in dialled:
            plain, coarse = (np.argsort(-query @ one.T, axis=1)[:, :10] for one in (rows, kept))
            same = np.mean([len(set(one) & set(other)) / 10 for one, other in zip(plain, coarse, strict=True)])
            assert same > 0.97
            assert np.abs(query @ (kept - rows).T).max() < 0.01
