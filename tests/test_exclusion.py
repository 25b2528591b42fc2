"""Splitting queries into what they ask for and what they exclude. docs/query.md has the results on unseen queries."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from litotes.detection import has_cue_word, split_query
from litotes.detection.exclusion import operators, parted, together
from litotes.errors import InputError
from litotes.models.bases import SHIPPED, SPLITTER, shipped
from litotes.query import exclude, splitting
from litotes.query.splitting import LINEAR, splitter
from litotes.query_marks import Marks
from litotes.types import Exclusion

PIECES = (
    *("not", "but", ",", "?", "(", ")", "-", '"', "，", "aside", "excluded", "left out", "it isnt", "NOT"),
    *("without mentioning", "any information about", "in addition to", "what else", "leaving", "out", "anything but"),
    *("other than", "instead of", "unlike", "how", "to", "which", "I", "already know", "jazz", "the Alps", "cats"),
    *("skip", "bar", "sans", "nothing like", "-", "no", "OR", "AND", "list", "again", "please", "-nike", "'"),
)
EXCLUSIONS = (
    ("soups other than borscht", "soups", ("borscht",)),
    ("camera strap not leather", "camera strap", ("leather",)),
    ("films with Tom Hanks other than Cast Away", "films with Tom Hanks", ("Cast Away",)),
    ("hotels in Bath, anything but Premier Inn", "hotels in Bath", ("Premier Inn",)),
    ("guitar songs not metallica for beginners", "guitar songs for beginners", ("metallica",)),
    ("things to do in Rome that aren't churches", "things to do in Rome", ("churches",)),
    ("cheese except brie, camembert and stilton", "cheese", ("brie", "camembert", "stilton")),
    ("crime series without Morse", "crime series", ("Morse",)),
)
WHOLE = (
    "",
    "  two  spaces , kept ",
    "countries without a coastline",
    "Besides Greek, which languages did Cleopatra speak?",
    "git log --no-merges",
    "why won't my car start",
    "sugar-free drinks",
    "What is not only cheap but also good?",
    "Which vaccines do not need a fridge?",
    "No Country for Old Men cast",
)


@pytest.mark.parametrize("name", ["", LINEAR])
def test_clear_exclusions_are_split(name: str) -> None:
    for query, kept, excluded in EXCLUSIONS:
        found = exclude(query, splitter=name)
        assert (found.text, found.kept, found.excluded) == (query, kept, excluded)


@pytest.mark.parametrize("name", ["", LINEAR])
def test_a_query_that_excludes_nothing_is_kept_unchanged(name: str) -> None:
    for query in WHOLE:
        found = exclude(query, splitter=name)
        assert not found
        assert found.kept == query


def test_the_parts_say_where_they_are() -> None:
    found = exclude("cheese except brie and feta")
    assert found.cues == ("except",)
    assert found.cue_spans == ((7, 13),)
    assert found.excluded_spans == ((14, 18), (23, 27))
    assert found.line() == {
        "kept": "cheese",
        "excluded": ["brie", "feta"],
        "cues": ["except"],
        "excluded_spans": [(14, 18), (23, 27)],
        "cue_spans": [(7, 13)],
    }


@pytest.mark.parametrize(
    ("query", "kept", "excluded"),
    [
        ("jaguar speed -car", "jaguar speed", ("car",)),
        ('jaguar -"jacksonville jaguars" -car top speed', "jaguar top speed", ("jacksonville jaguars", "car")),
        ('docker logs NOT ("health check" OR heartbeat)', "docker logs", ("health check", "heartbeat")),
        ("puma NOT shoes AND NOT clothing", "puma", ("shoes", "clothing")),
        ("python AND NOT snake", "python", ("snake",)),
        ("error logs NOT timeout", "error logs", ("timeout",)),
        ("recipes -site:example.com -2019", "recipes", ("example.com", "2019")),
    ],
)
def test_operators_are_parsed(query: str, kept: str, excluded: tuple[str, ...]) -> None:
    found = parted(query, operators(query))
    assert (found.kept, found.excluded) == (kept, excluded)


def test_options_messages_and_stressed_words_are_no_operators() -> None:
    for query in (
        "rm -rf node_modules",
        "tar -xzf archive",
        "docker build --no-cache",
        "-webkit-line-clamp support",
        "sleeping bag -5",
        "HOW TO NOT PAY TAX",
        "how NOT to write a letter",
        "column is NOT NULL",
        "WHERE NOT EXISTS sql",
        "module NOT FOUND error",
        "he is NOT coming",
        "spider-man comics",
    ):
        assert operators(query) == Marks()


def test_nothing_is_excluded_if_nothing_would_remain() -> None:
    assert parted("except cats", Marks(((0, 6),), ((7, 11),))) == Exclusion("except cats", "except cats")


def test_what_is_kept_is_tidied() -> None:
    query = "Apart from Paris, which French cities have a metro?"
    found = parted(query, Marks(((0, 10),), ((11, 16),)))
    assert found.kept == "Which French cities have a metro?"
    listed = "soups, but not leek, or tomato"
    assert parted(listed, Marks(((7, 14),), ((15, 19), (24, 30)))).kept == "soups"


def test_marks_that_overlap_are_those_of_the_first() -> None:
    one = Marks(((0, 1),), ((1, 5),))
    other = Marks(((8, 11),), ((3, 7), (12, 15)))
    assert together(one, other) == Marks(((0, 1), (8, 11)), ((1, 5), (12, 15)))


def test_only_queries_with_a_cue_word_are_read() -> None:
    assert has_cue_word("Camera strap NOT leather")
    assert not has_cue_word("best camera for birds under 500")


def test_a_long_text_is_no_query() -> None:
    text = "soups other than borscht " * 100
    assert split_query(text) == Exclusion(text, text)


def test_the_splitter_is_chosen_by_name() -> None:
    assert splitter(LINEAR).name == LINEAR
    assert splitter().name == splitter(SPLITTER).name == SPLITTER
    with pytest.raises(
        InputError, match="the splitter is 'lineal'; expected 'litotes-splitter', 'linear', or the fold"
    ):
        exclude("soups", splitter="lineal")
    with pytest.raises(InputError, match="the query is int; expected a text"):
        exclude(3)  # type: ignore[arg-type]


def test_without_its_packages_the_linear_splitter_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "is_installed", lambda backend: False)
    assert splitter().name == LINEAR


def test_the_files_of_the_splitter_are_small_and_pinned() -> None:
    files = {path.name: path.stat().st_size for path in shipped(SPLITTER).folder.iterdir()}
    assert sum(files.values()) < 6_000_000
    assert set(files) == {"README.md", "splitter.json", *SHIPPED[SPLITTER]}


def test_several_queries_give_the_same_as_one_each() -> None:
    queries = [query for query, _, _ in EXCLUSIONS] + list(WHOLE) + ["jaguar speed -car"]
    split = splitter()
    assert list(split(queries)) == [next(iter(split([query]))) for query in queries]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
@example("without mentioning not , which")
@settings(max_examples=150, deadline=None)
def test_any_words_give_the_query_itself_or_non_empty_exclusions(text: str) -> None:
    found = split_query(text)
    assert found.text == text
    assert found.excluded or found.kept == text
    assert all(any(map(str.isalnum, thing)) for thing in found.excluded)
