"""Reranking with a pair model: windows, the first stage, exclusion and the public interface."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.pair.build import new_pair_scorer, save_pair_scorer
from litotes.models.pair.card import CARD
from litotes.models.pair.heads import RELEVANCE
from litotes.models.pair.scorer import WEIGHT
from litotes.models.pair_tokens import text_ids
from litotes.query import Reranker, rerank
from litotes.query.first_stage import checked_scores, combine, spread
from litotes.query.pair_explanation import explain_logit, reversed_sentences
from litotes.query.pair_reranking import PairReranker
from litotes.query.windows import windows
from tests.family_models import quiet
from tests.small_base import small_base

QUERY = "Is the bridge open?"
DOCUMENTS = [
    "The museum is closed.",
    "The bridge is open.",
    "Borscht is a soup of beetroot.",
    "The bridge is not open.",
]


def words(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the words of a text, as a tokenizer that knows every word would."""
    return [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]


def test_a_document_that_fits_is_one_window() -> None:
    (window,) = windows("One two three.", 3, words("One two three."))
    assert (window.text, window.start, window.end) == ("One two three.", 0, 14)
    assert windows("", 3, [])[0].text == ""


def test_windows_end_with_sentences_and_repeat_the_last_one_if_it_fits() -> None:
    text = "One two. Three four. Five six. Seven eight."
    found = windows(text, 4, words(text))
    assert [window.text for window in found] == [
        "One two. Three four.",
        "Three four. Five six.",
        "Five six. Seven eight.",
    ]
    assert [window.tokens for window in found] == [(0, 4), (2, 6), (4, 8)]
    assert all(text[window.start : window.end] == window.text for window in found)


def test_a_sentence_that_is_too_long_is_split_between_words_and_nothing_is_lost() -> None:
    text = " ".join(f"word{number}" for number in range(101)) + ". A short end."
    found = windows(text, 10, words(text))
    assert max(len(window.text.split()) for window in found) <= 10
    assert {word for window in found for word in window.text.split()} == set(text.split())
    # One word of 1,000 tokens has no space to be split at.
    solid = "x" * 1000
    parts = windows(solid, 100, [(at, at + 1) for at in range(1000)])
    assert "".join(window.text for window in parts) == solid
    # Two tokens per word, and three fit: a window has one word.
    text = "aa bb cc"
    halves = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]
    assert [window.text for window in windows(text, 3, halves)] == ["aa", "bb", "cc"]


def test_the_spread_ignores_outliers_and_has_a_floor_for_few_candidates() -> None:
    many = np.array([0.4, 0.6] * 10)
    assert spread(many) == pytest.approx(0.1)
    assert spread(10 * many) == pytest.approx(1.0)
    # Two near scores say little about a first stage: at least 0.15 of their median.
    assert spread(np.array([0.8, 0.8])) == pytest.approx(0.15 * 0.8)
    # BM25 gives most documents nothing: the few others still count.
    assert spread(np.array([4.0, *[0.0] * 15])) == pytest.approx(np.sqrt(15) / 4)


def test_logits_are_added_in_spreads_of_the_first_stage() -> None:
    first, logits = np.array([0.4, 0.6] * 10), np.arange(20.0)
    assert combine(first, logits, weight=0.5) == pytest.approx(first + 0.5 * 0.1 * logits)
    for constant in (0.5, 0.1, 0.0):
        assert combine(np.full(20, constant), logits, weight=0.5) == pytest.approx(logits)


def test_scores_must_be_numbers_one_per_document() -> None:
    with pytest.raises(InputError, match="2 scores for 3 documents; expected one score per document"):
        checked_scores([1.0, 2.0], 3)
    with pytest.raises(InputError, match="score 1 is nan; expected a finite number"):
        checked_scores([1.0, float("nan")], 2)
    with pytest.raises(InputError, match=r"the scores have the shape \(2, 1\); expected one number per document"):
        checked_scores([[1.0], [2.0]], 2)  # type: ignore[list-item]
    with pytest.raises(InputError, match=r"the scores are list .*; expected one number per document"):
        checked_scores(["high", "low"], 2)  # type: ignore[list-item]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An untrained pair model: its logits are arbitrary but fixed."""
    home = tmp_path_factory.mktemp("pair")
    base = small_base(home / "base")
    with quiet():
        scorer = new_pair_scorer(base, rank=2, longest=80, device="cpu")
        shape = {"rank": 2, "scale": 2.0, "layers": 0}
        return str(save_pair_scorer(scorer, home / "model", base=base, shape=shape))


@pytest.fixture(scope="module")
def reranker(folder: str) -> Reranker:
    with quiet():
        return Reranker(folder)


def logits(folder: str, query: str) -> np.ndarray:
    with quiet():
        return PairReranker(folder).scorer.logits([query] * len(DOCUMENTS), DOCUMENTS, head=RELEVANCE)


def test_without_a_first_stage_the_logit_ranks(reranker: Reranker, folder: str) -> None:
    expected = logits(folder, QUERY)
    rows = reranker.rank(QUERY, DOCUMENTS, first_stage=False, return_documents=True)
    assert [row["corpus_id"] for row in rows] == np.argsort(-expected).tolist()
    assert [row["score"] for row in rows] == pytest.approx(sorted(expected, reverse=True), abs=1e-5)
    assert all(DOCUMENTS[row["corpus_id"]] == row["text"] for row in rows)
    predicted = reranker.predict([(QUERY, text) for text in DOCUMENTS])
    assert predicted == pytest.approx(expected, abs=1e-5)
    assert float(reranker.predict((QUERY, DOCUMENTS[0]))) == pytest.approx(expected[0], abs=1e-5)


def test_given_scores_are_the_first_stage(reranker: Reranker, folder: str) -> None:
    first = [3.0, 9.0, 1.0, 8.0]
    expected = combine(np.array(first), logits(folder, QUERY), weight=0.7)
    rows = reranker.rank(QUERY, DOCUMENTS, scores=first, weight=0.7, top_k=2)
    assert [row["corpus_id"] for row in rows] == np.argsort(-expected)[:2].tolist()
    assert rows[0]["score"] == pytest.approx(expected.max(), abs=1e-5)


def test_the_base_is_the_first_stage_by_default(reranker: Reranker, folder: str) -> None:
    with quiet():
        base = PairReranker(folder).base
        cosines = base.encode(DOCUMENTS, role="document") @ base.encode([QUERY], role="query")[0]
        rows = reranker.rank(QUERY, DOCUMENTS)
    expected = combine(cosines, logits(folder, QUERY), weight=WEIGHT)
    assert {row["corpus_id"]: row["score"] for row in rows} == pytest.approx(dict(enumerate(expected)), abs=1e-5)


def test_rerankers_of_one_model_share_its_base(folder: str) -> None:
    scorer = PairReranker(folder).scorer
    assert PairReranker(scorer).base is PairReranker(scorer).base
    assert PairReranker(scorer).base is not PairReranker(folder).base


def test_an_excluded_part_is_read_apart_and_subtracted(folder: str) -> None:
    query = "soups other than borscht"
    with quiet():
        pair = PairReranker(folder)
        ranked = pair.rank(query, DOCUMENTS, first_stage=False)
        whole = pair.rank(query, DOCUMENTS, first_stage=False, exclude=False)
    expected = logits(folder, "soups") - logits(folder, "borscht")
    assert {one.place: one.logit for one in ranked} == pytest.approx(dict(enumerate(expected)), abs=1e-4)
    assert {one.place: one.logit for one in whole} == pytest.approx(dict(enumerate(logits(folder, query))), abs=1e-4)


def test_long_queries_can_be_cut(folder: str) -> None:
    long = "bridge " * 100
    with quiet():
        (reading,) = PairReranker(folder, cut_queries=True).read([long], [DOCUMENTS[0]])
        # A window of 80 tokens has three special ones, and half of the others are for the document.
        (expected,) = PairReranker(folder).read(["bridge " * 39], [DOCUMENTS[0]])
    assert reading.logit == pytest.approx(expected.logit, abs=1e-5)


def test_the_best_window_of_a_long_document_counts(folder: str) -> None:
    long = " ".join(f"Sentence number {number} is about bridge {number}." for number in range(60))
    with quiet():
        pair = PairReranker(folder)
        (reading,) = pair.read([QUERY], [long])
        ids = text_ids(pair.scorer.tokenizer, [QUERY, long])
        (each,) = pair._windows([QUERY], [long], ids)
        scores = pair.scorer.logits([QUERY] * len(each), [window.text for window in each], head=RELEVANCE)
    assert reading.windows == len(each) > 3
    assert reading.logit == pytest.approx(scores.max(), abs=1e-5)
    assert long[reading.window.start : reading.window.end] == reading.window.text
    # The tokens of a window are a part of the document's, and the same as if it was tokenised by itself.
    for window in each:
        assert text_ids(pair.scorer.tokenizer, [window.text])[window.text].tolist() == ids[window.text].tolist()
    (row,) = Reranker(folder).rank(QUERY, [long], first_stage=False)
    assert row["window"] == (reading.window.start, reading.window.end)


def test_unusual_input_is_defined_or_refused(reranker: Reranker, folder: str) -> None:
    assert reranker.rank(QUERY, []) == []
    assert reranker.predict([]).shape == (0,)
    assert len(reranker.rank(QUERY, ["", "…", "Die Brücke ist offen."], first_stage=False)) == 3
    with pytest.raises(InputError, match="reads at most"):
        reranker.rank("bridge " * 100, DOCUMENTS)
    with pytest.raises(InputError, match="the query is int; expected a text"):
        reranker.rank(7, DOCUMENTS)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the documents are str; expected a list of texts"):
        reranker.rank(QUERY, "The bridge is open.")
    with pytest.raises(InputError, match=r"documents\[1\] is NoneType; expected text"):
        reranker.rank(QUERY, ["The bridge is open.", None])  # type: ignore[list-item]
    for wrong in (0, "2"):
        with pytest.raises(InputError, match=r"top_k is .*; expected 1 or more"):
            reranker.rank(QUERY, DOCUMENTS, top_k=wrong)  # type: ignore[arg-type]
    assert len(reranker.rank(QUERY, DOCUMENTS, top_k=99, first_stage=False)) == len(DOCUMENTS)
    assert len(reranker.rank(QUERY, [DOCUMENTS[0]] * 3, first_stage=False)) == 3
    with pytest.raises(InputError, match="pair 0 is None; expected a query and a document"):
        reranker.predict([None])  # type: ignore[list-item]
    with pytest.raises(InputError, match="got a single text"):
        reranker.rank_all(QUERY, [DOCUMENTS])
    with quiet(), pytest.raises(InputError, match="beta is nan; expected a number from 0 to 1"):
        rerank(QUERY, DOCUMENTS, model=reranker, beta=float("nan"))
    with pytest.raises(InputError, match="scores has no effect with first_stage=False"):
        reranker.rank(QUERY, DOCUMENTS, first_stage=False, scores=[1, 2, 3, 4])
    with pytest.raises(InputError, match="weight is -1; expected a number of at least 0"):
        reranker.rank(QUERY, DOCUMENTS, weight=-1)
    for unknown in ("never", 0):
        with pytest.raises(InputError, match=f"exclude is {unknown!r}"):
            Reranker(folder, exclude=unknown)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="first_stage is 0; expected True or False"):
        reranker.rank(QUERY, DOCUMENTS, first_stage=0)  # type: ignore[arg-type]
    assert Reranker(Path(folder)).reads_pairs
    assert Reranker(PairReranker(folder).scorer).reads_pairs
    with pytest.raises(InputError, match="is a pair model; only a tower has a dial"):
        Reranker(folder, dial=0.3)
    with quiet(), pytest.raises(InputError, match="scores is for a pair model, and this model is an encoder"):
        Reranker(str(Path(folder).parent / "base")).rank(QUERY, DOCUMENTS, scores=[1, 2, 3, 4])


def test_batches_of_queries_have_the_results_of_single_ones(reranker: Reranker) -> None:
    queries = [QUERY, "soups other than borscht", "museums"]
    lists = [DOCUMENTS, DOCUMENTS[1:], []]
    with quiet():
        together = reranker.rank_all(queries, lists, top_k=3, return_documents=True)
        single = [reranker.rank(query, texts, 3, True) for query, texts in zip(queries, lists, strict=True)]
        given = reranker.rank_all(queries[:1], lists[:1], scores=[[3.0, 9.0, 1.0, 8.0]], weight=0.7)
        alone = reranker.rank(QUERY, DOCUMENTS, scores=[3.0, 9.0, 1.0, 8.0], weight=0.7)
    for rows, expected in ((*pair,) for pair in zip([*together, given[0]], [*single, alone], strict=True)):
        assert [row["corpus_id"] for row in rows] == [row["corpus_id"] for row in expected]
        assert [row["score"] for row in rows] == pytest.approx([row["score"] for row in expected], abs=1e-5)
    assert together[2] == []
    with pytest.raises(InputError, match="3 queries and 2 lists of documents; expected as many lists"):
        reranker.rank_all(queries, lists[:2])
    with pytest.raises(InputError, match="1 lists of scores for 3 queries; expected one list per query"):
        reranker.rank_all(queries, lists, scores=[[1.0]])


def test_a_card_can_have_a_weight_and_a_calibration(folder: str, tmp_path: Path) -> None:
    with quiet(), pytest.raises(InputError, match="is not calibrated"):
        Reranker(folder).predict([(QUERY, DOCUMENTS[0])], calibrated=True)
    copy = shutil.copytree(folder, tmp_path / "model")
    card = json.loads((copy / CARD).read_text(encoding="utf-8"))
    fitted = {"weight": 0.3, "calibration": {"slope": 2.0, "offset": -1.0}}
    (copy / CARD).write_text(json.dumps(card | {"reranking": fitted}), encoding="utf-8")
    with quiet():
        reranker = Reranker(str(copy))
        rows = reranker.rank(QUERY, DOCUMENTS, scores=[3.0, 9.0, 1.0, 8.0], calibrated=True)
        explicit = Reranker(folder).rank(QUERY, DOCUMENTS, scores=[3.0, 9.0, 1.0, 8.0], weight=0.3)
    assert [row["score"] for row in rows] == pytest.approx([row["score"] for row in explicit], abs=1e-6)
    expected = 1 / (1 + np.exp(-(2 * logits(folder, QUERY) - 1)))
    assert {row["corpus_id"]: row["probability"] for row in rows} == pytest.approx(dict(enumerate(expected)), abs=1e-5)
    assert reranker.predict([(QUERY, DOCUMENTS[0])], calibrated=True) == pytest.approx(expected[:1], abs=1e-5)
    (copy / CARD).write_text(json.dumps(card | {"reranking": {"calibration": {"slope": 1}}}), encoding="utf-8")
    with quiet(), pytest.raises(InputError, match="expected a weight, and a calibration with slope and offset"):
        Reranker(str(copy))


def test_reversed_sentences_deny_what_was_affirmed_and_the_other_way_round() -> None:
    sentences = ["Lorries may not use it.", "The bridge is open.", "Hello there!"]
    assert reversed_sentences(sentences) == ["Lorries may use it.", "The bridge isn't open.", None]


@pytest.mark.parametrize(
    ("removed", "turned", "decided_by"),
    [(-1.0, -9.0, "polarity"), (-9.0, -1.0, "topic"), (4.0, 4.0, "topic")],
)
def test_the_sentence_that_changes_the_logit_most_decided(removed: float, turned: float, decided_by: str) -> None:
    text = "The bridge opened in 1931. Lorries may not use it. Cyclists pay a toll."

    def score(versions: Any) -> np.ndarray:
        changes = [removed if "use" not in one else turned if "not" not in one else 0.5 for one in versions]
        return np.array([2.0 + change for change in changes])

    found = explain_logit(text, 2.0, score)
    assert (found.sentence, found.decided_by) == ("Lorries may not use it.", decided_by)
    assert found.reversed_logit == pytest.approx(2.0 + turned)
    unknown = explain_logit("Hello there!", 2.0, lambda versions: np.zeros(len(versions)))
    assert (unknown.sentence, unknown.decided_by, unknown.reversed_logit) == ("Hello there!", "", None)


def test_explained_rows_name_a_sentence(reranker: Reranker, folder: str) -> None:
    documents = ["The bridge is open. Cyclists pay a toll.", "", "The museum is closed."]
    with quiet():
        rows = reranker.rank(QUERY, documents, explain=True, top_k=2)
        results = rerank(QUERY, documents, model=reranker, explain=True)
        named = rerank(QUERY, documents, 1, model=folder, first_stage=False)
    assert all(row["decided_by"] in ("polarity", "topic", "") for row in rows)
    assert all(row["sentence"] in documents[row["corpus_id"]] for row in rows)
    assert [result.place for result in results[:2]] == [row["corpus_id"] for row in rows]
    assert all(result.logit is not None and result.decided_by in result.why() for result in results if result.text)
    assert sorted(result.before for result in results) == [1, 2, 3]
    assert named[0].logit == named[0].score


def test_a_saved_reranker_is_a_plain_cross_encoder(reranker: Reranker, folder: str, tmp_path: Path) -> None:
    library = require("sentence_transformers")
    reranker.save(str(tmp_path / "saved"))
    with quiet():
        cross = library.CrossEncoder(str(tmp_path / "saved"), device="cpu")
        pairs = [(QUERY, text) for text in DOCUMENTS]
        scores = cross.predict(pairs, activation_fn=require("torch").nn.Identity(), show_progress_bar=False)
        ranked = cross.rank(QUERY, DOCUMENTS)
        ours: Any = load(f"cross:{tmp_path / 'saved'}", device="cpu")
        half: Any = load(f"cross:{tmp_path / 'saved'}", device="cpu", dtype="bfloat16")
    assert scores == pytest.approx(logits(folder, QUERY), abs=1e-4)
    assert [row["corpus_id"] for row in ranked] == np.argsort(-logits(folder, QUERY)).tolist()
    assert ours.score([QUERY] * len(DOCUMENTS), DOCUMENTS) == pytest.approx(logits(folder, QUERY), abs=1e-4)
    assert half.score([QUERY] * len(DOCUMENTS), DOCUMENTS) == pytest.approx(logits(folder, QUERY), abs=0.05)
    assert not list((tmp_path / "saved").glob("*.py"))
    with quiet(), pytest.raises(InputError, match="expected a pair model"):
        Reranker(str(Path(folder).parent / "base")).save(str(tmp_path / "other"))
