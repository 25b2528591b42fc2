"""Test the exclusion operator on vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from litotes.data.benchmarks.general_mini import general_exclusions, general_retrieval
from litotes.errors import InputError
from litotes.query import combine_parts, encode, exclude, split_queries
from litotes.types import Exclusion

QUERIES = ["soups other than borscht", "soups", "soups except borscht and goulash"]
VECTORS = {"soups": [1.0, 0.0, 0.0], "borscht": [0.0, 1.0, 0.0], "goulash": [0.0, 0.0, 1.0]}


def _encode(texts: list[str]) -> np.ndarray:
    return np.array([VECTORS[text] for text in texts], dtype=np.float32)


def test_exclude_splits_a_query() -> None:
    split = exclude("films with Tom Hanks other than Cast Away")
    assert (split.kept, split.excluded, split.cues) == ("films with Tom Hanks", ("Cast Away",), ("other than",))


def test_exclusions_can_be_stated() -> None:
    parts = split_queries(["soups", "soups other than borscht"], exclude=["goulash", "borscht"])
    assert parts.texts == ["soups", "goulash", "borscht"]
    assert parts.excluded == [(1, 2), (2, 1)]


def test_a_query_that_is_split_already_stays_as_it_is() -> None:
    given = Exclusion("soups other than borscht", "winter soups", ("beetroot",))
    parts = split_queries([given, "soups"])
    assert parts.texts == ["winter soups", "beetroot", "soups"]
    assert parts.excluded == [(1,), ()]
    assert split_queries([given], exclude=False).texts == ["soups other than borscht"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "linen",
            r"exclude is 'linen'; expected “auto”, False or a list of texts. For something .*'linen'",
        ),
        (3, "exclude is 3; expected “auto”, False or a list of texts"),
        (["wool", ""], "exclude has ''; expected texts that are not empty"),
        (["wool", 3], "exclude has 3; expected texts that are not empty"),
    ],
)
def test_a_wrong_exclusion_is_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        split_queries(["soups"], exclude=given)


def test_each_distinct_part_is_encoded_once() -> None:
    parts = split_queries(QUERIES)
    assert parts.texts == ["soups", "borscht", "goulash"]
    assert parts.kept == [0, 0, 0]
    assert parts.excluded == [(1,), (), (1, 2)]


def test_the_excluded_part_is_subtracted_and_the_length_stays() -> None:
    rows = encode(QUERIES, _encode, beta=0.5)
    # (1, -1/2, 0) and (1, -1/4, -1/4), scaled to the length of (1, 0, 0)
    assert rows[0] == pytest.approx(np.array([1, -0.5, 0]) / np.sqrt(1.25), abs=1e-6)
    assert rows[2] == pytest.approx(np.array([1, -0.25, -0.25]) / np.sqrt(1.125), abs=1e-6)


def test_the_whole_query_can_be_mixed_in() -> None:
    vectors = VECTORS | {"soups other than borscht": [0.0, 0.0, 1.0]}
    (row,) = encode(QUERIES[:1], lambda texts: np.array([vectors[text] for text in texts]), beta=0.5, whole=0.25)
    # 3/4 of (1, 0, 0) plus 1/4 of (0, 0, 1) minus 1/2 of (0, 1, 0), scaled to length 1
    assert row == pytest.approx(np.array([0.75, -0.5, 0.25]) / np.sqrt(0.5625 + 0.25 + 0.0625))


def test_a_query_that_excludes_nothing_keeps_its_bytes() -> None:
    rows = encode(QUERIES, _encode)
    assert rows[1].tobytes() == _encode(["soups"])[0].tobytes()
    assert rows.dtype == np.float32


def test_a_zero_difference_keeps_the_kept_part() -> None:
    parts = split_queries(["soups other than borscht"])
    same = np.array([[1.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    assert combine_parts(parts, same, beta=1.0).tolist() == [[1.0, 0.0]]


def test_empty_and_invalid_input() -> None:
    assert encode([], _encode).shape == (0, 0)
    with pytest.raises(InputError, match="beta is 2; expected a number from 0 to 1"):
        encode(QUERIES, _encode, beta=2)
    with pytest.raises(InputError, match="expected a list of queries"):
        encode("soups other than borscht", _encode)
    with pytest.raises(InputError, match="the query is int; expected a text"):
        exclude(3)  # type: ignore[arg-type]


def test_the_exclusion_queries_of_general_mini_are_consistent() -> None:
    items, passages = general_exclusions(), {passage.id for passage in general_retrieval().passages}
    assert len(items) >= 120
    assert len({item.id for item in items}) == len({item.text.lower() for item in items}) == len(items)
    assert sum(bool(item.mentions) for item in items) >= 50
    for item in items:
        relevant = {judgement.passage for judgement in item.judgements}
        assert relevant | set(item.traps) <= passages
        assert set(item.mentions) <= relevant
        assert item.traps, item.id
        assert not relevant & set(item.traps), item.id
        assert any(judgement.grade == 2 for judgement in item.judgements), item.id
        assert all(text in item.text for text in item.excluded), item.id
