"""litotes-guard-mini, the shipped pair model of the guard's tier `mini`, and its product with the tier `rules`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from litotes.errors import InputError
from litotes.guard import Guard, tiers
from litotes.guard.rules import RulesTier
from litotes.guard.tiers import MiniTier, PairTier, best_tier
from litotes.models.bases import GUARD_MINI, shipped
from litotes.models.pair.heads import LABELS, RELEVANCE, VERDICT
from tests.family_models import quiet

SAME = [
    ("How can I change my password?", "How do I change my password?"),
    ("Is breakfast included in the price?", "Does the price include breakfast?"),
    ("Don't forget to lock the shed.", "Remember to lock the shed."),
    ("Make sure the gate isn't open", "Make sure the gate is closed"),
    ("Never leave the stove on overnight", "Always switch the stove off at night"),
    ("My parcel hasn't arrived yet", "I am still waiting for my parcel"),
    ("Do I need a visa for Japan?", "Is a visa required for Japan?"),
]
OTHER = [
    ("How do I turn on dark mode?", "How do I turn off dark mode?", "opposite"),
    ("Why doesn't my phone charge overnight?", "Why does my phone charge overnight?", "opposite"),
    ("Does Tim owe Ann money?", "Does Ann owe Tim money?", "direction"),
    ("Can I lend my card to a friend?", "Can I borrow a friend's card?", "direction"),
    ("Who won the cup in 2018?", "Who won the cup in 2022?", "number"),
    ("Is the limit 60,000 miles?", "Is the limit 60,000 kilometres?", "number"),
    ("Send the invoice to Rita", "Send the invoice to Omar", "name"),
    ("Rooms for members only", "Rooms for everyone", "scope"),
    ("Can I cancel my order?", "Must I cancel my order?", "modality"),
    ("How do I boil an egg?", "Which bus goes to the airport?", "topic"),
]
LONG = "Please tell me about the garden gate: " + "it is green, " * 15 + "and I would like to know how I can {} it."
"""more words than the tier rules reads, and fewer tokens than the pair model reads"""


@pytest.fixture(scope="module")
def tier() -> MiniTier:
    with quiet():
        return MiniTier(device="cpu")


@pytest.fixture(scope="module")
def alone() -> PairTier:
    """The pair model without the rules."""
    with quiet():
        return PairTier(GUARD_MINI, device="cpu")


def test_its_card() -> None:
    folder = shipped(GUARD_MINI).folder
    card = json.loads((folder / "pair.json").read_text(encoding="utf-8"))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12e6
    assert card["base"]["name"] == "minilm"
    assert card["heads"] == {RELEVANCE: [], VERDICT: list(LABELS)}
    assert card["guard"]["precision"] >= 0.98


@pytest.mark.parametrize(("new", "cached"), SAME)
def test_it_accepts_paraphrases(tier: MiniTier, new: str, cached: str) -> None:
    assert Guard(tier, log=False).judge(new, cached).same


@pytest.mark.parametrize(("new", "cached", "reason"), OTHER)
def test_it_rejects_other_questions(tier: MiniTier, new: str, cached: str, reason: str) -> None:
    guard = Guard(tier, log=False)
    verdict, mirrored = guard.judge(new, cached), guard.judge(cached, new)
    assert (verdict.same, verdict.reason) == (False, reason)
    assert mirrored.score == pytest.approx(verdict.score, abs=1e-6)
    assert (mirrored.reason, mirrored.words) == (reason, verdict.words[::-1])


def test_the_probabilities_are_the_product_of_both(tier: MiniTier, alone: PairTier) -> None:
    rules = RulesTier()
    assert tier.labels == alone.labels == rules.labels
    new, cached = [pair[0] for pair in (*SAME, *OTHER)], [pair[1] for pair in (*SAME, *OTHER)]
    by_model, by_rules = alone.probabilities(new, cached), rules.probabilities(new, cached)
    for found, first, second in zip(tier.probabilities(new, cached), by_model, by_rules, strict=True):
        products = [one * other for one, other in zip(first, second, strict=True)]
        assert found == pytest.approx([product / sum(products) for product in products], abs=1e-6)
    assert tier.probabilities([], []).shape == (0, len(LABELS))


def test_the_model_decides_alone_where_the_rules_cannot_read(tier: MiniTier, alone: PairTier) -> None:
    opened, closed = LONG.format("open"), LONG.format("close")
    assert RulesTier().refusal(opened, closed)
    new, cached = [opened, "Open the gate", "?!"], [closed, "Close the gate", "Open the gate"]
    found, expected = tier.probabilities(new, cached), alone.probabilities(new, cached)
    assert found[[0, 2]] == pytest.approx(expected[[0, 2]], abs=1e-6)
    assert np.abs(found[1] - expected[1]).max() > 1e-6
    verdict = Guard(tier, log=False).judge(opened, closed)
    assert (verdict.same, verdict.reason, verdict.error) == (False, "opposite", "")
    assert "and mini reads at most 317" in Guard(tier, log=False).judge(opened * 4, closed).error


def test_its_fingerprint_is_that_of_both_weights(
    tier: MiniTier, alone: PairTier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both = f"{alone.model} {RulesTier().model}"
    assert tier.model == hashlib.sha256(both.encode()).hexdigest()
    tier.operating_point.save(tmp_path / "guard.json")
    assert Guard(tier, threshold=tmp_path / "guard.json").threshold == tier.operating_point.threshold
    monkeypatch.setattr(RulesTier, "model", "other weights")
    with quiet():
        changed = MiniTier(device="cpu")
    assert changed.model != tier.model
    for other in (changed, alone):
        with pytest.raises(InputError, match="was fitted to a tier with other weights"):
            Guard(other)
        with pytest.raises(InputError, match="was fitted to the tier mini with the weights"):
            Guard(other, threshold=tmp_path / "guard.json")


def test_the_name_of_the_model_is_the_tier(tier: MiniTier) -> None:
    with quiet():
        named = Guard(GUARD_MINI, device="cpu")
    assert (named.model, named.threshold) == (tier.model, tier.operating_point.threshold)


@pytest.mark.parametrize(
    ("has_mpnet", "has_minilm", "best"), [(True, True, "base"), (False, True, "mini"), (False, False, "rules")]
)
def test_the_best_tier_on_a_machine(
    monkeypatch: pytest.MonkeyPatch, has_mpnet: bool, has_minilm: bool, best: str
) -> None:
    monkeypatch.setattr(tiers, "has_mpnet", lambda: has_mpnet)
    monkeypatch.setattr(tiers, "has_minilm", lambda: has_minilm)
    assert best_tier() == best
    monkeypatch.setattr(tiers, "find_spec", lambda package: None)
    assert best_tier() == "rules"
