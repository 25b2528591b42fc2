"""Test how the metric treats hedging: whether it counts, what an explanation says of it, and the signature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.metric import EVALUATE_MODULE, Metric
from litotes.metric.hedging import hedge_differences
from tests.conftest import TABLES
from tests.test_metric import WordScorer

# reference, candidate, the hedges of the reference, those of the candidate
HEDGED = [
    ("The new valve reduces the pressure.", "The new valve may reduce the pressure.", (), ("may",)),
    ("The ferry might be late tonight.", "The ferry is late tonight.", ("might",), ()),
    ("The fresco was painted in Siena.", "The fresco was possibly painted in Siena.", (), ("possibly",)),
    ("Perhaps the owner sold the barn.", "The owner sold the barn.", ("Perhaps",), ()),
    ("The bones show that the herd moved north.", "The bones suggest that the herd moved north.", (), ("suggest",)),
    ("The leak appears to come from the roof.", "The leak comes from the roof.", ("appears",), ()),
    ("The frost could ruin the harvest.", "The frost ruins the harvest.", ("could",), ()),
]
NOT_HEDGED = [
    # Both texts are hedged, in other words.
    ("The new valve may reduce the pressure.", "Possibly the new valve reduces the pressure."),
    # Neither text is hedged.
    ("The new valve reduces the pressure.", "The new valve does not reduce the pressure."),
    # A month, an ability and a permission are no hedges.
    ("The fair opens in May.", "The fair opens in spring."),
    ("She could swim as a child.", "As a child she was able to swim."),
    ("The ferry is late tonight.", "The ferry is late tonight."),
    ("", "The ferry may be late."),
]


@pytest.mark.parametrize(("reference", "candidate", "left", "right"), HEDGED)
def test_a_pair_with_one_hedged_text_scores_half_if_hedging_counts(
    reference: str, candidate: str, left: tuple[str, ...], right: tuple[str, ...]
) -> None:
    scorer = WordScorer()
    plain, counted = Metric(scorer), Metric(scorer, hedges=True)
    (before,), (after,) = plain.score([candidate], [reference]), counted.score([candidate], [reference])
    assert before.value > 0
    assert after.value == pytest.approx(0.5 * before.value)
    for metric, cost in ((plain, 0.0), (counted, 0.5 * before.value)):
        found = metric.explain(candidate, reference).hedges
        assert found is not None
        assert (found.reference, found.candidate) == (left, right)
        assert found.cost == pytest.approx(cost)


@pytest.mark.parametrize(("reference", "candidate"), NOT_HEDGED)
def test_other_pairs_keep_their_score(reference: str, candidate: str) -> None:
    scorer = WordScorer()
    (before,), (after,) = (Metric(scorer, hedges=on).score([candidate], [reference]) for on in (False, True))
    assert after.value == before.value
    assert Metric(scorer, hedges=True).explain(candidate, reference).hedges is None


def test_the_hedging_of_each_reference_counts() -> None:
    references = ["The frost ruins the harvest.", "The frost may ruin the crops."]
    # 3 of 5 distinct words of the first are common, and 5 of 6 of the second.
    candidate = "The frost may ruin the harvest."
    (score,) = Metric(WordScorer(), hedges=True).score([candidate], [references])
    assert score.which == 1
    (alone,) = Metric(WordScorer(), hedges=True).score([candidate], references[:1])
    assert alone.value == pytest.approx(0.5 * 3 / 5)


def test_one_call_can_differ_from_the_metric() -> None:
    metric = Metric(WordScorer())
    pair = ["The ferry may be late."], ["The ferry is late."]
    (off,), (on,) = metric.score(*pair), metric.score(*pair, hedges=True)
    assert on.value == pytest.approx(0.5 * off.value)
    assert Metric(WordScorer(), hedges=True).score(*pair) == [on]
    assert Metric(WordScorer(), hedges=True).score(*pair, hedges=False) == [off]


def test_the_signature_says_that_hedging_counts() -> None:
    off, on = Metric(WordScorer()), Metric(WordScorer(), hedges=True)
    assert "hedges" not in off.signature()
    assert on.signature() == f"{off.signature()}|hedges:yes"
    assert on.score(["a"], ["a"])[0].signature == on.signature() == off.signature(hedges=True)
    assert "|hedges:yes|resamples:" in on.corpus(["a"], ["a"]).signature


def test_an_explanation_says_it_in_words() -> None:
    reference, candidate = "The ferry is late.", "The ferry may be late."
    # 3 of 5 words are common.
    assert str(Metric(WordScorer()).explain(candidate, reference)).splitlines() == [
        "0.60; no negation, opposite, number or name differs",
        "only the candidate is hedged, by “may”",
    ]
    counted = Metric(WordScorer(), hedges=True).explain(candidate, reference)
    assert str(counted).splitlines()[1] == "only the candidate is hedged, by “may”: −0.30"
    assert counted.line()["hedges"] == {"reference": [], "candidate": ["may"], "cost": 0.3}


def test_the_command_counts_hedges() -> None:
    pair = ("--text", "The ferry may be late.", "The ferry is late.")
    called = ["score", "--metric", "cosine:dense:minilm", "--device", "cpu", *pair]
    plain, counted = (CliRunner().invoke(app, [*called, *more]) for more in ((), ("--hedges", "--signature")))
    before, after = json.loads(plain.stdout), json.loads(counted.stdout)
    assert after["score"] == pytest.approx(0.5 * before["score"], abs=1e-4)
    assert after["signature"].endswith("|hedges:yes")
    explained = CliRunner().invoke(app, [*called, "--explain"])
    assert json.loads(explained.stdout)["hedges"]["candidate"] == ["may"]


# "nearly" is a hedge of both texts of the first one; "should" is no hedge.
MISSED = {2, 19, 22, 46}
# "almost", "possibility", "may" of a permission, "thought", "whether", "argued", "slightly", "could" of an ability,
# "slightly", "believes"
WRONG = {14, 21, 22, 42, 82, 102, 120, 173, 183, 194}


@pytest.mark.parametrize(("name", "is_hedged", "failures"), [("hedged", True, MISSED), ("restated", False, WRONG)])
def test_known_failures_of_the_tables(name: str, is_hedged: bool, failures: set[int]) -> None:
    """All pairs of one table differ in their hedging, and none of the other. The known failures are listed."""
    lines = (TABLES / "metric" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = {row["id"]: (row["reference"], row["candidate"]) for row in map(json.loads, lines)}
    found = hedge_differences(pairs.values())
    assert {row for row, pair in pairs.items() if (pair in found) != is_hedged} == {
        f"{name}-{number:03}" for number in failures
    }


def test_evaluate_counts_hedges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    module = evaluate.load(EVALUATE_MODULE, cache_dir=str(tmp_path / "cache"))
    pair = {"predictions": ["The ferry may be late."], "references": ["The ferry is late."]}
    off, on = (module.compute(**pair, metric="cosine:dense:minilm", hedges=counts) for counts in (False, True))
    assert on["score"] == pytest.approx(0.5 * off["score"])
    assert "|hedges:yes|" in on["signature"]
