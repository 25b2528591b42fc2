"""Test the recipes of docs/engines.md in real engines: the user's vectors f and the block g as two vector fields.

Each engine ranks passages of general-mini. Its order is compared with that of (1 − w)·cos f + w·cos g in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.data.benchmarks.general_mini import general_retrieval
from litotes.query import BesideEncoder
from tests.conftest import REPOSITORY, run_examples
from tests.postgres_server import postgres

DIAL, OTHER_DIAL = 0.21, 0.5
PASSAGES, QUERIES, COLUMNS = 50, 3, {"base": 384, "polarity": 128}
BLOCK = COLUMNS["polarity"]
EXCLUDING = "ways to cook a chicken, but not in an oven"


@dataclass(frozen=True)
class Query:
    """The two vectors of a query, and the weights of their cosines."""

    f: np.ndarray
    g: np.ndarray
    v: float
    w: float

    @property
    def fields(self) -> dict[str, list[float]]:
        return {"base": self.f.tolist(), "polarity": self.g.tolist()}


Results = list[tuple[int, float]]
Search = Callable[[Query, int], Results]
"""A query and how many documents each field contributes → ids and scores, best first"""
Engine = Callable[[np.ndarray, np.ndarray, Path, ExitStack], Search]
"""f, g, an empty folder, and a stack of things to close → a search"""


def qdrant(f: np.ndarray, g: np.ndarray, folder: Path, opened: ExitStack) -> Search:
    models = pytest.importorskip("qdrant_client.models")
    client = import_module("qdrant_client").QdrantClient(":memory:")
    opened.callback(client.close)
    cosine = models.Distance.COSINE
    fields = {name: models.VectorParams(size=size, distance=cosine) for name, size in COLUMNS.items()}
    client.create_collection("passages", vectors_config=fields)
    rows = [{"base": f[at].tolist(), "polarity": g[at].tolist()} for at in range(len(f))]
    client.upsert("passages", [models.PointStruct(id=at, vector=row) for at, row in enumerate(rows)])

    def search(query: Query, depth: int) -> Results:
        prefetch = [models.Prefetch(query=row, using=name, limit=depth) for name, row in query.fields.items()]
        weighted = [
            models.MultExpression(mult=[query.v, "$score[0]"]),
            models.MultExpression(mult=[query.w, "$score[1]"]),
        ]
        formula = models.FormulaQuery(formula=models.SumExpression(sum=weighted))
        found = client.query_points("passages", prefetch=prefetch, query=formula, limit=len(f))
        return [(point.id, point.score) for point in found.points]

    return search


def lancedb(f: np.ndarray, g: np.ndarray, folder: Path, opened: ExitStack) -> Search:
    """The block is added to a table that has the user's vectors."""
    arrow = pytest.importorskip("pyarrow")
    database = pytest.importorskip("lancedb").connect(folder)
    table = database.create_table("passages", [{"id": at, "vector": row} for at, row in enumerate(f)])
    table.add_columns(arrow.field("polarity", arrow.list_(arrow.float32(), BLOCK)))
    blocks = arrow.FixedSizeListArray.from_arrays(g.ravel(), BLOCK)
    new = arrow.table({"id": range(len(g)), "polarity": blocks})
    table.merge_insert("id").when_matched_update_all().execute(new)

    def search(query: Query, depth: int) -> Results:
        found = table.search(query.f, vector_column_name="vector").distance_type("cosine").limit(depth).to_arrow()
        stored = np.stack(found["polarity"].to_numpy())
        cosines = stored @ query.g / np.linalg.norm(stored, axis=1) / np.linalg.norm(query.g)
        scores = query.v * (1 - found["_distance"].to_numpy()) + query.w * cosines
        ids = found["id"].to_pylist()
        return [(ids[at], float(scores[at])) for at in np.argsort(-scores)]

    return search


def milvus(f: np.ndarray, g: np.ndarray, folder: Path, opened: ExitStack) -> Search:
    library = pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    client = library.MilvusClient(str(folder / "passages.db"))
    opened.callback(client.close)
    schema, index = client.create_schema(), client.prepare_index_params()
    schema.add_field("id", library.DataType.INT64, is_primary=True)
    for name, size in COLUMNS.items():
        schema.add_field(name, library.DataType.FLOAT_VECTOR, dim=size)
        index.add_index(name, index_type="AUTOINDEX", metric_type="COSINE")
    client.create_collection("passages", schema=schema, index_params=index)
    client.insert("passages", [{"id": at, "base": f[at], "polarity": g[at]} for at in range(len(f))])

    def search(query: Query, depth: int) -> Results:
        requests = [library.AnnSearchRequest([row], name, {}, limit=depth) for name, row in query.fields.items()]
        ranker = library.WeightedRanker(query.v, query.w, norm_score=False)
        found = client.hybrid_search("passages", requests, ranker, limit=len(f), output_fields=["id"])
        return [(hit["id"], hit["distance"]) for hit in found[0]]

    return search


def pgvector(f: np.ndarray, g: np.ndarray, folder: Path, opened: ExitStack) -> Search:
    connection = opened.enter_context(postgres())
    connection.execute("CREATE TABLE passages (id int PRIMARY KEY, base vector(384), polarity vector(128))")
    rows = [(at, str(f[at].tolist()), str(g[at].tolist())) for at in range(len(f))]
    connection.cursor().executemany("INSERT INTO passages VALUES (%s, %s, %s)", rows)

    def search(query: Query, depth: int) -> Results:
        values = {name: str(row) for name, row in query.fields.items()}
        found = connection.execute(
            "WITH candidates AS (SELECT * FROM passages ORDER BY base <=> %(base)s::vector LIMIT %(depth)s)"
            " SELECT id, %(v)s * (1 - (base <=> %(base)s::vector)) + %(w)s * (1 - (polarity <=> %(polarity)s::vector))"
            " AS score FROM candidates ORDER BY score DESC",
            values | {"v": query.v, "w": query.w, "depth": depth},
        )
        return [(int(at), float(score)) for at, score in found]

    return search


ENGINES: dict[str, Engine] = {"qdrant": qdrant, "lancedb": lancedb, "milvus": milvus, "pgvector": pgvector}
LISTS_OF_BOTH_FIELDS = ("qdrant", "milvus")
"""Engines in which both fields contribute documents. In the others, the candidates are those of f."""


@pytest.fixture(scope="module")
def encoder() -> BesideEncoder:
    return litotes.beside(litotes.load("minilm"), dial=DIAL)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [passage.text for passage in general_retrieval().passages[:PASSAGES]]


@pytest.fixture(scope="module")
def combined(encoder: BesideEncoder, texts: list[str]) -> np.ndarray:
    return encoder.encode_document(texts)


@pytest.fixture(scope="module")
def stored(encoder: BesideEncoder, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return f and g of the documents, as the page stores them."""
    return encoder.base_vectors(texts), encoder.blocks(texts)


@pytest.fixture(scope="module")
def queries(encoder: BesideEncoder) -> list[tuple[np.ndarray, np.ndarray]]:
    asked = [query.text for query in general_retrieval().queries[:QUERIES]]
    return list(zip(encoder.base_vectors(asked, role="query"), encoder.blocks(asked), strict=True))


@pytest.fixture(scope="module", params=ENGINES)
def engine(
    request: pytest.FixtureRequest, stored: tuple[np.ndarray, np.ndarray], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Search]]:
    """The name of an engine that holds the documents, and its search."""
    with ExitStack() as opened:
        name = str(request.param)
        yield name, ENGINES[name](*stored, tmp_path_factory.mktemp(name), opened)


def check(results: Results, expected: np.ndarray) -> None:
    """Check the order and the scores of all documents."""
    assert [at for at, _ in results] == np.argsort(-expected).tolist()
    assert [score for _, score in results] == pytest.approx(np.sort(expected)[::-1], abs=1e-5)


@pytest.mark.parametrize("w", [DIAL, OTHER_DIAL])
def test_the_order_is_that_of_the_weighted_sum_of_both_cosines(
    engine: tuple[str, Search],
    stored: tuple[np.ndarray, np.ndarray],
    queries: list[tuple[np.ndarray, np.ndarray]],
    w: float,
) -> None:
    f, g = stored
    for query_f, query_g in queries:
        expected = (1 - w) * f @ query_f + w * g @ query_g
        check(engine[1](Query(query_f, query_g, 1 - w, w), PASSAGES), expected)


@pytest.mark.parametrize("w", [DIAL, OTHER_DIAL])
def test_an_exclusion_ranks_as_in_combined_vectors(
    engine: tuple[str, Search], encoder: BesideEncoder, combined: np.ndarray, w: float
) -> None:
    """The parts of the combined query are searched with; their lengths are the weights."""
    row = encoder.encode_query(EXCLUDING, dial=w)
    f, g = (1 - DIAL) ** 0.5 * row[:-BLOCK], DIAL**0.5 * row[-BLOCK:]
    query = Query(f, g, float(np.linalg.norm(f)), float(np.linalg.norm(g)))
    check(engine[1](query, PASSAGES), combined @ row)
    whole = encoder.encode_query(EXCLUDING, dial=w, exclude=False)
    assert not np.allclose(row, whole, atol=0.01)


def test_what_is_missing_in_a_list(
    engine: tuple[str, Search], stored: tuple[np.ndarray, np.ndarray], queries: list[tuple[np.ndarray, np.ndarray]]
) -> None:
    name, search = engine
    depth, (f, g), (query_f, query_g) = 5, stored, queries[0]
    parts = [(1 - DIAL) * f @ query_f, DIAL * g @ query_g]
    nearest = [set(np.argsort(-part)[:depth].tolist()) for part in parts]
    assert nearest[0] != nearest[1]
    both = name in LISTS_OF_BOTH_FIELDS
    expected = {
        at: sum(part[at] for part, near in zip(parts, nearest, strict=True) if at in near or not both)
        for at in (nearest[0] | nearest[1] if both else nearest[0])
    }
    results = search(Query(query_f, query_g, 1 - DIAL, DIAL), depth)
    assert [at for at, _ in results] == sorted(expected, key=lambda at: -expected[at])
    assert [score for _, score in results] == pytest.approx(sorted(expected.values(), reverse=True), abs=1e-5)


@pytest.mark.parametrize("page", ["engines.md", "indexes.md"])
def test_the_examples_with_postgres(page: str) -> None:
    with postgres() as connection:
        run_examples(REPOSITORY / "docs" / page, setup=1, connection=connection)
