"""The contract of every family of models: one suite over all of them, on real small weights."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError
from tests.model_shelf import FAMILIES, Shelf, shelf

__all__ = ["shelf"]

# An untrained head or T5 knows no likeness, and chance knows none either.
KNOW_LIKENESS = tuple(name for name in FAMILIES if name not in ("random", "cross", "seq2seq"))
LEXICAL = ("tfidf", "bm25")
WITH_MATRIX = ("tfidf", "bm25", "sparse", "late")
NEURAL = ("sparse", "dense", "dense pair", "late", "cross", "seq2seq")

QUERIES = [
    "Which ferry does not sail on Sundays?",
    "bread without gluten",
    "The old mill never burned down.",
    "Nobody repaired the clock.",
]
DOCUMENTS = [
    "The ferry to the northern islands sails every day of the week except Sunday, when the crew rests in the harbour.",
    "Rye bread holds gluten; loaves of rice or maize flour do not.",
    "Lightning struck the old mill twice, yet it never burned down.",
    "A watchmaker repaired the clock in the square.",
]


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def scored(model: Any, queries: list[str], documents: list[str]) -> np.ndarray:
    """Scores of aligned pairs, whichever of the two methods a model has."""
    if hasattr(model, "score"):
        found: np.ndarray = model.score(queries, documents)
        return found
    rows = model.encode(queries, role="query") * model.encode(documents, role="document")
    return np.asarray(rows.sum(axis=1))


def test_a_score_or_a_row_for_each_text(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    assert scores.shape == (4,)
    assert np.isfinite(scores).all()
    if hasattr(model, "encode"):
        rows = model.encode(DOCUMENTS)
        assert (rows.dtype, rows.shape) == (np.float32, (4, 384))
    else:
        assert scores.dtype == np.float64


def test_nothing_in_nothing_out(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    assert scored(model, [], []).shape == (0,)
    if hasattr(model, "encode"):
        assert model.encode([]).shape == (0, 384)
    if hasattr(model, "matrix"):
        assert model.matrix([], DOCUMENTS).shape == (0, 4)
        assert model.matrix(QUERIES, []).shape == (4, 0)


def test_an_empty_text_is_a_text(shelf: Shelf, family: str) -> None:
    scores = scored(shelf.get(family), ["", QUERIES[0], ""], [DOCUMENTS[0], "", ""])
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()


def test_the_same_again(shelf: Shelf, family: str) -> None:
    model, again = shelf.get(family), shelf.load(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    assert np.array_equal(scores, scored(model, QUERIES, DOCUMENTS))
    assert np.array_equal(scores, scored(again, QUERIES, DOCUMENTS))
    assert model.fingerprint == again.fingerprint


def test_order_does_not_matter(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    np.testing.assert_allclose(scored(model, QUERIES[::-1], DOCUMENTS[::-1])[::-1], scores, rtol=1e-5, atol=1e-5)


def test_one_by_one_is_the_same_as_together(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    together = scored(model, QUERIES * 2, DOCUMENTS * 2)
    if family in LEXICAL:
        # a word's weight comes from the documents of the call: they stay, the queries come one by one
        single = [float(model.matrix([query], DOCUMENTS)[0, at]) for at, query in enumerate(QUERIES)]
    else:
        single = [float(scored(model, [q], [d])[0]) for q, d in zip(QUERIES, DOCUMENTS, strict=True)]
    np.testing.assert_allclose(together, single * 2, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("family", WITH_MATRIX)
def test_a_matrix_holds_the_scores_of_the_pairs(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    table = model.matrix(QUERIES, DOCUMENTS)
    assert (table.dtype, table.shape) == (np.float64, (4, 4))
    np.testing.assert_allclose(np.diag(table), model.score(QUERIES, DOCUMENTS), rtol=1e-5)


@pytest.mark.parametrize("family", KNOW_LIKENESS)
def test_a_text_is_more_like_itself_than_like_another(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    texts = ["The gardener waters the roses.", "No train stopped at the border.", "Quarterly profits fell sharply."]
    same, other = scored(model, texts, texts), scored(model, texts, texts[1:] + texts[:1])
    assert (same > other).all()


def test_name_facts_and_fingerprint(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    facts = model.facts()
    assert facts["family"] == model.name.partition(":")[0] == family.removesuffix(" pair")
    assert json.loads(json.dumps(facts)) == facts
    assert all(facts["libraries"].values())
    assert re.fullmatch(r"[0-9a-f]{64}", model.fingerprint)
    assert model.name in repr(model)


def test_every_family_has_its_own_fingerprint(shelf: Shelf) -> None:
    prints = {family: shelf.get(family).fingerprint for family in FAMILIES}
    assert len(set(prints.values())) == len(FAMILIES)


@pytest.mark.parametrize("family", NEURAL)
def test_a_model_used_otherwise_has_another_fingerprint(shelf: Shelf, family: str) -> None:
    assert shelf.load(family, max_tokens=16).fingerprint != shelf.get(family).fingerprint


@pytest.mark.parametrize("family", NEURAL)
def test_texts_past_the_limit_are_cut(shelf: Shelf, family: str) -> None:
    model = shelf.load(family, max_tokens=16)
    long = "The committee met on the first Monday of the month and spoke at length about the bridge and its tolls."
    first, second = scored(model, ["a bridge"] * 2, [long, long + " It did not vote."])
    assert first == second


def test_what_is_no_list_of_texts_is_refused(shelf: Shelf, family: str) -> None:
    model = shelf.get(family)
    with pytest.raises(InputError, match="got one text"):
        scored(model, "a query", ["a document"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"\[1\] is NoneType; expected text"):
        scored(model, ["a query", None], ["one", "two"])  # type: ignore[list-item]
    if hasattr(model, "score"):
        with pytest.raises(InputError, match="2 queries and 1 documents"):
            model.score(["one", "two"], ["one"])
    else:
        with pytest.raises(InputError, match="role is 'passage'"):
            model.encode(["one"], role="passage")
