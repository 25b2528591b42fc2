"""Test the metric: scores of a scorer that counts words, cosine baselines, signatures, windows and explanations."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.errors import InputError
from litotes.metric import EVALUATE_MODULE, CorpusScore, Metric, Score
from litotes.metric.windows import TokenLimit, windows
from litotes.models.pair.build import new_pair_scorer
from litotes.models.pair.heads import SCORE
from litotes.models.pair.metric import PairMetric
from tests.family_models import dense_minilm, quiet


class WordScorer:
    """Scores by the share of common words; a "not" in only one text divides the score by ten. A word is a token."""

    def __init__(self, facts: Mapping[str, str] | None = None, *, longest: int = 23) -> None:
        self.name, self.longest = "words", longest
        self._facts = {"weights sha256": "0123456789abcdef", "base": "none", "base sha256": "fedcba9876543210"}
        self._facts |= facts or {}
        self.scored: list[tuple[str, str]] = []

    def score(self, candidates: Sequence[str], references: Sequence[str], *, batch: int = 32) -> np.ndarray:
        pairs = list(zip(references, candidates, strict=True))
        self.scored += pairs
        return np.array([self._one(*map(_words, pair)) for pair in pairs])

    @staticmethod
    def _one(left: list[str], right: list[str]) -> float:
        share = len(set(left) & set(right)) / max(1, len(set(left)), len(set(right)))
        return share * (0.1 if (left.count("not") + right.count("not")) % 2 else 1.0)

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def facts(self) -> dict[str, str]:
        return self._facts


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@pytest.fixture
def metric() -> Metric:
    return Metric(WordScorer())


@pytest.fixture(scope="module")
def cosine() -> Metric:
    return Metric("cosine:dense:minilm", device="cpu")


@pytest.mark.parametrize(
    ("reference", "candidate", "expected"),
    [
        ("the mill burned", "the mill burned", 1.0),
        ("the mill burned", "the barn burned", 2 / 3),
        ("the mill burned down", "the mill not burned", 0.075),
        # empty texts
        ("the mill burned", "", 0.0),
        ("the mill burned", " \n", 0.0),
        ("the mill burned", "…?!", 0.0),
        ("", "the mill burned", 0.0),
        ("", "—", 1.0),
        # white space, composed characters, half of a surrogate pair
        ("the  mill\tburned", " the mill burned\n", 1.0),
        ("cafe\u0301 closed", "caf\u00e9 closed", 1.0),
        ("the mill", "the \ud83d", 0.5),
    ],
)  # fmt: skip
def test_scores_of_pairs(metric: Metric, reference: str, candidate: str, expected: float) -> None:
    (score,) = metric.score([candidate], [reference])
    assert float(score) == pytest.approx(expected)
    assert (score.reference, score.candidate) == (reference, candidate)


def test_the_first_of_the_best_references_counts(metric: Metric) -> None:
    references = [["a barn", "the mill burned", "the mill burned"], "the barn"]
    first, second = metric.score(["the mill burned", "the mill"], references)
    assert (first.value, first.which, first.reference) == (1.0, 1, "the mill burned")
    assert (second.value, second.which) == (0.5, 0)
    assert ("refs:3" in first.signature, "refs:1" in second.signature) == (True, True)
    assert first.line() == {
        "reference": "the mill burned",
        "candidate": "the mill burned",
        "score": 1.0,
        "which": 1,
    }


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        ("a mill", ["a mill"], "candidates is a single text .*expected a list"),
        (["a mill"], "a mill", "references is a single text"),
        (["a mill", "b"], ["a mill"], "2 candidates and 1 references; expected one entry"),
        (["a", None], ["a", "b"], "row 2: the candidate is NoneType; expected text$"),
        (["a", "b"], ["a", 3.5], "row 2: the reference is float; expected text, or a list of texts"),
        (["a", "b"], ["a", []], "row 2: the list of references is empty"),
        (["a"], [["a", 1]], "row 1: reference 2 is int; expected text"),
        # candidates and references exchanged
        (["a", ["b", "c"]], ["a", "b"], r"row 2: the candidate is list; .*they come second: score\(candidates, ref"),
        # sacrebleu's layout: one list per set of references
        (["a", "b", "c"], [["a", "b", "c"]], r"as in sacrebleu. Expected one entry per candidate: list\(zip"),
    ],
)  # fmt: skip
def test_invalid_pairs_are_refused(metric: Metric, candidates: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metric.score(candidates, references)


def test_candidates_and_references_can_be_passed_by_keyword(metric: Metric) -> None:
    by_position = metric.score(["a b c d"], [["a", "a b"]])
    assert metric.score(references=[["a", "a b"]], candidates=["a b c d"]) == by_position
    assert metric.corpus(references=["a b"], candidates=["a"]) == metric.corpus(["a"], ["a b"])
    assert metric.explain(reference="It is safe.", candidate="It is not safe.").differences[0].candidate == "not"


@pytest.mark.parametrize("name", ["", "cosine:", "litotes-scor", "no/such/folder"])
def test_an_unknown_name_is_refused_at_once(name: str) -> None:
    hint = r" Did you mean 'litotes-score'\?" if name == "litotes-scor" else ""
    with pytest.raises(InputError, match=rf"unknown metric '{name}'\.{hint} Expected litotes-score"):
        Metric(name)


def test_a_baseline_needs_an_encoder() -> None:
    with pytest.raises(InputError, match="that model is not an encoder"):
        Metric("cosine:bm25").score(["a"], ["b"])


def test_no_pairs_give_no_scores_and_no_corpus_score(metric: Metric) -> None:
    assert metric.score([], []) == []
    with pytest.raises(InputError, match="no pair to score"):
        metric.corpus([], [])


def test_repeated_pairs_are_scored_once() -> None:
    scorer = WordScorer()
    Metric(scorer).score(["a", "a", "c"], ["a b", "a  b", "c"])
    assert sorted(scorer.scored) == [("a b", "a"), ("c", "c")]


def test_the_corpus_score_is_the_mean_of_the_pairs(metric: Metric) -> None:
    references, candidates = ["a b", "a b", "c"], ["a b", "a c", "d"]
    corpus = metric.corpus(candidates, references, resamples=200, seed=3)
    assert corpus.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert 0 <= corpus.low < corpus.value < corpus.high <= 1
    assert corpus.n == 3
    assert metric.corpus(scores=metric.score(candidates, references), resamples=200, seed=3) == corpus
    assert metric.corpus(candidates[::-1], references[::-1], resamples=200, seed=3).value == pytest.approx(corpus.value)


def test_the_interval_of_one_pair_has_no_width(metric: Metric) -> None:
    assert metric.corpus(["a c"], ["a b"]) == CorpusScore(0.5, 0.5, 0.5, 1, metric.corpus(["a c"], ["a b"]).signature)


def test_invalid_corpora_are_refused(metric: Metric) -> None:
    with pytest.raises(InputError, match="different metrics"):
        metric.corpus(scores=[*metric.score(["a"], ["a"]), *Metric(WordScorer({"base": "other"})).score(["a"], ["a"])])
    with pytest.raises(InputError, match="1 scores for 2 candidates"):
        metric.corpus(["a", "b"], ["a", "b"], scores=metric.score(["a"], ["a"]))
    with pytest.raises(InputError, match="resamples is 0"):
        metric.corpus(["a"], ["a"], resamples=0)


def test_the_format_of_signatures(metric: Metric) -> None:
    from importlib.metadata import version

    (score,) = metric.score(["a"], ["a"])
    expected = (
        f"words|v:{version('litotes')}|weights:01234567|base:none-fedcba98|norm:nfc.ws.yesno|refs:1|windows:sentence"
    )
    assert score.signature == expected == metric.signature()
    assert metric.corpus(["a"], ["a"], seed=7).signature == f"{expected}|resamples:1000|seed:7"
    assert "|refs:var|" in metric.corpus(["a", "a"], ["a", ["a", "b"]]).signature


@pytest.mark.parametrize(
    "facts", [{"weights sha256": "1123456789abcdef"}, {"base": "minilm"}, {"base sha256": "0edcba9876543210"}]
)
def test_a_signature_changes_with_each_part(metric: Metric, facts: dict[str, str]) -> None:
    assert Metric(WordScorer(facts)).signature() != metric.signature()
    assert metric.signature(references=2) != metric.signature()


def test_a_signature_depends_on_the_settings_but_not_on_paths_and_libraries() -> None:
    from litotes.metric.signatures import signature

    same: dict[str, Any] = {"norm": "nfc.ws.yesno", "references": 1, "windows": "sentence"}
    plain = signature("m", {}, **same)
    assert len({plain, signature("n", {}, **same), *(signature("m", {}, **same | {k: "x"}) for k in same)}) == 5
    assert signature("/tmp/one/m/", {}, **same) == signature("two/m", {"libraries": {"torch": "3"}}, **same) == plain
    assert signature("cosine:dense:one/m@0.3", {}, **same).startswith("cosine:dense:m@0.3|")


SENTENCES = ["The mill stood by the river.", "It burned in spring.", "Nobody was hurt.", "A barn took its place."]
LONG = " ".join(SENTENCES)


def _count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_long_pair_is_split_where_sentences_match() -> None:
    # 18 and 14 words: the candidate lacks the second sentence, so the split is before the barn in both.
    parts = windows(LONG, " ".join([SENTENCES[0], *SENTENCES[2:]]), TokenLimit(22, together=True), _count)
    assert [(part.reference, part.candidate) for part in parts] == [
        (" ".join(SENTENCES[:3]), f"{SENTENCES[0]} {SENTENCES[2]}"),
        (SENTENCES[3], SENTENCES[3]),
    ]
    assert [part.tokens for part in parts] == [13 + 9, 5 + 5]


def test_windows_are_weighted_by_their_length() -> None:
    # The windows above: the candidate has 8 of the 12 words of the first, and all words of the second.
    (score,) = Metric(WordScorer(longest=25)).score([" ".join([SENTENCES[0], *SENTENCES[2:]])], [LONG])
    assert score.windows == 2
    assert score.value == pytest.approx((22 * 8 / 12 + 10 * 1) / 32)
    assert score.line()["windows"] == 2


def test_a_short_sentence_goes_with_one_half_and_the_other_half_scores_zero() -> None:
    parts = windows(LONG, SENTENCES[2], TokenLimit(12, together=True), _count)
    assert [part.candidate for part in parts] == ["", SENTENCES[2]]
    (score,) = Metric(WordScorer(longest=15)).score([SENTENCES[2]], [LONG])
    assert 0 < score.value < 0.5


TEXTS = st.lists(st.sampled_from(["safe", "not", "Yes.", "it,", "rains", "1890.", "The", "ünder"]), max_size=60)


@settings(deadline=None, max_examples=150)
@given(reference=TEXTS, candidate=TEXTS, tokens=st.integers(4, 30), together=st.booleans())
def test_windows_keep_every_word_and_fit_the_limit(
    reference: list[str], candidate: list[str], tokens: int, together: bool
) -> None:
    left, right = " ".join(reference), " ".join(candidate)
    limit = TokenLimit(tokens, together)
    parts = windows(left, right, limit, _count)
    assert " ".join(filter(None, (part.reference for part in parts))) == left
    assert " ".join(filter(None, (part.candidate for part in parts))) == right
    assert all(limit.fits(*_count([part.reference, part.candidate])) for part in parts)


def test_a_text_without_spaces_is_split_between_characters() -> None:
    parts = windows("水" * 40, "水" * 40, TokenLimit(10, together=True), lambda texts: [len(text) for text in texts])
    assert "".join(part.reference for part in parts) == "水" * 40
    assert {part.tokens for part in parts} == {10}


def test_cosines_are_those_of_the_encoder_and_never_negative(cosine: Metric) -> None:
    texts = ["The ferry sails at noon.", "The ferry does not sail at noon."]
    rows = dense_minilm().encode(texts)
    (score,) = cosine.score(texts[1:], texts[:1])
    assert score.value == pytest.approx(float(rows[0] @ rows[1]), abs=1e-6)
    unrelated = dense_minilm().encode(["quarks", "The cat sleeps."])
    assert unrelated[0] @ unrelated[1] < 0
    assert cosine.score(["The cat sleeps."], ["quarks"])[0].value == 0


def test_a_tower_can_be_a_baseline(cosine: Metric) -> None:
    pair = (["The ferry does not sail at noon."], ["The ferry sails at noon."])
    (base,) = cosine.score(*pair)
    off, on = (Metric(f"cosine:dense:litotes-mini@{dial}", device="cpu").score(*pair)[0] for dial in (0.0, 0.5))
    assert off.value == pytest.approx(base.value, abs=1e-5)
    assert on.value < base.value - 0.3
    assert len({base.signature, off.signature, on.signature}) == 3


def test_a_score_does_not_depend_on_the_other_pairs(cosine: Metric) -> None:
    references = [*SENTENCES, LONG, LONG * 12, "Rain."]
    candidates = ["It rained.", *SENTENCES[1:], LONG, LONG * 11, "No rain."]
    together = cosine.score(candidates, references)
    backwards = cosine.score(candidates[::-1], references[::-1])[::-1]
    alone = [cosine.score([one], [other])[0] for one, other in zip(candidates, references, strict=True)]
    for others in (backwards, alone):
        assert [score.value for score in others] == pytest.approx([score.value for score in together], abs=1e-5)


def test_case_and_white_space_do_not_matter_to_an_uncased_base(cosine: Metric) -> None:
    (score,) = cosine.score([" the mill\nburned. "], ["The Mill  burned."])
    assert score.value == pytest.approx(1, abs=1e-6)


def test_the_end_of_a_long_text_counts(cosine: Metric) -> None:
    # 40 sentences are more than 256 tokens; if they were truncated, both would score 1.
    story = " ".join(f"In year {number} the harvest was good." for number in range(40))
    same, other = cosine.score(
        [f"{story} The mill burned.", f"{story} Quarks spin."], [f"{story} The mill burned."] * 2
    )
    assert same.windows == other.windows > 1
    assert same.value == pytest.approx(1, abs=1e-6)
    assert other.value < 0.99


def test_the_metrics_model_scores_long_texts_in_windows() -> None:
    with quiet():
        scorer = PairMetric(new_pair_scorer("minilm", rank=2, longest=32, heads=(SCORE,), device="cpu"))
    metric = Metric(scorer)
    texts = [LONG, LONG.lower(), LONG * 3, "Donaudampfschifffahrtsgesellschaft " * 20, "水" * 90, "x" * 500, "a"]
    scores = metric.score(texts[::-1], texts)
    assert all(0 <= score.value <= 1 for score in scores)
    assert scores[2].windows > 1
    assert "|base:minilm-53aa5117|" in scores[0].signature


@pytest.mark.parametrize(
    ("reference", "candidate", "kind", "words", "undone"),
    [
        ("The bridge is sound.", "The bridge is not sound.", "negation", ("", "not"), "The bridge is sound."),
        ("The bridge is not sound.", "The bridge is sound.", "negation", ("not", ""), "The bridge is not sound."),
        ("She doesn't sing.", "She sings.", "negation", ("doesn't", ""), "She doesn't sing."),
        ("He can swim.", "He can't swim.", "negation", ("", "can't"), "He can swim."),
        ("Somebody rang.", "Nobody rang.", "negation", ("", "Nobody"), "Somebody rang."),
        ("She neither sings nor paints.", "She sings and paints.", "negation", ("neither … nor", ""),
         "She neither sings nor paints."),
        ("All hens but one laid.", "All hens laid.", "negation", ("but", ""), "All hens but one laid."),
        ("Every boat returned.", "Every boat except Tern returned.", "negation", ("", "except"),
         "Every boat returned."),
        ("The wells are deep.", "The wells are shallow.", "antonym", ("deep", "shallow"), "The wells are deep."),
        ("The dye is harmful.", "The dye is harmless.", "affix", ("harmful", "harmless"), "The dye is harmful."),
        ("It holds 1,250 litres.", "It holds 1300 litres.", "number", ("1,250", "1300"), "It holds 1,250 litres."),
        ("Turin lies on the Po.", "Parma lies on the Po.", "name", ("Turin", "Parma"), "Turin lies on the Po."),
        ("The court in New Delhi ruled.", "The court in Port Louis ruled.", "name", ("New Delhi", "Port Louis"),
         "The court in New Delhi ruled."),
        ("The fair was in Ghent.", "The fair was in town.", "name", ("Ghent", ""), "The fair was in Ghent."),
    ],
)  # fmt: skip
def test_an_explanation_undoes_a_single_difference(
    metric: Metric, reference: str, candidate: str, kind: str, words: tuple[str, str], undone: str
) -> None:
    explanation = metric.explain(candidate, reference)
    (difference,) = explanation.differences
    assert (difference.kind, (difference.reference, difference.candidate)) == (kind, words)
    assert difference.undone == undone
    assert explanation.score.value + difference.cost == explanation.undone == pytest.approx(1)


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("The bridge is not sound.", "The bridge is unsound."),
        ("The gate is not open.", "The gate is closed."),
        ("Ida does not eat fish.", "Ida never touches seafood."),
        ("Turin has six bridges.", "turin has 6 bridges."),
        ("It's late.", "It is late."),
        ("Although it rained, the U.S. team won.", "The US team won though it rained."),
        ("It is one of Ida's best songs.", "It is among the best songs of Ida."),
        ("They refused to repatriate him.", "They refused to send him home."),
        ("The mill burned.", "A barn collapsed."),
        ("The mill burned.", ""),
        ("", ""),
        ("?", "!"),
    ],
)  # fmt: skip
def test_paraphrases_have_no_difference(metric: Metric, reference: str, candidate: str) -> None:
    explanation = metric.explain(candidate, reference)
    assert explanation.differences == ()
    assert str(explanation).endswith("no negation, opposite, number or name differs")


def test_an_explanation_as_text(metric: Metric) -> None:
    explanation = metric.explain("The 7 old mills not burned", "The 9 old mills burned")
    # 4 of 6 words and a "not": 0.0667. Without "not", 4 of 5 words; with 9 for 7, 5 of 6 words and a "not".
    assert str(explanation).splitlines() == [
        "0.07",
        "“not” is only in the candidate: −0.73",
        "“9” became “7”: −0.02",
        "with all differences undone: 1.00",
    ]
    assert [difference["cost"] for difference in explanation.line()["differences"]] == [0.7333, 0.0167]


def test_an_explanation_says_what_was_not_searched(metric: Metric) -> None:
    explanation = metric.explain("Das Haus ist sehr groß und alt.", "Das Haus ist nicht sehr groß und alt.")
    assert "English" in explanation.reason
    assert explanation.line()["reason"] == explanation.reason
    with pytest.raises(InputError, match="the candidate is int"):
        metric.explain(3, "a")  # type: ignore[arg-type]


def test_a_metric_loads_nothing_before_its_first_score() -> None:
    script = "import sys, litotes\nlitotes.Metric('cosine:dense:minilm')\nprint({'torch', 'spacy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_scores_are_values() -> None:
    assert Score(0.5, "a", "b", "s") == Score(0.5, "a", "b", "s")
    assert repr(Metric(WordScorer())) == "Metric('words')"


def test_evaluate_loads_the_module_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    copy = tmp_path / "litotes_score"
    shutil.copytree(EVALUATE_MODULE, copy)
    for path in (EVALUATE_MODULE, str(copy), str(copy / "litotes_score.py")):
        module = evaluate.load(path, cache_dir=str(tmp_path / "cache"))
        result = module.compute(
            predictions=["It rains.", "A barn."],
            references=[["It rains.", "It snows."], ["The barn."]],
            metric="cosine:dense:minilm",
        )
        assert result["scores"][0] == pytest.approx(1, abs=1e-6)
        assert result["score"] == pytest.approx(sum(result["scores"]) / 2)
        assert result["low"] <= result["score"] <= result["high"]
        assert "|refs:var|" in result["signature"]
    single = module.compute(predictions=["It rains."], references=["It rains."], metric="cosine:dense:minilm")
    assert single["score"] == pytest.approx(1, abs=1e-6)
