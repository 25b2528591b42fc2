"""The query's side: exclusion as an operator on vectors."""

from __future__ import annotations

import numpy as np
import pytest

from litotes.data.general import general_exclusions, general_retrieval
from litotes.errors import InputError
from litotes.query import encode, exclude, joined, parts_of

QUERIES = ["soups other than borscht", "soups", "soups except borscht and goulash"]
VECTORS = {"soups": [1.0, 0.0, 0.0], "borscht": [0.0, 1.0, 0.0], "goulash": [0.0, 0.0, 1.0]}


def _encode(texts: list[str]) -> np.ndarray:
    return np.array([VECTORS[text] for text in texts], dtype=np.float32)


def test_a_query_says_what_it_keeps_and_why() -> None:
    found = exclude("films with Tom Hanks other than Cast Away")
    assert (found.kept, found.excluded, found.cues) == ("films with Tom Hanks", ("Cast Away",), ("other than",))
    assert found.line()["rules"] == ["“other than” takes out what follows"]


def test_every_part_is_encoded_once() -> None:
    parts = parts_of(QUERIES)
    assert parts.texts == ["soups", "borscht", "goulash"]
    assert parts.kept == [0, 0, 0]
    assert parts.excluded == [(1,), (), (1, 2)]


def test_what_is_left_out_is_subtracted_and_the_length_stays() -> None:
    rows = encode(QUERIES, _encode, beta=0.5)
    # (1, -1/2, 0) and (1, -1/4, -1/4), each made as long as (1, 0, 0)
    assert rows[0] == pytest.approx(np.array([1, -0.5, 0]) / np.sqrt(1.25), abs=1e-6)
    assert rows[2] == pytest.approx(np.array([1, -0.25, -0.25]) / np.sqrt(1.125), abs=1e-6)


def test_some_of_the_whole_query_stays_where_it_is_asked_for() -> None:
    vectors = VECTORS | {"soups other than borscht": [0.0, 0.0, 1.0]}
    (row,) = encode(QUERIES[:1], lambda texts: np.array([vectors[text] for text in texts]), beta=0.5, whole=0.25)
    # three quarters of (1, 0, 0), a quarter of (0, 0, 1), less half of (0, 1, 0); then of length 1
    assert row == pytest.approx(np.array([0.75, -0.5, 0.25]) / np.sqrt(0.5625 + 0.25 + 0.0625))


def test_a_query_without_exclusion_is_the_same_bytes() -> None:
    rows = encode(QUERIES, _encode)
    assert rows[1].tobytes() == _encode(["soups"])[0].tobytes()
    assert rows.dtype == np.float32


def test_nothing_is_left_where_kept_and_excluded_are_one_direction() -> None:
    parts = parts_of(["soups other than borscht"])
    same = np.array([[1.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    assert joined(parts, same, beta=1.0).tolist() == [[1.0, 0.0]]


def test_no_queries_and_bad_input() -> None:
    assert encode([], _encode).shape == (0, 0)
    with pytest.raises(InputError, match="beta is 2; expected a number from 0 to 1"):
        encode(QUERIES, _encode, beta=2)
    with pytest.raises(InputError, match="expected a list of queries"):
        encode("soups other than borscht", _encode)
    with pytest.raises(InputError, match="exclude reads a text, got int"):
        exclude(3)  # type: ignore[arg-type]


def test_the_ranking_set_is_sound() -> None:
    items, passages = general_exclusions(), {passage.id for passage in general_retrieval().passages}
    assert len(items) >= 120
    assert len({item.id for item in items}) == len({item.text.lower() for item in items}) == len(items)
    assert sum(bool(item.mentions) for item in items) >= 50
    for item in items:
        relevant = {one.passage for one in item.judgements}
        assert relevant | set(item.traps) <= passages
        assert set(item.mentions) <= relevant
        assert item.traps, item.id
        assert not relevant & set(item.traps), item.id
        assert any(one.grade == 2 for one in item.judgements), item.id
        assert all(thing in item.text for thing in item.excluded), item.id
