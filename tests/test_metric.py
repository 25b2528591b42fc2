"""The metric: scores by hand with a scorer that counts words, the cosine baselines with the real MiniLM, signatures,
windows that lose nothing, and what an explanation undoes."""

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
from litotes.metric.windows import Room, windows
from litotes.models import load
from litotes.models.scorer import grow_scorer
from tests.model_shelf import quiet


class WordScorer:
    """The share of common words of the longer text; a "not" on one side alone leaves a tenth. One word, one token."""

    def __init__(self, facts: Mapping[str, str] | None = None, *, longest: int = 23) -> None:
        self.name, self.longest = "words", longest
        self._facts = {"weights sha256": "0123456789abcdef", "base": "none", "base sha256": "fedcba9876543210"}
        self._facts |= facts or {}
        self.asked: list[tuple[str, str]] = []

    def score(self, references: Sequence[str], candidates: Sequence[str], *, batch: int = 32) -> np.ndarray:
        pairs = list(zip(references, candidates, strict=True))
        self.asked += pairs
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
        # nothing against something, nothing against nothing
        ("the mill burned", "", 0.0),
        ("the mill burned", " \n", 0.0),
        ("the mill burned", "…?!", 0.0),
        ("", "the mill burned", 0.0),
        ("", "—", 1.0),
        # white space, composed letters, half a surrogate pair
        ("the  mill\tburned", " the mill burned\n", 1.0),
        ("cafe\u0301 closed", "caf\u00e9 closed", 1.0),
        ("the mill", "the \ud83d", 0.5),
    ],
)  # fmt: skip
def test_a_pair_has_its_score(metric: Metric, reference: str, candidate: str, expected: float) -> None:
    (found,) = metric.score([reference], [candidate])
    assert float(found) == pytest.approx(expected)
    assert (found.reference, found.candidate) == (reference, candidate)


def test_the_best_of_several_references_counts_and_of_equals_the_first(metric: Metric) -> None:
    references = [["a barn", "the mill burned", "the mill burned"], "the barn"]
    first, second = metric.score(references, ["the mill burned", "the mill"])
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
    ("references", "candidates", "message"),
    [
        ("a mill", ["a mill"], "references is one text .*Put it in brackets"),
        (["a mill"], "a mill", "candidates is one text"),
        (["a mill"], ["a mill", "b"], "1 references and 2 candidates"),
        (["a", "b"], ["a", None], "row 2: the candidate is NoneType; expected text"),
        (["a", 3.5], ["a", "b"], "row 2: the reference is float; expected text, or a list of texts"),
        (["a", []], ["a", "b"], "row 2: the list of references is empty"),
        ([["a", 1]], ["a"], "row 1: reference 2 is int; expected text"),
    ],
)  # fmt: skip
def test_what_is_no_pair_is_named_with_its_row(metric: Metric, references: Any, candidates: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metric.score(references, candidates)


@pytest.mark.parametrize("name", ["", "cosine:", "litotes-scor", "no/such/folder"])
def test_a_name_that_is_no_metric_is_refused_at_once(name: str) -> None:
    with pytest.raises(InputError, match="Expected litotes-score"):
        Metric(name)


def test_a_baseline_needs_an_encoder() -> None:
    with pytest.raises(InputError, match="gives no vectors"):
        Metric("cosine:bm25").score(["a"], ["b"])


def test_nothing_to_score_is_no_score(metric: Metric) -> None:
    assert metric.score([], []) == []
    with pytest.raises(InputError, match="no pair to score"):
        metric.corpus([], [])


def test_a_pair_that_comes_twice_is_asked_once() -> None:
    scorer = WordScorer()
    Metric(scorer).score(["a b", "a  b", "c"], ["a", "a", "c"])
    assert sorted(scorer.asked) == [("a b", "a"), ("c", "c")]


def test_the_corpus_is_the_mean_of_the_pairs(metric: Metric) -> None:
    references, candidates = ["a b", "a b", "c"], ["a b", "a c", "d"]
    found = metric.corpus(references, candidates, resamples=200, seed=3)
    assert found.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert 0 <= found.low < found.value < found.high <= 1
    assert found.n == 3
    assert metric.corpus(scores=metric.score(references, candidates), resamples=200, seed=3) == found
    assert metric.corpus(references[::-1], candidates[::-1], resamples=200, seed=3).value == pytest.approx(found.value)


def test_one_pair_has_an_interval_of_no_width(metric: Metric) -> None:
    assert metric.corpus(["a b"], ["a c"]) == CorpusScore(0.5, 0.5, 0.5, 1, metric.corpus(["a b"], ["a c"]).signature)


def test_scores_that_do_not_belong_together_make_no_corpus(metric: Metric) -> None:
    with pytest.raises(InputError, match="different metrics"):
        metric.corpus(scores=[*metric.score(["a"], ["a"]), *Metric(WordScorer({"base": "other"})).score(["a"], ["a"])])
    with pytest.raises(InputError, match="1 scores for 2 candidates"):
        metric.corpus(["a", "b"], ["a", "b"], scores=metric.score(["a"], ["a"]))
    with pytest.raises(InputError, match="resamples is 0"):
        metric.corpus(["a"], ["a"], resamples=0)


def test_a_signature_says_it_all_and_shortly(metric: Metric) -> None:
    from importlib.metadata import version

    (found,) = metric.score(["a"], ["a"])
    wanted = f"words|v:{version('litotes')}|weights:01234567|base:none-fedcba98|norm:nfc.ws|refs:1|windows:sentence"
    assert found.signature == wanted == metric.signature()
    assert metric.corpus(["a"], ["a"], seed=7).signature == f"{wanted}|resamples:1000|seed:7"
    assert "|refs:var|" in metric.corpus(["a", ["a", "b"]], ["a", "a"]).signature


@pytest.mark.parametrize(
    "facts", [{"weights sha256": "1123456789abcdef"}, {"base": "minilm"}, {"base sha256": "0edcba9876543210"}]
)
def test_a_signature_changes_with_each_part(metric: Metric, facts: dict[str, str]) -> None:
    assert Metric(WordScorer(facts)).signature() != metric.signature()
    assert metric.signature(references=2) != metric.signature()


def test_a_signature_changes_with_name_version_norm_and_windows_and_not_with_the_place_or_the_libraries() -> None:
    from litotes.metric.signing import signature

    same: dict[str, Any] = {"norm": "nfc.ws", "references": 1, "windows": "sentence"}
    plain = signature("m", {}, **same)
    assert len({plain, signature("n", {}, **same), *(signature("m", {}, **same | {k: "x"}) for k in same)}) == 5
    assert signature("/tmp/one/m/", {}, **same) == signature("two/m", {"libraries": {"torch": "3"}}, **same) == plain
    assert signature("cosine:dense:one/m@0.3", {}, **same).startswith("cosine:dense:m@0.3|")


SENTENCES = ["The mill stood by the river.", "It burned in spring.", "Nobody was hurt.", "A barn took its place."]
LONG = " ".join(SENTENCES)


def _count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_long_pair_is_cut_where_sentences_answer_each_other() -> None:
    # 18 and 14 words: the candidate lacks the second sentence, and the cut is where both go on with the barn
    found = windows(LONG, " ".join([SENTENCES[0], *SENTENCES[2:]]), Room(22, together=True), _count)
    assert [(one.reference, one.candidate) for one in found] == [
        (" ".join(SENTENCES[:3]), f"{SENTENCES[0]} {SENTENCES[2]}"),
        (SENTENCES[3], SENTENCES[3]),
    ]
    assert [one.tokens for one in found] == [13 + 9, 5 + 5]


def test_windows_weigh_as_much_as_they_are_long() -> None:
    # the windows above: of the first's 12 different words the candidate has 8, the second is the same
    (found,) = Metric(WordScorer(longest=25)).score([LONG], [" ".join([SENTENCES[0], *SENTENCES[2:]])])
    assert found.windows == 2
    assert found.value == pytest.approx((22 * 8 / 12 + 10 * 1) / 32)
    assert found.line()["windows"] == 2


def test_a_short_sentence_stays_whole_beside_a_long_text_and_what_it_lacks_scores_nothing() -> None:
    found = windows(LONG, SENTENCES[2], Room(12, together=True), _count)
    assert [one.candidate for one in found] == ["", SENTENCES[2]]
    (score,) = Metric(WordScorer(longest=15)).score([LONG], [SENTENCES[2]])
    assert 0 < score.value < 0.5


TEXTS = st.lists(st.sampled_from(["safe", "not", "Yes.", "it,", "rains", "1890.", "The", "ünder"]), max_size=60)


@settings(deadline=None, max_examples=150)
@given(reference=TEXTS, candidate=TEXTS, room=st.integers(4, 30), together=st.booleans())
def test_no_word_is_lost_and_every_window_fits(
    reference: list[str], candidate: list[str], room: int, together: bool
) -> None:
    left, right = " ".join(reference), " ".join(candidate)
    space = Room(room, together)
    found = windows(left, right, space, _count)
    assert " ".join(filter(None, (one.reference for one in found))) == left
    assert " ".join(filter(None, (one.candidate for one in found))) == right
    assert all(space.holds(*_count([one.reference, one.candidate])) for one in found)


def test_a_text_without_spaces_is_cut_between_characters() -> None:
    found = windows("水" * 40, "水" * 40, Room(10, together=True), lambda texts: [len(text) for text in texts])
    assert "".join(one.reference for one in found) == "水" * 40
    assert {one.tokens for one in found} == {10}


def test_the_cosine_is_the_encoders_and_never_below_zero(cosine: Metric) -> None:
    texts = ["The ferry sails at noon.", "The ferry does not sail at noon."]
    rows = load("dense:minilm", device="cpu").encode(texts)  # type: ignore[union-attr]
    (found,) = cosine.score(texts[:1], texts[1:])
    assert found.value == pytest.approx(float(rows[0] @ rows[1]), abs=1e-6)
    assert all(0 <= one.value <= 1 for one in cosine.score(["quarks"] * 3, ["my socks", "lol", "@@ ##"]))


def test_the_tower_is_a_baseline_of_its_own(cosine: Metric) -> None:
    pair = (["The ferry sails at noon."], ["The ferry does not sail at noon."])
    base, off, on = (
        Metric(name, device="cpu").score(*pair)[0]
        for name in ("cosine:dense:minilm", "cosine:dense:litotes-mini@0.0", "cosine:dense:litotes-mini@0.5")
    )
    assert off.value == pytest.approx(base.value, abs=1e-5)
    assert on.value < base.value - 0.3
    assert len({base.signature, off.signature, on.signature}) == 3


def test_a_score_does_not_depend_on_what_stands_beside_it(cosine: Metric) -> None:
    references = [*SENTENCES, LONG, LONG * 12, "Rain."]
    candidates = ["It rained.", *SENTENCES[1:], LONG, LONG * 11, "No rain."]
    together = cosine.score(references, candidates)
    backwards = cosine.score(references[::-1], candidates[::-1])[::-1]
    alone = [cosine.score([one], [other])[0] for one, other in zip(references, candidates, strict=True)]
    for others in (backwards, alone):
        assert [one.value for one in others] == pytest.approx([one.value for one in together], abs=1e-5)


def test_case_and_white_space_do_not_matter_to_the_uncased_base(cosine: Metric) -> None:
    (found,) = cosine.score(["The Mill  burned."], [" the mill\nburned. "])
    assert found.value == pytest.approx(1, abs=1e-6)


def test_the_end_of_a_long_text_counts(cosine: Metric) -> None:
    # 40 sentences, over 256 tokens: cut off, the two would be the same
    story = " ".join(f"In year {number} the harvest was good." for number in range(40))
    same, other = cosine.score(
        [f"{story} The mill burned."] * 2, [f"{story} The mill burned.", f"{story} Quarks spin."]
    )
    assert same.windows == other.windows > 1
    assert same.value == pytest.approx(1, abs=1e-6)
    assert other.value < 0.99


def test_the_metrics_own_model_reads_every_window() -> None:
    with quiet():
        scorer = grow_scorer("minilm", shared_layers=1, own_layers=1, longest=32, device="cpu")
    metric = Metric(scorer)
    texts = [LONG, LONG.lower(), LONG * 3, "Donaudampfschifffahrtsgesellschaft " * 20, "水" * 90, "x" * 500, "a"]
    found = metric.score(texts, texts[::-1])
    assert all(0 <= one.value <= 1 for one in found)
    assert found[2].windows > 1
    assert "|base:minilm-53aa5117|" in found[0].signature


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
def test_an_explanation_undoes_the_one_difference(
    metric: Metric, reference: str, candidate: str, kind: str, words: tuple[str, str], undone: str
) -> None:
    found = metric.explain(reference, candidate)
    (difference,) = found.differences
    assert (difference.kind, (difference.reference, difference.candidate)) == (kind, words)
    assert difference.undone == undone
    assert found.score.value + difference.cost == found.undone == pytest.approx(1)


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
def test_what_says_the_same_is_no_difference(metric: Metric, reference: str, candidate: str) -> None:
    found = metric.explain(reference, candidate)
    assert found.differences == ()
    assert str(found).endswith("no negation, opposite, number or name differs")


def test_an_explanation_is_a_sentence_for_people_dearest_first(metric: Metric) -> None:
    found = metric.explain("The 9 old mills burned", "The 7 old mills not burned")
    # 4 of 6 words and a lone not: 0.0667; without it 4 of 5; with 9 for 7, 5 of 6 words and the lone not
    assert str(found).splitlines() == [
        "0.07",
        "“not” is in the candidate alone: −0.73",
        "“9” has become “7”: −0.02",
        "with all of it undone: 1.00",
    ]
    assert [one["cost"] for one in found.line()["differences"]] == [0.7333, 0.0167]


def test_what_was_not_looked_into_is_said(metric: Metric) -> None:
    found = metric.explain("Das Haus ist nicht sehr groß und alt.", "Das Haus ist sehr groß und alt.")
    assert "English" in found.reason
    assert found.line()["reason"] == found.reason
    with pytest.raises(InputError, match="the candidate is int"):
        metric.explain("a", 3)  # type: ignore[arg-type]


def test_a_metric_loads_nothing_before_its_first_score() -> None:
    script = "import sys, litotes\nlitotes.Metric('cosine:dense:minilm')\nprint({'torch', 'spacy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_scores_are_values() -> None:
    assert Score(0.5, "a", "b", "s") == Score(0.5, "a", "b", "s")
    assert repr(Metric(WordScorer())) == "Metric('words')"


def test_evaluate_loads_the_module_from_wherever_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    copy = tmp_path / "litotes_score"
    shutil.copytree(EVALUATE_MODULE, copy)
    for place in (EVALUATE_MODULE, str(copy), str(copy / "litotes_score.py")):
        module = evaluate.load(place, cache_dir=str(tmp_path / "cache"))
        found = module.compute(
            predictions=["It rains.", "A barn."],
            references=[["It rains.", "It snows."], ["The barn."]],
            metric="cosine:dense:minilm",
        )
        assert found["scores"][0] == pytest.approx(1, abs=1e-6)
        assert found["score"] == pytest.approx(sum(found["scores"]) / 2)
        assert found["low"] <= found["score"] <= found["high"]
        assert "|refs:var|" in found["signature"]
    one = module.compute(predictions=["It rains."], references=["It rains."], metric="cosine:dense:minilm")
    assert one["score"] == pytest.approx(1, abs=1e-6)


def test_the_shipped_metric_hears_a_denial() -> None:
    same, denied = Metric("litotes-score", device="cpu").score(
        ["The ferry sails at noon."] * 2, ["The ferry sails at noon.", "The ferry does not sail at noon."]
    )
    assert same.value > 0.9
    assert denied.value < 0.5
