"""Old indexes upgraded where they stand: FAISS, hnswlib and Qdrant, by dot product, cosine and distance; int8 too.

What a store answers is held against plain arithmetic on the vectors as it keeps them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

from litotes.models.tower import dial, grow
from litotes.query import BETA, upgrade
from litotes.query.encoder import Encoder
from tests.model_shelf import quiet

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
PLAIN, LEAVING = "Does the ferry run at the weekend?", "soups other than borscht"
# What is rounded is no longer exactly of unit length; FAISS, which has no cosine, takes it as it is.
NEAR = {"float32": 1e-5, "int8": 1e-3}
METRICS, DTYPES, DIALS = ("dot", "cosine", "l2"), ("float32", "int8"), (0.0, 0.1, 0.5, 1.0)
W0, WIDTH, BASE = 0.2, 128, 384

Search = Callable[[np.ndarray], tuple[list[int], np.ndarray]]
Store = Callable[[np.ndarray, str, str], tuple[Search, np.ndarray]]
"""vectors, metric, dtype → a search for (places, scores) of one query, and the vectors as the store gives them back"""


def faiss_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    """FAISS has no cosine: the query is made a unit vector, as the stored ones are."""
    faiss = pytest.importorskip("faiss")
    measure = faiss.METRIC_L2 if metric == "l2" else faiss.METRIC_INNER_PRODUCT
    if dtype == "int8":
        index = faiss.IndexScalarQuantizer(vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, measure)
        index.train(vectors)
    else:
        index = faiss.IndexFlat(vectors.shape[1], measure)
    index.add(vectors)

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        asked = query / np.linalg.norm(query) if metric == "cosine" else query
        scores, places = index.search(asked[np.newaxis], len(vectors))
        return places[0].tolist(), scores[0]

    return search, index.reconstruct_n(0, len(vectors))


def hnswlib_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    """hnswlib keeps floats; int8 is rounded on the way in, with one step for all columns."""
    hnswlib = pytest.importorskip("hnswlib")
    step = float(np.abs(vectors).max()) / 127
    rows = (np.round(vectors / step) * step).astype(np.float32) if dtype == "int8" else vectors
    index = hnswlib.Index(space={"dot": "ip"}.get(metric, metric), dim=rows.shape[1])
    index.init_index(max_elements=len(rows), random_seed=7)
    index.add_items(rows)
    index.set_ef(2 * len(rows))

    def search(query: np.ndarray) -> tuple[list[int], np.ndarray]:
        places, distances = index.knn_query(query[np.newaxis], k=len(rows))
        return places[0].tolist(), distances[0] if metric == "l2" else 1 - distances[0]

    return search, np.array(index.get_items(list(range(len(rows)))))


def qdrant_store(vectors: np.ndarray, metric: str, dtype: str) -> tuple[Search, np.ndarray]:
    """Embedded Qdrant takes the setting for int8 and computes on floats; a server would quantise."""
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
        found = client.query_points("texts", query=query.tolist(), limit=len(vectors)).points
        scores = np.array([point.score for point in found])
        return [point.id for point in found], scores**2 if metric == "l2" else scores

    points, _ = client.scroll("texts", limit=len(vectors), with_vectors=True)
    return search, np.array([point.vector for point in points], dtype=np.float32)


STORES = pytest.mark.parametrize("store", [faiss_store, hnswlib_store, qdrant_store])
OVER_ALL = pytest.mark.parametrize(("metric", "dtype"), [(metric, dtype) for metric in METRICS for dtype in DTYPES])


@pytest.fixture(scope="module")
def model() -> Encoder:
    with quiet():
        return Encoder.of(grow("minilm", shared_layers=5, own_layers=1, default_w=W0, seed=7, device="cpu"))


@pytest.fixture(scope="module")
def fresh(model: Encoder) -> np.ndarray:
    rows: np.ndarray = model.encode_document(TEXTS)
    return rows


@pytest.fixture(scope="module")
def base(model: Encoder) -> np.ndarray:
    from sentence_transformers import SentenceTransformer

    from tests.model_shelf import minilm

    rows: np.ndarray = SentenceTransformer(minilm(), device="cpu").encode(TEXTS)
    return rows


@pytest.fixture(scope="module")
def upgraded(model: Encoder, base: np.ndarray) -> np.ndarray:
    return upgrade(base, TEXTS, model=model)


@pytest.fixture(scope="module")
def asked(model: Encoder) -> np.ndarray:
    row: np.ndarray = model.encode_query(PLAIN)
    return row


@pytest.fixture(scope="module")
def leaving(model: Encoder) -> dict[float, tuple[np.ndarray, ...]]:
    """By dial: the query as it is heard, the whole query, what it keeps, what it leaves out."""
    return {
        w: (
            model.encode_query(LEAVING, dial=w),
            *model.encode_query([LEAVING, "soups", "borscht"], dial=w, exclude=False),
        )
        for w in (0.0, W0)
    }


@pytest.fixture(scope="module")
def queries(model: Encoder) -> dict[float, np.ndarray]:
    return {w: model.encode_query(PLAIN, dial=w) for w in DIALS}


def exact(kept: np.ndarray, query: np.ndarray, metric: str) -> np.ndarray:
    """Scores by definition, in double precision; distances squared."""
    rows, asked = kept.astype(np.float64), query.astype(np.float64)
    if metric == "l2":
        distances: np.ndarray = ((rows - asked) ** 2).sum(axis=1)
        return distances
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(asked) if metric == "cosine" else 1.0
    scores: np.ndarray = rows @ asked / lengths
    return scores


def agree(
    found: tuple[list[int], np.ndarray], expected: np.ndarray, metric: str, *, near: float = NEAR["float32"]
) -> None:
    """Every text is found, each with its score, and best first; what is nearer than `near` may be either way round."""
    places, scores = found
    assert sorted(places) == list(range(len(expected)))
    assert scores == pytest.approx(expected[places], abs=near)
    falling = expected[places] if metric == "l2" else -expected[places]
    assert (np.diff(falling) > -2 * near).all()


@STORES
@pytest.mark.parametrize("dtype", DTYPES)
def test_an_old_index_gives_back_what_upgrading_needs(
    store: Store, dtype: str, model: Encoder, base: np.ndarray, fresh: np.ndarray
) -> None:
    _, old = store(base, "cosine", dtype)
    upgraded = upgrade(old, TEXTS, model=model)
    assert upgraded == pytest.approx(fresh, abs=1e-5 if dtype == "float32" else 0.01)
    assert np.linalg.norm(upgraded, axis=1) == pytest.approx(1, abs=1e-5)


@STORES
@OVER_ALL
def test_an_upgraded_index_ranks_as_one_made_afresh(
    store: Store, metric: str, dtype: str, upgraded: np.ndarray, fresh: np.ndarray, asked: np.ndarray
) -> None:
    search, kept = store(upgraded, metric, dtype)
    agree(search(asked), exact(kept, asked, metric), metric, near=NEAR[dtype])
    agree(search(asked), exact(fresh, asked, metric), metric, near=0.02 if dtype == "int8" else NEAR[dtype])
    # the two ferries, in either order
    assert set(search(asked)[0][:2]) == {4, 5}


@STORES
@OVER_ALL
def test_the_dial_turns_at_query_time_and_nothing_is_indexed_anew(
    store: Store, metric: str, dtype: str, fresh: np.ndarray, queries: dict[float, np.ndarray], asked: np.ndarray
) -> None:
    search, _ = store(fresh, metric, dtype)
    f, g = asked[:BASE] / np.sqrt(1 - W0), asked[BASE:] / np.sqrt(W0)
    cos_f, cos_g = fresh[:, :BASE] @ f / np.sqrt(1 - W0), fresh[:, BASE:] @ g / np.sqrt(W0)
    for w, query in queries.items():
        dots = (1 - w) * cos_f + w * cos_g
        square = (1 - w) ** 2 / (1 - W0) + w**2 / W0
        # cosine and distance follow from the dot product and the query's length, since every stored vector has length 1
        expected = {"dot": dots, "cosine": dots / np.sqrt(square), "l2": square + 1 - 2 * dots}[metric]
        agree(search(query), expected, metric, near=0.02 if dtype == "int8" else NEAR[dtype])


@STORES
def test_all_metrics_rank_alike_at_every_dial(
    store: Store, fresh: np.ndarray, queries: dict[float, np.ndarray]
) -> None:
    searches = [store(fresh, metric, "float32")[0] for metric in METRICS]
    for query in queries.values():
        dots = exact(fresh, query, "dot")
        for search in searches:
            assert (np.diff(dots[search(query)[0]]) < 1e-5).all()


@STORES
@OVER_ALL
def test_what_a_query_leaves_out_goes_down(
    store: Store, metric: str, dtype: str, fresh: np.ndarray, leaving: dict[float, tuple[np.ndarray, ...]]
) -> None:
    search, kept = store(fresh, metric, dtype)
    for heard, whole, soups, borscht in leaving.values():
        turned = soups.astype(np.float64) - BETA * borscht
        turned *= np.linalg.norm(soups) / np.linalg.norm(turned)
        agree(search(heard), exact(kept, turned, metric), metric, near=NEAR[dtype])
        assert search(whole)[0][0] == 0
        assert search(heard)[0].index(0) == 3


@STORES
def test_dialling_a_kept_query_vector_is_the_same(
    store: Store, fresh: np.ndarray, queries: dict[float, np.ndarray], asked: np.ndarray
) -> None:
    search, _ = store(fresh, "dot", "float32")
    for w, query in queries.items():
        turned = dial(asked, w, w0=W0, width=WIDTH)
        assert search(turned)[1] == pytest.approx(search(query)[1], abs=1e-5)


@pytest.mark.slow
def test_int8_changes_few_of_the_first_ten() -> None:
    """The table of docs/indexes.md, with room for other weights: general-mini's queries at three dials.

    One test for both stores, since its encoding takes a minute.
    """
    from litotes.data.general import general_retrieval
    from litotes.models.tower.build import tower_of
    from litotes.query import load

    asked = general_retrieval()
    with quiet():
        mini = load(device="cpu")
    rows = mini.encode_document([passage.text for passage in asked.passages])
    queries = mini.encode_query([query.text for query in asked.queries], exclude=False)
    turned = [dial(queries, w, w0=tower_of(mini).config.default_w, width=WIDTH) for w in (0.0, 0.15, 0.5)]
    for store in (faiss_store, hnswlib_store):
        _, kept = store(rows, "dot", "int8")
        for query in turned:
            plain, coarse = (np.argsort(-query @ one.T, axis=1)[:, :10] for one in (rows, kept))
            same = np.mean([len(set(one) & set(other)) / 10 for one, other in zip(plain, coarse, strict=True)])
            assert same > 0.97
            assert np.abs(query @ (kept - rows).T).max() < 0.01
