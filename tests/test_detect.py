"""Detection: a truth table written independently of the rules, traps, and properties of every result."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import litotes
from litotes import detect_all
from litotes.parse import MAX_CHARACTERS
from litotes.types import Detection, Hedge, Negation, Span
from tests.conftest import TABLES, rows

LONG_CUE_KINDS = {"sentential", "exceptor", "affixal", "implicit"}


@cache
def table() -> tuple[dict[str, Any], ...]:
    files = [TABLES / "detect" / name for name in ("sentences.jsonl", "clinical.jsonl")]
    return tuple(json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines())


@cache
def detections() -> tuple[Detection, ...]:
    return tuple(detect_all(row["text"] for row in table()))


def _parameters() -> list[Any]:
    found = []
    for number, row in enumerate(table()):
        marks = [pytest.mark.xfail(reason=row["xfail"], strict=True)] if "xfail" in row else []
        found.append(pytest.param(number, id=f"{number + 1}", marks=marks))
    return found


def _pieces(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize("number", _parameters())
def test_a_row_of_the_table(number: int) -> None:
    row, found = table()[number], detections()[number]
    wanted = row["negations"]
    assert [(n.cue.lower(), n.kind) for n in found.negations] == [(w["cue"].lower(), w["kind"]) for w in wanted]
    for negation, want in zip(found.negations, wanted, strict=True):
        if want["scope"] is not None:
            assert _pieces(row["text"], negation.scope) == want["scope"]
        if want["event"] is not None:
            assert negation.event == want["event"]
    # the extent of a hedge is a matter of taste ("think", "I think"), so only an overlap is required
    assert len(found.hedges) == len(row["hedges"]), [hedge.cue for hedge in found.hedges]
    for hedge, want in zip(found.hedges, row["hedges"], strict=True):
        ours, theirs = set(hedge.cue.lower().split()), set(want["cue"].lower().split())
        assert ours <= theirs or theirs <= ours


def test_the_size_and_variety_of_the_table() -> None:
    assert len(table()) >= 250
    assert len({row["text"] for row in table()}) == len(table())
    assert {n["kind"] for row in table() for n in row["negations"]} == LONG_CUE_KINDS
    assert sum(not row["negations"] for row in table()) >= 60
    assert sum("xfail" in row for row in table()) <= 0.06 * len(table())


@pytest.mark.parametrize(
    "text",
    [
        "Not only the roof but also the floor was wet.",
        "He is no doubt right.",
        "No doubt she will win.",
        "It was nothing but a rumour.",
        "I can't help laughing.",
        "No sooner had we left than it rained.",
        "Platform No. 5 is closed today.",
        "We went out, notwithstanding the rain.",
        "She is without doubt the best of them.",
        "Last but not least, thank the cooks.",
        "It is cold, isn't it?",
        "There is a knot in the rope under the table.",
        "Besides, the shop was open.",
        "They save money every month.",
    ],
)
def test_phrases_that_only_look_like_a_negation(text: str) -> None:
    assert litotes.detect(text).negations == ()


@pytest.mark.parametrize(
    ("text", "cue", "spans"),
    [
        ("Neither Ann nor Bob came.", "Neither … nor", ((0, 7), (12, 15))),
        ("It is no longer open.", "no longer", ((6, 15),)),
        ("It is by no means safe.", "by no means", ((6, 17),)),
        ("An unhappy man.", "un", ((3, 5),)),
        ("A careless man.", "less", ((6, 10),)),
        ("A sugar-free drink.", "free", ((8, 12),)),
        ("It isn’t open.", "n’t", ((5, 8),)),
    ],
)
def test_cue_spans(text: str, cue: str, spans: tuple[Span, ...]) -> None:
    negation = litotes.detect(text).negations[0]
    assert (negation.cue, negation.cue_spans) == (cue, spans)


def test_a_double_negation_counts_twice() -> None:
    found = litotes.detect("It is not impossible.").negations
    assert [(n.cue, n.kind) for n in found] == [("not", "sentential"), ("im", "affixal")]


def test_the_documented_json_object() -> None:
    line = litotes.detect("The drug is not safe.").line()
    assert line == {
        "text": "The drug is not safe.",
        "negations": [
            {
                "cue": "not",
                "cue_spans": [[12, 15]],
                "scope": [[0, 11], [16, 20]],
                "event": "safe",
                "event_span": [16, 20],
                "kind": "sentential",
            }
        ],
        "hedges": [],
    }
    hedge = litotes.detect("She might be very late.").line()["hedges"][0]
    assert hedge == {"cue": "might", "cue_spans": [[4, 9]], "scope": [[10, 22]], "strength": 0.5, "kind": "word"}


def test_an_explanation_names_the_rule() -> None:
    line = litotes.detect("She refused to pay.").line(explain=True)
    assert "refuse" in line["negations"][0]["rule"]


def test_offsets_refer_to_the_whole_text() -> None:
    text = "It rained.  We did not go.\nNobody minded."
    assert [text[slice(*n.cue_spans[0])] for n in litotes.detect(text).negations] == ["not", "Nobody"]


@pytest.mark.parametrize("text", ["", "   ", "…", "🙂", "1234", "\n\n"])
def test_texts_without_words(text: str) -> None:
    assert litotes.detect(text) == Detection(text)


def test_an_over_long_text_is_refused_with_a_reason() -> None:
    found = litotes.detect("not " * MAX_CHARACTERS)
    assert found.negations == ()
    assert "longer than" in found.reason


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("The patient does not smoke or use drugs.", ["The patient does", "smoke or use drugs"]),
        ("She is not a doctor but a nurse.", ["She is", "a doctor"]),
        ("He refused to pay and stormed out.", ["He", "to pay"]),
        ("It is a non-toxic paint.", ["a", "toxic paint"]),
    ],
)
def test_scopes_reported_by_users(text: str, scope: list[str]) -> None:
    assert _pieces(text, litotes.detect(text).negations[0].scope) == scope


@pytest.mark.parametrize(
    "text",
    [
        "Everyone was tired but happy.",
        "They all tried but John won.",
        "What kind of car is it?",
        "El perro no está aquí.",
    ],
)
def test_false_alarms_reported_by_users(text: str) -> None:
    found = litotes.detect(text)
    assert (found.negations, found.hedges) == ((), ())


def test_a_number_is_an_error() -> None:
    with pytest.raises(litotes.InputError, match="got int"):
        litotes.detect(5)  # type: ignore[arg-type]


def test_a_batch_gives_the_same_results_as_single_calls() -> None:
    texts = [row["text"] for row in table()[:40]]
    assert list(detect_all(texts, batch=7)) == [litotes.detect(text) for text in texts]


def _holds(found: Detection) -> None:
    """Check what must hold for every detection."""
    parts: list[Negation | Hedge] = [*found.negations, *found.hedges]
    for part in parts:
        for start, end in (*part.cue_spans, *part.scope):
            assert 0 <= start < end <= len(found.text)
        assert " … ".join(found.text[start:end] for start, end in part.cue_spans) == part.cue
        assert list(part.scope) == sorted(part.scope)
        for start, end in part.scope:
            assert all(end <= first or last <= start for first, last in part.cue_spans)
            assert found.text[start:end].strip() == found.text[start:end]
    for negation in found.negations:
        assert negation.kind in LONG_CUE_KINDS
        if negation.event_span is not None:
            assert found.text[slice(*negation.event_span)] == negation.event
            if negation.kind == "affixal":
                first, last = negation.event_span
                assert any(start <= first and last <= end for start, end in negation.scope)


WORDS = st.sampled_from(
    [
        *("the", "dog", "is", "not", "no", "never", "none", "nobody", "without", "except", "but", "all", "some", "un"),
        *("unhappy", "careless", "sugar-free", "non-profit", "neither", "nor", "n't", "don't", "might", "possibly"),
        *("suggests", "that", "refused", "to", "lack", "of", ",", ".", "?", "“", "”", "No.", "5", "\n", "—", "either"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=18).map(" ".join))
def test_spans_are_valid_for_any_words(text: str) -> None:
    _holds(litotes.detect(text))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_spans_are_valid_for_any_text(text: str) -> None:
    _holds(litotes.detect(text))


def test_spans_are_valid_for_the_texts_of_the_tables() -> None:
    for found in detect_all(row["text"] for row in rows()):
        _holds(found)


def test_the_cue_of_a_verbal_rewrite_is_detected() -> None:
    texts = [row["text"] for row in rows() if (row["op"], row["kind"]) == ("negate", "verbal")]
    affirmative = [text for text in texts if not _negates(text)]
    made = [r for text in affirmative if (r := litotes.negate(text, "verbal")) and r.cue in {"not", "n't"}]
    assert len(made) > 80
    assert [str(r) for r in made if not _negates(str(r))] == []


def _negates(text: str) -> bool:
    return any(n.cue.lower().replace("’", "'") in {"not", "n't"} for n in litotes.detect(text).negations)


def test_a_hedged_rewrite_is_detected() -> None:
    texts = ["The drug is safe.", "The bridge was closed in May.", "Prices rise every year."]
    for text in texts:
        for cue in ("might", "probably", "possibly", "perhaps", "apparently", "presumably", "suggest", "seem", "may"):
            rewrite = litotes.hedge(text, cue=cue)
            if rewrite:
                assert litotes.detect(str(rewrite)).hedges, str(rewrite)
