"""litotes-rerank, the shipped pair model on all-mpnet-base-v2: as a reranker and as the guard's tier `base`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.guard import Guard
from litotes.models.bases import RERANK, shipped
from litotes.models.pair.heads import LABELS, RELEVANCE, VERDICT
from tests.conftest import run_examples

ROOT = Path(__file__).parent.parent
CONTRASTS = [
    ("is the alarm on at night", "The alarm stays on after dark.", "The alarm is switched off after dark."),
    ("hotels without a pool", "The hotel has no pool.", "The hotel has a heated pool."),
    ("hotels with a pool", "The hotel has a heated pool.", "The hotel has no pool."),
    ("mushrooms that are safe to eat", "The cap of this mushroom is edible.", "The cap of this mushroom is poisonous."),
    ("who failed the exam", "Everyone but Ruth passed the exam.", "Everyone passed the exam, Ruth included."),
    ("lakes that never freeze", "The lake stays open all winter.", "The lake is covered with ice in winter."),
]
"""A query, the document that answers it, and one that does not."""
SAME = [
    ("How do I turn on dark mode?", "Where can I enable the dark theme?"),
    ("Don't forget to lock the shed.", "Remember to lock the shed."),
]
OTHER = [
    ("How do I turn on dark mode?", "How do I turn off dark mode?", "opposite"),
    ("Trains from Bern to Basel", "Trains from Basel to Bern", "direction"),
    ("Refund within 14 days", "Refund within 40 days", "number"),
]


@pytest.fixture(scope="module")
def reranker(mpnet: None) -> litotes.Reranker:
    return litotes.Reranker(RERANK)


def test_its_card() -> None:
    folder = shipped(RERANK).folder
    card = json.loads((folder / "pair.json").read_text(encoding="utf-8"))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12e6
    assert card["base"]["name"] == "mpnet"
    assert card["heads"] == {RELEVANCE: [], VERDICT: list(LABELS)}
    assert set(card["reranking"]) == {"weight", "calibration"}
    assert card["guard"]["precision"] >= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(("query", "right", "wrong"), CONTRASTS)
def test_the_document_that_answers_the_query_comes_first(
    reranker: litotes.Reranker, query: str, right: str, wrong: str
) -> None:
    assert [row["corpus_id"] for row in reranker.rank(query, [wrong, right])] == [1, 0]


@pytest.mark.slow
def test_the_logit_does_not_depend_on_the_batch(reranker: litotes.Reranker) -> None:
    pairs = [(query, text) for query, *texts in CONTRASTS for text in texts]
    together = reranker.predict(pairs)
    assert np.allclose(together, [reranker.predict(pair) for pair in pairs], atol=1e-4)


@pytest.mark.slow
def test_the_document_that_answers_the_query_is_more_probable(reranker: litotes.Reranker) -> None:
    right = reranker.predict([(query, text) for query, text, _ in CONTRASTS], calibrated=True)
    wrong = reranker.predict([(query, text) for query, _, text in CONTRASTS], calibrated=True)
    assert (right > wrong).all()
    assert ((wrong > 0) & (right < 1)).all()


@pytest.mark.slow
def test_a_plain_cross_encoder_loads_it(reranker: litotes.Reranker, tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder

    reranker.save(str(tmp_path / "saved"))
    plain = CrossEncoder(str(tmp_path / "saved"), device="cpu")
    pairs = [(query, text) for query, *texts in CONTRASTS for text in texts]
    scores = plain.predict(pairs, activation_fn=None, show_progress_bar=False)
    expected = 1 / (1 + np.exp(-reranker.predict(pairs).astype(float)))
    assert np.allclose(scores, expected, atol=1e-4)


@pytest.mark.slow
def test_the_guard_accepts_and_rejects(mpnet: None) -> None:
    guard = Guard("base", log=False)
    assert all(guard.judge(new, cached).same for new, cached in SAME)
    for new, cached, reason in OTHER:
        verdict, mirrored = guard.judge(new, cached), guard.judge(cached, new)
        assert (verdict.same, verdict.reason) == (False, reason)
        assert (mirrored.score, mirrored.words) == (verdict.score, verdict.words[::-1])


@pytest.mark.slow
def test_the_guard_does_not_accept_what_it_cannot_read(mpnet: None) -> None:
    guard = Guard("base", log=False)
    verdict = guard.judge("Book the flight \u2705", "Book the flight \u274c")
    assert (verdict.same, verdict.error) == (False, "base cannot tell \u2705 and \u274c apart")
    assert guard.judge("Thanks \U0001f642 how do I turn on dark mode?", "How do I turn on dark mode?").same


@pytest.mark.slow
def test_an_empty_document_ranks_last(reranker: litotes.Reranker) -> None:
    documents = ["The library opens at nine.", " ", "Bread is baked here."]
    for options in ({}, {"scores": [0.1, 0.9, 0.2]}, {"first_stage": False}):
        rows = reranker.rank("bakeries", documents, **options)
        assert rows[-1]["corpus_id"] == 1
        assert rows[-1]["score"] == min(row["score"] for row in rows)


@pytest.mark.slow
def test_the_ten_pairs_of_the_readme(mpnet: None) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## Ten pairs")[1].split("\n## ")[0]
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 12
    guard = Guard("base", log=False)
    for new, cached, shown in rows[2:]:
        verdict = guard.judge(new, cached)
        said = f"{verdict.reason} ({verdict.words[0] or '–'} / {verdict.words[1] or '–'})"
        start = "same answer**" if verdict.same else said
        assert shown == f"{start}, score {verdict.score:.2f}"


@pytest.mark.slow
def test_the_examples_of_the_docs(mpnet: None) -> None:
    for name in ("reranker.md", "guard.md", "howto-cache.md"):
        run_examples(ROOT / "docs" / name)
