"""The contract of all model families: one suite that runs over small real models of each."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError
from tests.family_models import FAMILIES, FamilyModels, family_models

__all__ = ["family_models"]

# The random model, an untrained head and an untrained T5 know no similarity.
KNOW_SIMILARITY = tuple(name for name in FAMILIES if name not in ("random", "cross", "seq2seq"))
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
    """Return the scores of aligned pairs, by `score` or by the dot products of `encode`."""
    if hasattr(model, "score"):
        scores: np.ndarray = model.score(queries, documents)
        return scores
    rows = model.encode(queries, role="query") * model.encode(documents, role="document")
    return np.asarray(rows.sum(axis=1))


def test_one_finite_score_or_row_per_text(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    assert scores.shape == (4,)
    assert np.isfinite(scores).all()
    if hasattr(model, "encode"):
        rows = model.encode(DOCUMENTS)
        assert (rows.dtype, rows.shape) == (np.float32, (4, 384))
    else:
        assert scores.dtype == np.float64


def test_empty_input_gives_empty_output(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    assert scored(model, [], []).shape == (0,)
    if hasattr(model, "encode"):
        assert model.encode([]).shape == (0, 384)
    if hasattr(model, "matrix"):
        assert model.matrix([], DOCUMENTS).shape == (0, 4)
        assert model.matrix(QUERIES, []).shape == (4, 0)


def test_empty_texts_get_finite_scores(family_models: FamilyModels, family: str) -> None:
    scores = scored(family_models.get(family), ["", QUERIES[0], ""], [DOCUMENTS[0], "", ""])
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()


def test_scores_and_fingerprint_are_reproducible(family_models: FamilyModels, family: str) -> None:
    model, again = family_models.get(family), family_models.load(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    assert np.array_equal(scores, scored(model, QUERIES, DOCUMENTS))
    assert np.array_equal(scores, scored(again, QUERIES, DOCUMENTS))
    assert model.fingerprint == again.fingerprint


def test_scores_do_not_depend_on_the_order(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    scores = scored(model, QUERIES, DOCUMENTS)
    np.testing.assert_allclose(scored(model, QUERIES[::-1], DOCUMENTS[::-1])[::-1], scores, rtol=1e-5, atol=1e-5)


def test_scores_do_not_depend_on_the_batch(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    together = scored(model, QUERIES * 2, DOCUMENTS * 2)
    if family in LEXICAL:
        # Word weights depend on the documents of a call, so only the queries are scored one by one.
        single = [float(model.matrix([query], DOCUMENTS)[0, at]) for at, query in enumerate(QUERIES)]
    else:
        single = [float(scored(model, [q], [d])[0]) for q, d in zip(QUERIES, DOCUMENTS, strict=True)]
    np.testing.assert_allclose(together, single * 2, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("family", WITH_MATRIX)
def test_the_matrix_agrees_with_the_scores_of_pairs(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    table = model.matrix(QUERIES, DOCUMENTS)
    assert (table.dtype, table.shape) == (np.float64, (4, 4))
    np.testing.assert_allclose(np.diag(table), model.score(QUERIES, DOCUMENTS), rtol=1e-5)


@pytest.mark.parametrize("family", KNOW_SIMILARITY)
def test_a_text_is_most_similar_to_itself(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    texts = ["The gardener waters the roses.", "No train stopped at the border.", "Quarterly profits fell sharply."]
    same, other = scored(model, texts, texts), scored(model, texts, texts[1:] + texts[:1])
    assert (same > other).all()


def test_name_facts_and_fingerprint_have_their_format(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    facts = model.facts()
    assert facts["family"] == model.name.partition(":")[0] == family.removesuffix(" pair")
    assert json.loads(json.dumps(facts)) == facts
    assert all(facts["libraries"].values())
    assert re.fullmatch(r"[0-9a-f]{64}", model.fingerprint)
    assert model.name in repr(model)


def test_fingerprints_differ_between_families(family_models: FamilyModels) -> None:
    assert len({family_models.get(family).fingerprint for family in FAMILIES}) == len(FAMILIES)


@pytest.mark.parametrize("family", NEURAL)
def test_the_fingerprint_changes_with_the_settings(family_models: FamilyModels, family: str) -> None:
    assert family_models.get(family, max_tokens=16).fingerprint != family_models.get(family).fingerprint


@pytest.mark.parametrize("family", NEURAL)
def test_texts_are_truncated_at_max_tokens(family_models: FamilyModels, family: str) -> None:
    long = "The committee met on the first Monday of the month and spoke at length about the bridge and its tolls."
    documents = [long, long + " It did not vote."]
    cut = scored(family_models.get(family, max_tokens=16), ["a bridge"] * 2, documents)
    whole = scored(family_models.get(family), ["a bridge"] * 2, documents)
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)
    assert abs(whole[0] - whole[1]) > 1e-5


def test_invalid_input_is_refused(family_models: FamilyModels, family: str) -> None:
    model = family_models.get(family)
    with pytest.raises(InputError, match="got a single text"):
        scored(model, "a query", ["a document"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"\[1\] is NoneType; expected text"):
        scored(model, ["a query", None], ["one", "two"])  # type: ignore[list-item]
    if hasattr(model, "score"):
        with pytest.raises(InputError, match="2 queries and 1 documents"):
            model.score(["one", "two"], ["one"])
    else:
        with pytest.raises(InputError, match="role is 'passage'"):
            model.encode(["one"], role="passage")
