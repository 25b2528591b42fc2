"""Test reranking: the formula of its score, the chosen sentence, exclusion, and invalid input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.detection.sentences import sentence_spans
from litotes.errors import InputError
from litotes.models import Polarity
from litotes.query import BETA, EXCLUSION_DIAL_SHARE, Reranker, beside, load, rerank
from tests.family_models import quiet
from tests.small_tower import DEFAULT_DIAL, small_encoder, small_tower

PASSAGES = [
    "The harbour was dug in 1890. Ships cannot enter it at low tide. A light stands on the pier.",
    "The harbour was dug in 1890. Ships can enter it at low tide. A light stands on the pier.",
    "Bread is baked before dawn. The oven stays hot until noon.",
    "Borscht is a soup of beetroot. It is eaten cold in summer.",
]
QUERY = "a harbour that ships can enter at low tide"


@pytest.fixture
def model() -> Any:
    return small_encoder()


def _blocks(model: Any, text: str) -> tuple[np.ndarray, np.ndarray]:
    row = model.encode(text).astype(np.float64)
    return row[:-128] / np.sqrt(0.8), row[-128:] / np.sqrt(0.2)


@pytest.mark.parametrize("dial", [None, 0.0, 0.6])
def test_the_score_combines_f_of_the_passage_and_g_of_the_sentence(model: Any, dial: float | None) -> None:
    w = 0.2 if dial is None else dial
    f_query, g_query = _blocks(model, QUERY)
    for result in rerank(QUERY, PASSAGES, model=model, dial=dial):
        assert result.text == PASSAGES[result.place]
        assert result.sentence in result.text
        expected = (1 - w) * f_query @ _blocks(model, result.text)[0]
        if w:
            assert result.polarity == pytest.approx(g_query @ _blocks(model, result.sentence)[1], abs=1e-4)
            expected += w * result.polarity
        assert result.score == pytest.approx(expected, abs=1e-4)


def test_polarity_comes_from_the_sentence_nearest_to_the_query(model: Any) -> None:
    sentences = {result.place: result.sentence for result in rerank(QUERY, PASSAGES, model=model)}
    assert sentences[0] == "Ships cannot enter it at low tide."
    assert sentences[1] == "Ships can enter it at low tide."


def test_results_have_ranks_and_explanations(model: Any) -> None:
    first, second, third = rerank(QUERY, PASSAGES, 3, model=model)
    assert (first.rank, second.rank, third.rank) == (1, 2, 3)
    assert first.score > second.score > third.score
    assert sorted(result.before for result in rerank(QUERY, PASSAGES, model=model)) == [1, 2, 3, 4]
    assert first.why().startswith(f"1 (was {first.before}, ")
    assert first.sentence in first.why()
    assert first.line()["place"] == first.place


def test_what_is_excluded_moves_down(model: Any) -> None:
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    whole = rerank("soups other than borscht", texts, model=model, exclude=False, dial=0.0)
    split = rerank("soups other than borscht", texts, model=model, dial=0.0)
    assert [result.place for result in whole] == [0, 1]
    assert [result.place for result in split] == [1, 0]
    assert split[1].excluded == ("borscht",)
    assert "excluded (borscht)" in split[1].why()
    kept, excluded = (_blocks(model, text)[0] for text in ("soups", "borscht"))
    query = kept - BETA * excluded
    assert split[0].score == pytest.approx(_blocks(model, texts[1])[0] @ query / np.linalg.norm(query), abs=1e-4)


def test_a_query_that_excludes_has_half_the_default_dial(model: Any) -> None:
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    default = model.transformers_model.config.default_w
    for query, dial in (("soups other than borscht", EXCLUSION_DIAL_SHARE * default), ("soups", default)):
        without, with_dial = (rerank(query, texts, model=model, dial=given) for given in (None, dial))
        assert [each.score for each in without] == pytest.approx([each.score for each in with_dial], abs=1e-6)


def test_a_model_without_a_tower_can_only_exclude() -> None:
    with quiet():
        minilm = load("minilm", device="cpu")
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    results = rerank("soups other than borscht", texts, model=minilm)
    assert [result.place for result in results] == [1, 0]
    assert [result.polarity for result in results] == [0, 0]
    with pytest.raises(InputError, match=r"the dial is 0\.3, but this model has no tower"):
        rerank("soups", texts, model=minilm, dial=0.3)
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, False or a list of texts"):
        rerank("soups", texts, model=minilm, exclude="never")


@pytest.mark.parametrize("query", [QUERY, "soups other than borscht"])
@pytest.mark.parametrize("dial", [None, 0.0, 0.6])
def test_a_block_beside_the_base_of_its_tower_reranks_like_the_tower(
    model: Any, query: str, dial: float | None
) -> None:
    with quiet():
        minilm = load("minilm", device="cpu")
    encoder = beside(minilm, block=Polarity(small_tower()), dial=DEFAULT_DIAL)
    texts = [*PASSAGES, "Miso soup is made from soybeans. It is eaten at breakfast."]
    theirs, ours = (rerank(query, texts, model=each, dial=dial) for each in (model, encoder))
    for one, other in zip(theirs, ours, strict=True):
        assert (one.place, one.sentence, one.excluded) == (other.place, other.sentence, other.excluded)
        for name in ("score", "match", "polarity", "near_excluded"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-4)


def test_a_reranker_takes_an_encoder_with_a_block_beside_it() -> None:
    def letters(texts: Sequence[str]) -> np.ndarray:
        return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])

    encoder = beside(letters, block=Polarity(small_tower()), dial=DEFAULT_DIAL)
    reranker = Reranker(encoder, dial=0.5)
    assert not reranker.reads_pairs
    (best, *_) = reranker.rank(QUERY, PASSAGES, return_documents=True)
    f, g = (encoder.base_vectors([QUERY])[0], encoder.blocks([QUERY])[0])
    (result, *_) = rerank(QUERY, PASSAGES, model=reranker)
    expected = 0.5 * encoder.base_vectors([best["text"]])[0] @ f + 0.5 * encoder.blocks([result.sentence])[0] @ g
    assert (best["score"], best["corpus_id"]) == (pytest.approx(expected, abs=1e-4), result.place)
    with pytest.raises(InputError, match="the dial is 2; expected a number from 0"):
        Reranker(encoder, dial=2)
    with pytest.raises(InputError, match="scores is for a pair model"):
        reranker.rank(QUERY, PASSAGES, scores=[0.0] * len(PASSAGES))


def test_empty_and_invalid_input(model: Any) -> None:
    assert rerank(QUERY, [], model=model) == []
    (result,) = rerank(QUERY, [""], model=model)
    assert result.sentence == ""
    with pytest.raises(InputError, match="expected a list of texts"):
        rerank(QUERY, "one text", model=model)
    with pytest.raises(InputError, match="the query is int; expected a text"):
        rerank(3, PASSAGES, model=model)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k is 0; expected 1 or more"):
        rerank(QUERY, PASSAGES, 0, model=model)


def test_truncated_sentences_are_ignored(model: Any) -> None:
    (result,) = rerank(QUERY, ["Rain fell on the town. " * 200 + "Ships can enter the harbour."], model=model)
    assert result.sentence == "Rain fell on the town."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        (
            "Dr. Smith came in Jan. 1990 from the U.S. by sea. He left.",
            ["Dr. Smith came in Jan. 1990 from the U.S. by sea.", "He left."],
        ),
        ("J. R. Hill wrote it (e.g. The Farm). Fine.", ["J. R. Hill wrote it (e.g. The Farm).", "Fine."]),
        ("“Why not?” she said. It rained.", ["“Why not?” she said.", "It rained."]),
        ("no marks", ["no marks"]),
        ("a heading\n\nThen text.", ["a heading", "Then text."]),
        ("", [""]),
    ],
)
def test_sentences_are_split_at_punctuation(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == expected


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a folder"):
        rerank(QUERY, PASSAGES, model=str(tmp_path / "none.txt"))
