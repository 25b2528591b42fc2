"""Test filters of search engines: the variants of a term, and what each engine returns.

SQLite, PostgreSQL, LanceDB, Chroma and embedded Qdrant are run. Elasticsearch and OpenSearch are not: only the shape of
their query is tested.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.errors import InputError
from litotes.lexicon.variants import variants
from litotes.query import Filters, SqlCondition, filters
from litotes.types import Exclusion
from tests.conftest import REPOSITORY, TABLES, run_examples
from tests.postgres_server import postgres

PAGE = REPOSITORY / "docs" / "filters.md"
VARIANTS = [json.loads(line) for line in (TABLES / "query" / "variants.jsonl").read_text("utf-8").splitlines()]
TEXTS = (
    "Borscht is a soup of beetroot.",
    "Miso soup is made from soybeans.",
    "Her T-SHIRT is red.",
    "They sell tshirts.",
    "A borschtlike stew.",
    "The ice\ncream melted.",
    "Grandma’s borscht’s secret is dill.",
    "",
    None,
)
"""None is a document without the field."""
HOSTILE = (
    *("'; DROP TABLE docs; --", '") OR 1=1 --', "borscht' OR 'x' = 'x", 'x" OR "soup', "x%' OR text LIKE '%soup"),
    *("%soup%", "_oup", "%s", "%(name)s", "?", "{field}", "[soup]", "(soup", "soup)", "so.p", "soup*", "so|up"),
    *("soup NOT", "NEAR(soup miso)", "^soup", "{text} : soup", "\\", "a\\b", "\\bsoup\\b", "soup\\", "$where"),
    *("`soup`", "😀", "👩‍🍳 soup", "x\0soup", "a" * 1500, "soup -- ", "/* soup */", "#soup", "<soup", "soup>"),
    *("x & ! (y | z)", "y:*", "C++", "50%"),
)


def excluding(*items: str, kept: str = "soups") -> Filters:
    return filters(Exclusion(kept, kept, items))


Search = Callable[[Filters], set[int]]
"""Filters → the positions of the documents that are returned"""
Engine = Callable[[Sequence[str | None], Path, ExitStack], Search]


def sqlite(texts: Sequence[str | None], folder: Path, opened: ExitStack) -> Search:
    connection = sqlite3.connect(":memory:")
    opened.callback(connection.close)
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(text)")
    connection.executemany("INSERT INTO docs(rowid, text) VALUES (?, ?)", enumerate(texts))

    def search(found: Filters) -> set[int]:
        condition = found.sqlite("docs")
        rows = connection.execute(f"SELECT rowid FROM docs WHERE {condition.sql}", condition.parameters)
        return {number for (number,) in rows}

    return search


def postgresql(texts: Sequence[str | None], folder: Path, opened: ExitStack) -> Search:
    connection = opened.enter_context(postgres())
    connection.execute("CREATE TABLE docs (id int PRIMARY KEY, text text)")
    connection.cursor().executemany("INSERT INTO docs VALUES (%s, %s)", list(enumerate(texts)))

    def search(found: Filters) -> set[int]:
        condition = found.postgres("docs.text")
        return {
            row[0] for row in connection.execute(f"SELECT id FROM docs WHERE {condition.sql}", condition.parameters)
        }

    return search


def qdrant(texts: Sequence[str | None], folder: Path, opened: ExitStack) -> Search:
    models = pytest.importorskip("qdrant_client.models")
    client = import_module("qdrant_client").QdrantClient(":memory:")
    opened.callback(client.close)
    client.create_collection("docs", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
    payloads = [{} if text is None else {"text": text} for text in texts]
    points = [models.PointStruct(id=at, vector=[1.0, at], payload=payload) for at, payload in enumerate(payloads)]
    client.upsert("docs", points)

    def search(found: Filters) -> set[int]:
        conditions = models.Filter(**found.qdrant("text"))
        answer = client.query_points("docs", query=[1.0, 0.0], query_filter=conditions, limit=len(texts))
        return {point.id for point in answer.points}

    return search


def lancedb(texts: Sequence[str | None], folder: Path, opened: ExitStack) -> Search:
    database = pytest.importorskip("lancedb").connect(folder)
    rows = [{"id": at, "vector": [1.0, at], "text": text} for at, text in enumerate(texts)]
    table = database.create_table("docs", rows)

    def search(found: Filters) -> set[int]:
        answer = table.search([1.0, 0.0]).where(found.lancedb("text"), prefilter=True).limit(len(texts))
        return {row["id"] for row in answer.to_list()}

    return search


def chroma(texts: Sequence[str | None], folder: Path, opened: ExitStack) -> Search:
    library = pytest.importorskip("chromadb")
    docs = library.EphemeralClient().create_collection(f"docs-{uuid4()}", embedding_function=None)
    for at, text in enumerate(texts):
        docs.add(ids=str(at), embeddings=[1.0, at], documents=text, metadatas={"at": at})

    def search(found: Filters) -> set[int]:
        answer = docs.query([[1.0, 0.0]], n_results=len(texts), where_document=found.chroma())
        return {int(number) for number in answer["ids"][0]}

    return search


ENGINES: dict[str, Engine] = {
    "sqlite": sqlite,
    "postgresql": postgresql,
    "qdrant": qdrant,
    "lancedb": lancedb,
    "chroma": chroma,
}
COMPARES_SIGNS = ("lancedb", "chroma")
"""Engines that look for the signs of a term. The others compare its words only."""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Search]]:
    """The name of an engine that holds `TEXTS`, and its search."""
    with ExitStack() as opened:
        name = str(request.param)
        yield name, ENGINES[name](TEXTS, tmp_path_factory.mktemp(name), opened)


@pytest.mark.parametrize("row", VARIANTS, ids=lambda row: ascii(row["phrase"]))
def test_the_variants_of_a_phrase(row: dict[str, Any]) -> None:
    found = variants(row["phrase"])
    assert len(found) == len(set(found))
    assert sorted(found) == sorted(row.get("all", found))
    assert set(row.get("has", ())) <= set(found)
    assert not set(row.get("lacks", ())) & set(found)


def test_the_parts_of_a_query() -> None:
    found = filters(Exclusion("soups, no Borscht, not it", "soups", ("Borscht", "it")))
    assert found.kept == "soups"
    assert found.excluded == ("Borscht", "it")
    assert found.terms == (("Borscht", "borscht", "borschts", "borscht's", "borscht’s"), ())


def test_a_query_as_text_is_split() -> None:
    found = filters("soups other than borscht")
    assert (found.kept, found.excluded) == ("soups", ("borscht",))
    assert not filters("soups of beetroot")


@pytest.mark.parametrize(
    ("items", "removed"),
    [
        ((), set()),
        (("borscht",), {0, 6}),
        (("BORSCHT",), {0, 6}),
        (("the t-shirts",), {2, 3}),
        (("t shirt",), {2, 3}),
        (("ice cream",), {5}),
        (("borscht", "miso"), {0, 1, 6}),
        (("soup of beetroot",), {0}),
        (("soup from beetroot",), set()),
        (("soybean",), {1}),
        (("it",), set()),
    ],
)
def test_what_an_engine_returns(engine: tuple[str, Search], items: tuple[str, ...], removed: set[int]) -> None:
    _, search = engine
    assert search(excluding(*items)) == set(range(len(TEXTS))) - removed


@pytest.mark.slow
@pytest.mark.parametrize("name", ENGINES)
def test_hostile_terms_remove_only_the_documents_that_contain_them(name: str, tmp_path: Path) -> None:
    """Each hostile text is excluded in turn. The words of the first document are in none of them."""
    # NUL is a control character, which becomes a space
    texts = ["nothing bad here", *(f"before {text.replace(chr(0), ' ')} after" for text in HOSTILE)]
    with ExitStack() as opened:
        search = ENGINES[name](texts, tmp_path, opened)
        for at, text in enumerate(HOSTILE, start=1):
            returned = search(excluding(text))
            assert 0 in returned
            has_words = re.search(r"[^\W_]", text) is not None
            assert (at in returned) == (name not in COMPARES_SIGNS and not has_words), text
        assert len(search(excluding())) == len(HOSTILE) + 1


@pytest.mark.parametrize(("excluded", "removed"), [("C++", {0}), ("%", {2}), ("\\", {3}), (".NET", {4}), ("+", {0})])
@pytest.mark.parametrize("name", COMPARES_SIGNS)
def test_signs_count_where_documents_are_matched_by_a_pattern(
    name: str, excluded: str, removed: set[int], tmp_path: Path
) -> None:
    texts = ["Learn C++ now.", "Vitamin C.", "A 50% discount.", "a\\b", "ASP.NET", "a net", "_"]
    with ExitStack() as opened:
        search = ENGINES[name](texts, tmp_path, opened)
        assert search(excluding(excluded)) == set(range(len(texts))) - removed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sqlite", "postgresql", "qdrant"])
def test_engines_that_compare_words_ignore_signs(name: str, tmp_path: Path) -> None:
    """A limit that docs/filters.md states: excluding "C++" also removes documents with the word "C"."""
    with ExitStack() as opened:
        search = ENGINES[name](["Learn C++ now.", "Vitamin C.", "😀"], tmp_path, opened)
        assert search(excluding("C++")) == {2}
        assert search(excluding("😀")) == {0, 1, 2}


def test_the_query_of_elasticsearch() -> None:
    assert filters(Exclusion("x", "x", ("Nike",))).elasticsearch("brand") == {
        "bool": {
            "must_not": [
                {"match_phrase": {"brand": "Nike"}},
                {"match_phrase": {"brand": "nike"}},
                {"match_phrase": {"brand": "nikes"}},
                {"match_phrase": {"brand": "nike's"}},
                {"match_phrase": {"brand": "nike’s"}},
            ]
        }
    }


def test_qdrant_needs_a_phrase_only_for_several_words() -> None:
    assert excluding("T-shirt").qdrant("tags") == {
        "must_not": [
            {"key": "tags", "match": {"text": "tshirt"}},
            {"key": "tags", "match": {"text": "tshirts"}},
            {"key": "tags", "match": {"phrase": "t shirt"}},
            {"key": "tags", "match": {"phrase": "t shirts"}},
        ]
    }


def test_sql_binds_the_terms() -> None:
    found = Filters("x", ("y",), (('say "y"', "y'"),))
    assert found.sqlite("docs") == SqlCondition(
        'rowid NOT IN (SELECT rowid FROM "docs" WHERE "docs" MATCH ?)', ('"say ""y""" OR "y\'"',)
    )
    assert found.postgres("body", config="english") == SqlCondition(
        "(to_tsvector('english', \"body\") @@ (phraseto_tsquery('english', %s) || phraseto_tsquery('english', %s)))"
        " IS NOT TRUE",
        ('say "y"', "y'"),
    )
    assert found.lancedb("meta.body") == ("regexp_like(`meta`.`body`, '(?i)(?:\\bsay\\s+\"y\"|\\by[''’])') IS NOT TRUE")


def test_a_query_that_excludes_nothing_has_filters_that_let_everything_through() -> None:
    found = excluding()
    assert not found
    assert found.elasticsearch("text") == {"bool": {"must_not": []}}
    assert found.qdrant("text") == {"must_not": []}
    assert found.sqlite("docs") == found.postgres("text") == SqlCondition("TRUE")
    assert found.lancedb("text") == "TRUE"
    assert found.chroma() is None
    assert not re.search(found.pattern(), "any text\n")


def test_one_column_of_a_table_of_sqlite() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE VIRTUAL TABLE "my ""docs" USING fts5("the title", body)')
    rows = [("Borscht", "a soup"), ("Soups", "such as borscht"), ("Miso", "a soup")]
    connection.executemany('INSERT INTO "my ""docs" VALUES (?, ?)', rows)
    found = excluding("borscht")
    for arguments, expected in (
        (('my "docs',), ["Miso"]),
        (('main.my "docs',), ["Miso"]),
        (('my "docs', "the title"), ["Soups", "Miso"]),
        (('main.my "docs', "body"), ["Borscht", "Miso"]),
    ):
        condition = found.sqlite(*arguments)
        statement = f'SELECT "the title" FROM "my ""docs" WHERE {condition.sql}'
        assert [title for (title,) in connection.execute(statement, condition.parameters)] == expected


@pytest.mark.slow
def test_names_and_configurations_of_postgresql() -> None:
    with postgres() as connection:
        connection.execute('CREATE TABLE docs (id int, "100% ""text" text)')
        rows = [(0, "She runs."), (1, "She run."), (2, "She rests."), (3, "The Who")]
        connection.cursor().executemany("INSERT INTO docs VALUES (%s, %s)", rows)

        def search(found: Filters, config: str) -> set[int]:
            condition = found.postgres('100% "text', config=config)
            statement = f"SELECT id FROM docs WHERE {condition.sql}"
            return {row[0] for row in connection.execute(statement, condition.parameters)}

        running = Filters("x", ("running",), (("running",),))
        assert search(running, "simple") == {0, 1, 2, 3}
        assert search(running, "english") == {2, 3}
        assert search(excluding("The Who"), "simple") == {0, 1, 2}
        # "the" and "who" are stop words in this configuration
        assert search(excluding("The Who"), "english") == {0, 1, 2, 3}


def test_own_terms_can_be_added(engine: tuple[str, Search]) -> None:
    found = excluding("borscht")
    _, search = engine
    more = replace(found, terms=(*found.terms, ("stew", "miso soup")))
    assert search(more) == {2, 3, 5, 7, 8}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARES_SIGNS)
def test_an_engine_reads_the_pattern_as_python_does(name: str, tmp_path: Path) -> None:
    """LanceDB rewrites simple patterns as LIKE, in which other signs have a meaning."""
    random, signs = Random(5), "abAé\\%_.+*?()[]{}|^$'\"`-–’ 😀\n<>#&~/!"
    texts = ["".join(random.choices(signs, k=random.randint(1, 14))) for _ in range(200)]
    with ExitStack() as opened:
        search = ENGINES[name](texts, tmp_path, opened)
        for _ in range(60):
            found = Filters("", ("x",), ((random.choice("a\\%_+😀") + "".join(random.choices(signs[:20], k=1)),),))
            pattern = re.compile(found.pattern())
            assert search(found) == {at for at, text in enumerate(texts) if not pattern.search(text)}, found.terms


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(st.text(max_size=40))
def test_any_text_gives_a_filter_that_finds_it(text: str) -> None:
    try:
        found = excluding(text)
    except InputError as error:
        assert "excluded part 1 is" in str(error)  # noqa: PT017
        return
    assert json.loads(json.dumps(found.elasticsearch("text"))) == found.elasticsearch("text")
    pattern = re.compile(found.pattern())
    for term in found.terms[0]:
        assert pattern.search(f"before {term} after")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(text)")
    condition = found.sqlite("docs")
    assert connection.execute(f"SELECT * FROM docs WHERE {condition.sql}", condition.parameters).fetchall() == []
    connection.close()


@pytest.mark.parametrize("query", [None, 7, b"soups", ["soups"]])
def test_a_query_has_to_be_text(query: Any) -> None:
    with pytest.raises(InputError, match="expected a text"):
        filters(query)


@pytest.mark.parametrize("item", ["", "  \n", None, "\0", "\ud800"])
def test_an_excluded_part_has_to_be_a_text(item: Any) -> None:
    with pytest.raises(InputError, match=r"excluded part 2 is .*; expected a text that is not empty"):
        excluding("borscht", item)


def test_excluded_parts_and_terms_have_to_be_tuples() -> None:
    with pytest.raises(InputError, match=r"excluded is a single text \('borscht'\); expected a tuple of texts"):
        filters(Exclusion("x", "x", "borscht"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="terms has the text 'borscht'; expected one tuple of texts per excluded item"):
        Filters("x", ("borscht",), ("borscht",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a term is ' '; expected a text that is not empty"):
        Filters("x", ("borscht",), ((" ",),))


@pytest.mark.parametrize("name", ["", " ", None, 7, "a\0b"])
def test_names_have_to_be_texts(name: Any) -> None:
    found = excluding("borscht")
    for method in (found.elasticsearch, found.qdrant, found.sqlite, found.postgres, found.lancedb):
        with pytest.raises(InputError, match="expected its name"):
            method(name)


def test_names_that_cannot_be_quoted_are_refused() -> None:
    found = excluding("borscht")
    with pytest.raises(InputError, match="LanceDB has no names with a backtick"):
        found.lancedb("a`b")
    with pytest.raises(InputError, match="names with a dot between them"):
        found.sqlite("main..docs")
    with pytest.raises(InputError, match="config is \"x'\"; expected a text search configuration, such as 'english'"):
        found.postgres("text", config="x'")


@pytest.mark.slow
def test_the_example_with_postgres() -> None:
    with postgres() as connection:
        run_examples(PAGE, setup=1, containing="connection", connection=connection)


@pytest.mark.slow
def test_the_example_with_chroma() -> None:
    pytest.importorskip("chromadb")
    run_examples(PAGE, setup=1, containing="chromadb")
