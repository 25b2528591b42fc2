"""Splitting queries into what they ask for and what they exclude. docs/query.md has the results on unseen queries."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from litotes.detection import split_query, split_query_all
from litotes.detection.exclusion.named_things import things
from litotes.detection.exclusion.spelling import respelled
from litotes.types import Exclusion

TABLE = Path(__file__).parent / "tables" / "query" / "exclusions.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
PIECES = (
    *("not", "but", ",", "?", "(", ")", "-", '"', "，", "aside", "excluded", "left out", "it isnt", "NOT"),
    *("without mentioning", "any information about", "in addition to", "what else", "leaving", "out", "anything but"),
    *("other than", "instead of", "unlike", "how", "to", "which", "I", "already know", "jazz", "the Alps", "cats"),
    *("skip", "bar", "sans", "nothing like", "no need to cover", "dont want to hear about", "list", "again", "please"),
    *("never mind", "all but", "no more", "save", "weve already seen", "so not those", "exept", "other then", "2026"),
    *("I'm sick of", "you needn't explain", "say nothing of", "beyond", "enough with", "let's", "everyone recommends"),
)
_LEADING = re.compile(r"^(?:(?:the|a|an|any|by|with|through|about|of|from|on|in|for|to)\s+)+")


def _plain(text: str) -> str:
    """Ignore case, repeated white space and closing punctuation."""
    return re.sub(r"\s+", " ", re.sub(r"[\s,.;:?!]+$", "", text.strip().lower()))


def _things(texts: Any) -> list[str]:
    return [_LEADING.sub("", _plain(text)) for text in texts]


def _right(row: dict[str, Any], result: Exclusion) -> bool:
    if not row["excluded"]:
        return not result
    kept = {_plain(kept) for kept in row["kept"]}
    return _plain(result.kept) in kept and _things(result.excluded) == _things(row["excluded"])


@cache
def _results() -> tuple[Exclusion, ...]:
    return tuple(split_query_all(row["query"] for row in ROWS))


def test_every_row_of_the_table_is_split_as_written_unless_its_failure_is_known() -> None:
    """The rules were written with this table in view, so passing it says nothing about unseen queries."""
    assert sum(bool(row["excluded"]) for row in ROWS) >= 150
    assert sum(not row["excluded"] for row in ROWS) >= 150
    rows = zip(ROWS, _results(), strict=True)
    wrong = [(row["query"], result) for row, result in rows if "xfail" not in row and not _right(row, result)]
    assert wrong == []


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=row["query"], marks=pytest.mark.xfail(reason=row["xfail"], strict=True))
        for number, row in enumerate(ROWS)
        if "xfail" in row
    ],
)
def test_a_known_failure(number: int) -> None:
    assert _right(ROWS[number], _results()[number])


def test_a_query_that_excludes_nothing_is_kept_unchanged() -> None:
    for text in ("", "  two  spaces , kept ", "What is not only cheap but also good?", "sugar-free drinks"):
        result = split_query(text)
        assert not result
        assert result.kept == text


def test_several_exclusions_are_all_found() -> None:
    result = split_query("Besides oats, what can I eat for breakfast? Don't mention eggs.")
    assert result.kept == "What can I eat for breakfast?"
    assert result.excluded == ("oats", "eggs")
    assert result.cues == ("besides", "not")


def test_nothing_is_excluded_if_nothing_would_remain() -> None:
    assert not split_query("Except the last one?")


@pytest.mark.parametrize(
    ("query", "kept", "excluded"),
    [
        ("crime series,other than Morse", "crime series", ("Morse",)),
        ("soups for winter，except leek soup", "soups for winter", ("leek soup",)),
        ("lakes in Italy(not Garda)for sailing", "lakes in Italy for sailing", ("Garda",)),
        ("pubs in Oxford excl. the Turf", "pubs in Oxford", ("the Turf",)),
    ],
)
def test_missing_spaces_around_punctuation_are_tolerated(query: str, kept: str, excluded: tuple[str, ...]) -> None:
    result = split_query(query)
    assert (result.text, result.kept, result.excluded) == (query, kept, excluded)


@pytest.mark.parametrize(
    ("query", "kept", "excluded"),
    [
        ("cheap trainers exept nike", "cheap trainers", ("nike",)),
        ("tea brands apart frm twinings", "tea brands", ("twinings",)),
        ("map apps other then waze", "map apps", ("waze",)),
        ("train lines aprt from eurostar", "train lines", ("eurostar",)),
        ("facts about malta nothin about cats", "facts about malta", ("cats",)),
    ],
)
def test_a_misspelled_cue_is_recognised(query: str, kept: str, excluded: tuple[str, ...]) -> None:
    result = split_query(query)
    assert (result.text, result.kept, result.excluded) == (query, kept, excluded)


def test_words_that_resemble_a_misspelled_cue_are_unchanged() -> None:
    for text in (
        "a hotel beside the lake",
        "I expect rain",
        "each other then left",
        "an excerpt from Emma",
        "Apart from Emma",
    ):
        assert respelled(text) == text


def test_a_cue_in_quotation_marks_excludes_nothing() -> None:
    for text in ('how to use "other than" in a letter', "What do “apart from” and “aside from” have in common?"):
        assert not split_query(text)


def test_a_fact_stated_before_the_question_excludes_nothing() -> None:
    for text in (
        "My aunt eats nothing except toast. Which vitamins does she need?",
        "What can I do when the garage refuses to pay except by cheque, and the boss says it is final?",
        "We keep running out of gas on long drives, and the gauge is fine. What is wrong?",
        "I am sick of slugs. Which plants survive them?",
    ):
        assert not split_query(text)


def test_missing_spaces_are_kept_if_nothing_is_excluded() -> None:
    for text in ("tea,coffee，milk", "print(value)twice", "w/o sugar"):
        assert split_query(text).kept == text


@pytest.mark.parametrize(
    ("phrase", "named"),
    [
        ("Ely, Dover and Bath", ["Ely", "Dover", "Bath"]),
        ("Bath, Somerset", ["Bath, Somerset"]),
        ("Marks & Spencer", ["Marks & Spencer"]),
        ("the film “Sense and Sensibility”", ["the film “Sense and Sensibility”"]),
        ("Trinity College, a college in Dublin", ["Trinity College"]),
        ("any eggs, nor milk", ["eggs", "milk"]),
        ("Acme Trading S.A.", ["Acme Trading S.A."]),
        ("the well-known cases of Ely and Bath", ["Ely", "Bath"]),
        ("the likes of Ely", ["Ely"]),
        ("the case of the missing heir", ["the case of the missing heir"]),
        ("Ely not Bath", ["Ely", "Bath"]),
        ("On the Beach", ["On the Beach"]),
        ("the duel between Ely and Bath", ["the duel between Ely and Bath"]),
        ("fish and chips and curry", ["fish and chips", "curry"]),
        ("the soap and sugar trick", ["the soap and sugar trick"]),
        ("the soap and sugar", ["the soap", "sugar"]),
        (" , ?", []),
    ],
)
def test_names_stay_whole_and_lists_are_split(phrase: str, named: list[str]) -> None:
    assert things(phrase) == named


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
@example("without mentioning not , which")
@settings(max_examples=150, deadline=None)
def test_any_words_give_the_query_itself_or_non_empty_exclusions(text: str) -> None:
    result = split_query(text)
    assert result.text == text
    assert result.excluded or result.kept == text
    assert all(any(map(str.isalnum, thing)) for thing in result.excluded)
