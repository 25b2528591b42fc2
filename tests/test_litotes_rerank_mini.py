"""litotes-rerank-mini, the shipped pair model on MiniLM and the default of `Reranker`."""

from __future__ import annotations

import json

import pytest

import litotes
from litotes.models.bases import RERANK_MINI, shipped
from litotes.models.pair.heads import RELEVANCE
from litotes.workflows.demo import DOCUMENTS, reranked
from tests.family_models import quiet
from tests.test_litotes_rerank import CONTRASTS


@pytest.fixture(scope="module")
def reranker() -> litotes.Reranker:
    with quiet():
        return litotes.Reranker()


def test_its_card() -> None:
    folder = shipped(RERANK_MINI).folder
    card = json.loads((folder / "pair.json").read_text(encoding="utf-8"))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12e6
    assert card["base"]["name"] == "minilm"
    assert card["heads"] == {RELEVANCE: []}
    assert set(card["reranking"]) == {"weight", "calibration"}


@pytest.mark.parametrize(("query", "right", "wrong"), CONTRASTS)
def test_the_document_that_answers_the_query_comes_first(
    reranker: litotes.Reranker, query: str, right: str, wrong: str
) -> None:
    assert [row["corpus_id"] for row in reranker.rank(query, [wrong, right])] == [1, 0]


def test_an_excluded_thing_ranks_below_the_rest(reranker: litotes.Reranker) -> None:
    documents = ["A recipe for borscht, the soup of beetroot.", "A recipe for a soup of leeks and potatoes."]
    assert [row["corpus_id"] for row in reranker.rank("soups other than borscht", documents)] == [1, 0]


def test_the_list_of_the_demonstration_improves() -> None:
    allowed = set(DOCUMENTS[:2])
    with quiet():
        before, after = reranked()
    assert set(before) == set(after) == set(DOCUMENTS)
    assert set(before[:2]) == allowed
    assert not set(after[:2]) & allowed


def test_the_guard_does_not_take_a_reranker_without_verdicts() -> None:
    with quiet(), pytest.raises(litotes.LitotesError, match="has no head 'verdict'"):
        litotes.Guard(RERANK_MINI)
