"""The taxonomy benchmark: its format, its balance, and that no single word solves its items."""

from __future__ import annotations

import csv
from collections import Counter

import bm25s
import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from litotes.data import taxonomy_benchmark
from litotes.detection.parsed_cues import exceptor_entries
from litotes.errors import InputError
from litotes.stats import cohen_kappa
from litotes.taxonomy import leaves
from litotes.types import Contrast
from tests.conftest import REPOSITORY

DEV, TEST = taxonomy_benchmark("dev"), taxonomy_benchmark("test")
ITEMS = (*DEV, *TEST)
KINDS = [kind.name for kind in leaves()]
Scores = dict[str, float]


def test_every_kind_has_enough_items_in_both_halves_and_styles() -> None:
    counts = Counter(item.kind for item in ITEMS)
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 60
    for half in (DEV, TEST):
        styles = Counter((item.kind, item.style) for item in half)
        assert min(styles[kind, style] for kind in KINDS for style in ("free", "controlled")) >= 13
        assert len({item.domain for item in half}) == 12


def test_texts_and_ids_are_unique() -> None:
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    texts = [text for item in ITEMS for text in (item.q1, item.q2, item.doc1, item.doc2)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_the_lengths_of_an_item(item: Contrast) -> None:
    assert item.q2 is not None
    assert all(25 <= len(text.split()) <= 60 for text in (item.doc1, item.doc2))
    assert all(3 <= len(text.split()) <= 18 for text in (item.q1, item.q2))
    assert item.id.startswith(("dev-", "test-"))


def test_an_exceptors_second_query_asks_for_the_excluded_member_itself() -> None:
    sure = {"except", "besides", "excluding", "other than", "apart from", "aside from"}
    assert sure <= {entry.name for entries in exceptor_entries().values() for entry in entries}
    for item in ITEMS:
        if item.kind == "exceptor":
            assert item.q2 is not None
            assert not any(f" {cue} " in f" {item.q2.lower()} " for cue in sure), item.id


def _solved(scores: dict[str, Scores]) -> dict[str, float]:
    """Return, per kind, the percentage of items whose queries both find their document; a tie counts as wrong."""
    right: Counter[str] = Counter()
    for item in ITEMS:
        found = scores[item.id]
        first, second = found["q1 doc1"] > found["q1 doc2"], found["q2 doc2"] > found["q2 doc1"]
        right[item.kind] += first and second
    totals = Counter(item.kind for item in ITEMS)
    return {"all": 100 * sum(right.values()) / len(ITEMS)} | {k: 100 * right[k] / totals[k] for k in KINDS}


def _tfidf() -> dict[str, Scores]:
    vectors = TfidfVectorizer().fit([text for item in ITEMS for text in (item.doc1, item.doc2)])
    found: dict[str, Scores] = {}
    for item in ITEMS:
        queries = vectors.transform([item.q1, item.q2 or ""])
        documents = vectors.transform([item.doc1, item.doc2])
        grid = np.round((queries @ documents.T).toarray(), 9)
        found[item.id] = {f"q{q + 1} doc{d + 1}": float(grid[q, d]) for q in range(2) for d in range(2)}
    return found


def _bm25() -> dict[str, Scores]:
    """Score with BM25 without stop words, so that "not" counts."""
    documents = [text for item in ITEMS for text in (item.doc1, item.doc2)]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(documents, stopwords=[], show_progress=False), show_progress=False)
    found: dict[str, Scores] = {}
    for number, item in enumerate(ITEMS):
        found[item.id] = {}
        for name, query in (("q1", item.q1), ("q2", item.q2 or "")):
            tokens = bm25s.tokenize([query], stopwords=[], show_progress=False, return_ids=False)[0]
            scores = index.get_scores([token for token in tokens if token in index.vocab_dict])
            found[item.id][f"{name} doc1"] = round(float(scores[2 * number]), 6)
            found[item.id][f"{name} doc2"] = round(float(scores[2 * number + 1]), 6)
    return found


@pytest.mark.parametrize("scorer", [_tfidf, _bm25], ids=["tfidf", "bm25"])
def test_word_overlap_does_not_solve_the_items(scorer: object) -> None:
    assert callable(scorer)
    solved = _solved(scorer())
    assert solved["all"] <= 25, solved
    assert max(solved[kind] for kind in KINDS) <= 35, solved


def test_every_item_passed_the_second_annotation() -> None:
    path = REPOSITORY / "docs" / "benchmark" / "second_reading.tsv"
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    kept = {row["id"] for row in rows if row["verdict"] == "kept"}
    assert kept == {item.id for item in ITEMS}
    assert all(
        row["relevance"] == "right" and row["writer_kind"] == row["reader_kind"] for row in rows if row["id"] in kept
    )
    assert cohen_kappa([row["writer_kind"] for row in rows], [row["reader_kind"] for row in rows]) > 0.98


def test_an_unknown_split_is_an_error() -> None:
    with pytest.raises(InputError, match="expected dev or test"):
        taxonomy_benchmark("train")
