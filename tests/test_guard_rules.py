"""The tier rules: how words fit, the NumPy model against the one that is trained, and what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from litotes.errors import require
from litotes.guard import Guard
from litotes.guard.rules import RulesTier
from litotes.guard.word_features import EQUAL, FORM, NUMBER, OPPOSITE, OTHER, fits, words_of
from litotes.guard.word_model import WordModel

VOCABULARY = ["alarm", "do", "how", "i", "not", "off", "on", "open", "the", "turn"]
PAIRS = [
    ("How do I turn the alarm on?", "How do I turn the alarm off?"),
    ("Is Rita in Oslo on 5 May?", "Is Rita in Oslo on 6 May, or not?"),
    ("open", "Is it open, closed, or both at once?"),
]


def test_how_words_fit() -> None:
    one, other = words_of("He opened 12 doors fast"), words_of("He opens twelve or 13 gates slowly")
    assert fits(one, other).tolist() == [
        [EQUAL, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER],
        [OTHER, FORM, OTHER, OTHER, OTHER, OTHER, OTHER],
        [OTHER, OTHER, FORM, OTHER, NUMBER, OTHER, OTHER],
        [OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER],
        [OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OPPOSITE],
    ]


def test_the_model_is_the_one_that_was_trained(tmp_path: Path) -> None:
    torch = require("torch")
    from scripts.train_guard_rules import WIDTH, Net, batch_of

    torch.manual_seed(0)
    net = Net(np.random.default_rng(0).normal(size=(len(VOCABULARY) + 1, WIDTH)).astype(np.float32)).eval()
    model = WordModel(VOCABULARY, {name: value.detach().numpy() for name, value in net.named_parameters()})
    rows = [(*pair, "same") for pair in PAIRS]
    with torch.inference_mode():
        trained = net(*batch_of(lambda text: tuple(map(np.array, model.inputs(words_of(text)))), rows)).numpy()
    assert np.array([model.logits(*pair) for pair in PAIRS]) == pytest.approx(trained, abs=1e-4)
    model.save(tmp_path / "model.safetensors")
    stored = WordModel.load(tmp_path / "model.safetensors")
    assert np.array([stored.logits(*pair) for pair in PAIRS]) == pytest.approx(trained, abs=0.05)


@pytest.fixture(scope="module")
def tier() -> RulesTier:
    return RulesTier()


@pytest.mark.parametrize("pair", PAIRS)
def test_the_order_of_the_texts_does_not_matter(tier: RulesTier, pair: tuple[str, str]) -> None:
    there, back = tier.probabilities([pair[0], pair[1]], [pair[1], pair[0]])
    assert there == pytest.approx(back, abs=1e-6)
    assert there.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("new", "cached", "reason"),
    [
        ("Lock the front gate", "Unlock the front gate", "opposite"),
        ("Set the oven to 180 degrees", "Set the oven to 210 degrees", "number"),
        ("Is the museum open today?", "Is the museum closed today?", "opposite"),
        ("Forward the letter to Rita", "Forward the letter to Omar", "name"),
        ("How long do I boil an egg?", "Which bus goes to the airport?", "topic"),
    ],
)
def test_reasons(tier: RulesTier, new: str, cached: str, reason: str) -> None:
    verdict = Guard(tier).judge(new, cached)
    assert not verdict.same
    assert verdict.reason == reason


def test_texts_that_are_too_long_or_have_no_words(tier: RulesTier) -> None:
    verdict = Guard(tier).judge("Is it open? " * 20, "Is it closed?")
    assert "48 words or more" in verdict.error
    assert Guard(tier).judge("?!", "How?").error == "a text has no words"
    assert tier.probabilities([], []).shape == (0, len(tier.labels))
