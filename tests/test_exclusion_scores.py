"""Scores of documents for queries that exclude something."""

from __future__ import annotations

import numpy as np
import pytest

import litotes
from litotes.errors import InputError
from litotes.query import rescore
from litotes.query.exclusion_scores import _naming, exclusion_scores
from litotes.types import Exclusion

KEPT = np.array([1.0, 0.0, 0.0])
ITEM = np.array([[0.0, 1.0, 0.0]])
BOTH = np.array([[0.6, 0.8, 0.0]])


def test_a_document_below_the_threshold_keeps_its_score() -> None:
    documents = np.array([[0.8, 0.1, 0.0], [0.8, 0.5, 0.0]])
    scores = exclusion_scores(KEPT, ITEM, BOTH, documents, [100, 100])
    # What the item adds to the kept part is (0, 1, 0). q is 0.3·(1, 0, 0) + 0.7·(0.6, 0.8, 0) = (0.72, 0.56, 0).
    # The second document is 0.5 near the item, 0.2 above the threshold of long documents, times 2.
    assert scores == pytest.approx([0.8 * 0.72 + 0.1 * 0.56, 0.8 * 0.72 + 0.5 * 0.56 - 2 * 0.2])


def test_the_threshold_grows_with_the_length() -> None:
    document = np.array([[0.8, 0.5, 0.0]] * 4)
    scores = exclusion_scores(KEPT, ITEM, BOTH, document, [1, 10, 25, 40])
    wished = 0.8 * 0.72 + 0.5 * 0.56
    # The thresholds are 0.22, 0.22, half way between 0.22 and 0.3, and 0.3.
    assert scores == pytest.approx([wished - 2 * (0.5 - tau) for tau in (0.22, 0.22, 0.26, 0.3)])


def test_the_nearest_item_counts() -> None:
    items = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    both = np.array([[0.6, 0.8, 0.0], [0.6, 0.0, 0.8]])
    near_second = exclusion_scores(KEPT, items, both, np.array([[0.8, 0.1, 0.5]]), [100])
    wished = 0.8 * 0.72 + (0.1 + 0.5) * 0.28
    assert near_second == pytest.approx([wished - 2 * (0.5 - 0.3)])


def test_results_are_scored_again() -> None:
    model = litotes.load("litotes-mini", device="cpu")
    texts = ["borscht", "beetroot borscht with dill", "miso soup", "leek and potato soup", "apple pie"]
    stored = model.encode_document(texts)
    split = Exclusion("soups other than borscht", "soups", ("borscht",))
    scores = rescore(split, stored, texts, model=model)
    assert set(np.argsort(-scores)[:2].tolist()) == {2, 3}
    plain = rescore("soups", stored, texts, model=model)
    assert plain == pytest.approx(stored @ model.encode_query("soups"), abs=1e-6)
    with pytest.raises(InputError, match="got 5 vectors and 1 texts; expected one text per vector"):
        rescore("soups", stored, texts[:1], model=model)
    with pytest.raises(InputError, match="the vectors have 10 columns; those of the model have 512"):
        rescore(split, stored[:, :10], texts, model=model)


def test_a_short_document_that_names_the_item_loses_more(monkeypatch: pytest.MonkeyPatch) -> None:
    model = litotes.load("litotes-mini", device="cpu")
    split = Exclusion("granola without nuts", "granola", ("nuts",))
    long = "Granola with nuts " + "and honey " * 20
    texts = ["Granola with nuts and honey", "Nut-free granola, 500 g", "Granola without nuts, 500 g", long]
    stored = model.encode_document(texts)
    scores = rescore(split, stored, texts, model=model)
    monkeypatch.setattr("litotes.query.exclusion_scores.NAMED", 0)
    # A document that says that it has no nuts does not name them; 40 words or more are not short.
    assert rescore(split, stored, texts, model=model) - scores == pytest.approx([0.5, 0, 0, 0])
    assert _naming(split).search("A nut bar")
    assert not _naming(split).search("Minuts granola")
    assert not _naming(Exclusion("granola", "granola")).search("granola")
