"""The cue traps: their shape, their spread, that counting cues fails on all of them, and what malformed lines get."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

import pytest

from litotes.data.benchmarks.cue_traps import checked, cue_traps
from litotes.data.quadruples import TEXTS, Quadruple, parse_quadruples
from litotes.errors import InputError

ITEMS = cue_traps()
CUES = [item.cues or (0, 0, 0, 0) for item in ITEMS]


def _texts(item: Quadruple) -> tuple[str, ...]:
    return item.a1, item.a2, item.b1, item.b2


def test_there_are_at_least_two_hundred() -> None:
    assert len(ITEMS) >= 200


def test_no_text_and_no_id_stands_twice() -> None:
    texts = [text.casefold() for item in ITEMS for text in _texts(item)]
    assert len(set(texts)) == len(texts)
    assert len({item.id for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_equivalents_differ_in_cues_and_opposites_do_not(item: Quadruple) -> None:
    assert item.cues is not None
    a1, a2, b1, b2 = item.cues
    assert a1 == b1
    assert a2 == b2
    assert a1 != a2


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_each_text_is_one_tidy_sentence_of_five_to_twenty_five_words(item: Quadruple) -> None:
    for text in _texts(item):
        assert 5 <= len(text.split()) <= 25
        assert text == " ".join(text.split())
        assert text[0].isupper()
        assert text.endswith(".")
        assert text.count(".") == 1


def test_mechanisms_frames_and_domains_are_spread() -> None:
    mechanisms = Counter(item.mechanism for item in ITEMS)
    assert len(mechanisms) >= 12
    assert max(mechanisms.values()) <= len(ITEMS) / 5
    frames = Counter((item.mechanism, item.frame) for item in ITEMS)
    assert max(frames.values()) <= 6
    assert len({frame for _, frame in frames}) == len(frames), "a frame belongs to one mechanism"
    domains = Counter(item.domain for item in ITEMS)
    assert len(domains) == 10
    assert min(domains.values()) >= 15


def test_the_more_negative_pair_is_not_always_in_the_same_place() -> None:
    steps = Counter(cues[1] > cues[0] for cues in CUES)
    assert min(steps.values()) >= 50
    assert {cues[:2] for cues in CUES} >= {(0, 1), (1, 0), (0, 2), (1, 2)}


def test_the_comparisons_of_a_quadruple() -> None:
    item = Quadruple("x", "open", "not shut", "shut", "not open", (0, 1, 0, 1), "antonym", "not-antonym", "home")
    assert item.traps == (
        ("open", "not shut", "shut"),
        ("not shut", "open", "not open"),
        ("shut", "not open", "open"),
        ("not open", "shut", "not shut"),
    )
    assert item.others == (
        ("open", "not shut", "not open"),
        ("not shut", "open", "shut"),
        ("shut", "not open", "not shut"),
        ("not open", "shut", "open"),
    )


def test_whoever_counts_cues_is_always_wrong_and_whoever_avoids_the_same_count_is_caught_by_the_others() -> None:
    for item, cues in zip(ITEMS, CUES, strict=True):
        counts = dict(zip(_texts(item), cues, strict=True))
        apart = {(x, y): abs(counts[x] - counts[y]) for x in counts for y in counts}
        assert not any(apart[text, same] < apart[text, trap] for text, same, trap in item.traps)
        assert not any(apart[text, same] > apart[text, other] for text, same, other in item.others)


GOOD = {**asdict(ITEMS[0]), "cues": [0, 1, 0, 1]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b2": None}, "b2 is missing or is not a text"),
        ({"a1": " "}, "a1 is missing or is not a text"),
        ({"domain": 3}, "domain is 3; expected a text"),
        ({"cues": [0, 1, 0]}, "expected four counts"),
        ({"cues": [0, True, 0, 1]}, "expected four counts"),
        ({"cues": [0, -1, 0, -1]}, "expected four counts"),
    ],
)
def test_a_malformed_line_is_named(change: dict[str, object], message: str) -> None:
    line = json.dumps(GOOD | change)
    with pytest.raises(InputError, match=f"mine, line 2: .*{message}"):
        list(parse_quadruples(["", line], "mine"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"domain": ""}, "lacks domain"),
        ({"cues": None}, "expected as many in a1 as in b1"),
        ({"cues": [1, 1, 1, 1]}, "expected as many in a1 as in b1"),
        ({"cues": [0, 1, 1, 0]}, "expected as many in a1 as in b1"),
    ],
)
def test_a_quadruple_that_is_no_cue_trap_is_named(change: dict[str, object], message: str) -> None:
    line = json.dumps(GOOD | {"id": "mine"} | change)
    with pytest.raises(InputError, match=f"the cue trap mine.*{message}"):
        list(checked(parse_quadruples([line], "mine")))


def test_a_quadruple_needs_no_more_than_its_texts_and_comes_back_as_its_line() -> None:
    line = {"id": "7", "a1": "open", "a2": "not shut", "b1": "shut", "b2": "not open"}
    (found,) = parse_quadruples([json.dumps(line)], "mine")
    assert found == Quadruple("7", "open", "not shut", "shut", "not open")
    assert found.line() == line


def test_empty_lines_are_no_quadruples() -> None:
    assert list(parse_quadruples([], "mine")) == []
    assert list(parse_quadruples(["", " "], "mine")) == []
    assert [getattr(one, TEXTS[0]) for one in parse_quadruples([json.dumps(GOOD)], "mine")] == [ITEMS[0].a1]
