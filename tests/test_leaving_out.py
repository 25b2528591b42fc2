"""What queries leave out, against a table that grew with the rules; docs/query.md has what unseen tables gave."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from litotes.detection import exclusion
from litotes.detection.leaving_out.named import things
from litotes.detection.leaving_out.spelling import respelled
from litotes.parse import parser
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
    """Without case, white space twice and marks at the end."""
    return re.sub(r"\s+", " ", re.sub(r"[\s,.;:?!]+$", "", text.strip().lower()))


def _things(texts: Any) -> list[str]:
    return [_LEADING.sub("", _plain(text)) for text in texts]


def _right(row: dict[str, Any], found: Exclusion) -> bool:
    if not row["excluded"]:
        return not found
    kept = {_plain(kept) for kept in row["kept"]}
    return _plain(found.kept) in kept and _things(found.excluded) == _things(row["excluded"])


@pytest.mark.parametrize(("wanted", "least"), [(True, 0.97), (False, 0.98)], ids=["exclusions", "traps"])
def test_the_table(wanted: bool, least: float) -> None:
    """The rules have seen this table: it holds what was reached, and is no measure of what is new."""
    rows = [row for row in ROWS if bool(row["excluded"]) == wanted]
    documents = parser().pipe(row["query"] for row in rows)
    right = sum(_right(row, exclusion(document)) for row, document in zip(rows, documents, strict=True))
    assert len(rows) >= 150
    assert right / len(rows) >= least


def test_a_query_that_leaves_out_nothing_is_kept_letter_for_letter() -> None:
    for text in ("", "  two  spaces , kept ", "What is not only cheap but also good?", "sugar-free drinks"):
        found = exclusion(parser().parse(text))
        assert not found
        assert found.kept == text


def test_several_exclusions_are_all_cut_and_all_named() -> None:
    found = exclusion(parser().parse("Besides oats, what can I eat for breakfast? Don't mention eggs."))
    assert found.kept == "What can I eat for breakfast?"
    assert found.excluded == ("oats", "eggs")
    assert found.cues == ("besides", "not")


def test_nothing_is_cut_when_nothing_would_be_left() -> None:
    assert not exclusion(parser().parse("Except the last one?"))


@pytest.mark.parametrize(
    ("query", "kept", "excluded"),
    [
        ("crime series,other than Morse", "crime series", ("Morse",)),
        ("soups for winter，except leek soup", "soups for winter", ("leek soup",)),
        ("lakes in Italy(not Garda)for sailing", "lakes in Italy for sailing", ("Garda",)),
        ("pubs in Oxford excl. the Turf", "pubs in Oxford", ("the Turf",)),
    ],
)
def test_marks_glued_to_words_are_read_as_if_spaced(query: str, kept: str, excluded: tuple[str, ...]) -> None:
    found = exclusion(parser().parse(query))
    assert (found.text, found.kept, found.excluded) == (query, kept, excluded)


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
def test_a_mistyped_cue_is_read_as_the_cue(query: str, kept: str, excluded: tuple[str, ...]) -> None:
    found = exclusion(parser().parse(query))
    assert (found.text, found.kept, found.excluded) == (query, kept, excluded)


def test_words_that_only_look_like_a_mistyped_cue_are_left_alone() -> None:
    for text in (
        "a hotel beside the lake",
        "I expect rain",
        "each other then left",
        "an excerpt from Emma",
        "Apart from Emma",
    ):
        assert respelled(text) == text


def test_a_cue_in_quotation_marks_leaves_out_nothing() -> None:
    for text in ('how to use "other than" in a letter', "What do “apart from” and “aside from” have in common?"):
        assert not exclusion(parser().parse(text))


def test_a_fact_told_before_the_question_leaves_out_nothing() -> None:
    for text in (
        "My aunt eats nothing except toast. Which vitamins does she need?",
        "What can I do when the garage refuses to pay except by cheque, and the boss says it is final?",
        "We keep running out of gas on long drives, and the gauge is fine. What is wrong?",
        "I am sick of slugs. Which plants survive them?",
    ):
        assert not exclusion(parser().parse(text))


def test_glued_marks_stay_as_they_are_where_nothing_is_left_out() -> None:
    for text in ("tea,coffee，milk", "print(value)twice", "w/o sugar"):
        assert exclusion(parser().parse(text)).kept == text


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
def test_names_stay_whole_and_lists_come_apart(phrase: str, named: list[str]) -> None:
    assert things(phrase) == named


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
@example("without mentioning not , which")
@settings(max_examples=150, deadline=None)
def test_whatever_the_words_the_query_is_named_and_nothing_empty_is_left_out(text: str) -> None:
    found = exclusion(parser().parse(text))
    assert found.text == text
    assert found.excluded or found.kept == text
    assert all(any(map(str.isalnum, thing)) for thing in found.excluded)
