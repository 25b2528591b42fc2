"""Reranking: the score by its formula, the sentence it was judged on, exclusion on top, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.detection.sentences import sentences
from litotes.errors import InputError
from litotes.models.tower import grow, save_delta
from litotes.query import BETA, CALM, load, rerank
from tests.model_shelf import quiet

PASSAGES = [
    "The harbour was dug in 1890. Ships cannot enter it at low tide. A light stands on the pier.",
    "The harbour was dug in 1890. Ships can enter it at low tide. A light stands on the pier.",
    "Bread is baked before dawn. The oven stays hot until noon.",
    "Borscht is a soup of beetroot. It is eaten cold in summer.",
]
QUERY = "a harbour that ships can enter at low tide"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with quiet():
        made = grow("minilm", shared_layers=5, own_layers=1, default_w=0.2, seed=7, device="cpu")
        folder = save_delta(made, tmp_path_factory.mktemp("rerank") / "tower", dtype="float32")
        return load(str(folder), device="cpu")


def _blocks(model: Any, text: str) -> tuple[np.ndarray, np.ndarray]:
    row = model.encode(text).astype(np.float64)
    return row[:-128] / np.sqrt(0.8), row[-128:] / np.sqrt(0.2)


@pytest.mark.parametrize("dial", [None, 0.0, 0.6])
def test_the_score_is_the_passages_f_and_the_sentences_g(model: Any, dial: float | None) -> None:
    w = 0.2 if dial is None else dial
    f_query, g_query = _blocks(model, QUERY)
    for one in rerank(QUERY, PASSAGES, model=model, dial=dial):
        assert one.text == PASSAGES[one.place]
        assert one.sentence in one.text
        expected = (1 - w) * f_query @ _blocks(model, one.text)[0]
        if w:
            assert one.polarity == pytest.approx(g_query @ _blocks(model, one.sentence)[1], abs=1e-4)
            expected += w * one.polarity
        assert one.score == pytest.approx(expected, abs=1e-4)


def test_polarity_is_judged_on_the_sentence_nearest_to_the_query(model: Any) -> None:
    found = {one.place: one.sentence for one in rerank(QUERY, PASSAGES, model=model)}
    assert found[0] == "Ships cannot enter it at low tide."
    assert found[1] == "Ships can enter it at low tide."


def test_ranks_and_moves_are_told(model: Any) -> None:
    found = rerank(QUERY, PASSAGES, 3, model=model)
    assert [one.rank for one in found] == [1, 2, 3]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    everything = rerank(QUERY, PASSAGES, model=model)
    assert sorted(one.before for one in everything) == [1, 2, 3, 4]
    assert everything[0].why().startswith(f"1 (was {everything[0].before}, ")
    assert everything[0].sentence in everything[0].why()
    assert everything[0].line()["place"] == everything[0].place


def test_what_is_left_out_goes_down(model: Any) -> None:
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    whole = rerank("soups other than borscht", texts, model=model, exclude=False, dial=0.0)
    heard = rerank("soups other than borscht", texts, model=model, dial=0.0)
    assert [one.place for one in whole] == [0, 1]
    assert [one.place for one in heard] == [1, 0]
    assert heard[1].excluded == ("borscht",)
    assert "left out (borscht)" in heard[1].why()
    kept, thing = (_blocks(model, text)[0] for text in ("soups", "borscht"))
    turned = kept - BETA * thing
    f_text = _blocks(model, texts[1])[0]
    assert heard[0].score == pytest.approx(f_text @ turned / np.linalg.norm(turned), abs=1e-4)


def test_where_something_is_left_out_the_tower_counts_half_unless_a_dial_is_given(model: Any) -> None:
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    own = model.transformers_model.config.default_w
    heard = rerank("soups other than borscht", texts, model=model)
    asked = rerank("soups other than borscht", texts, model=model, dial=CALM * own)
    assert [one.score for one in heard] == pytest.approx([one.score for one in asked], abs=1e-6)
    plain, same = (rerank("soups", texts, model=model, dial=dial) for dial in (None, own))
    assert [one.score for one in plain] == pytest.approx([one.score for one in same], abs=1e-6)


def test_a_model_without_a_tower_hears_exclusions_alone() -> None:
    with quiet():
        minilm = load("minilm", device="cpu")
    texts = [PASSAGES[3], "Miso soup is made from soybeans. It is eaten at breakfast."]
    found = rerank("soups other than borscht", texts, model=minilm)
    assert [one.place for one in found] == [1, 0]
    assert [one.polarity for one in found] == [0, 0]
    with pytest.raises(InputError, match=r"the dial is 0\.3 and this model has no tower"):
        rerank("soups", texts, model=minilm, dial=0.3)
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, or False"):
        rerank("soups", texts, model=minilm, exclude="never")


def test_nothing_and_bad_input(model: Any) -> None:
    assert rerank(QUERY, [], model=model) == []
    (one,) = rerank(QUERY, [""], model=model)
    assert one.sentence == ""
    with pytest.raises(InputError, match="expected a list of texts"):
        rerank(QUERY, "one text", model=model)
    with pytest.raises(InputError, match="the query is int; expected a text"):
        rerank(3, PASSAGES, model=model)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k is 0; expected 1 or more"):
        rerank(QUERY, PASSAGES, 0, model=model)


def test_a_text_longer_than_the_model_reads_is_judged_on_what_it_read(model: Any) -> None:
    (one,) = rerank(QUERY, ["Rain fell on the town. " * 200 + "Ships can enter the harbour."], model=model)
    assert one.sentence == "Rain fell on the town."


@pytest.mark.parametrize(
    ("text", "wanted"),
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
def test_sentences_by_their_marks(text: str, wanted: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == wanted


def test_folders_are_models(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        rerank(QUERY, PASSAGES, model=str(tmp_path / "none.txt"))
