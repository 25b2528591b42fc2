"""Test the correction for dissimilar texts: its features, its formula, saving it, and fitting it to ratings."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.pair_tokens import padded, pair_tokens
from litotes.models.scorer import MetricScorer, load_scorer, new_scorer, save_scorer
from litotes.models.scorer.likeness import Likeness, likenesses
from litotes.training.likeness_cost import CostShape, fit_likeness_cost, similarity_numbers
from tests.family_models import quiet
from tests.small_base import small_base

torch = require("torch")

SAID = "The ferry to the island leaves from the new pier at noon."
RATED = [
    (SAID, SAID, 0.9),
    (SAID, "The ferry to the island leaves from the new pier at midday.", 0.8),
    (SAID, "At noon the island ferry leaves the new pier.", 0.6),
    (SAID, "Ferry of island goes pier new in noon hour.", 0.4),
    (SAID, "Cats sleep on warm ovens.", 0.1),
]
ONE = Likeness(weights=(1.0, 0.0), bias=-1.0, short=2.0, long=10.0, long_spread=2.0, lowest=-1.0)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


@pytest.fixture
def scorer(base: str) -> MetricScorer:
    with quiet():
        return new_scorer(base, shared_layers=1, own_layers=1, longest=64, device="cpu")


def test_similarity_features_by_hand() -> None:
    # The reference has tokens to the east and the north, the candidate one to the east; the last row is padding.
    hidden = torch.tensor([[[3.0, 0.0], [0.0, 3.0], [2.0, 0.0], [0.0, -9.0]]])
    reference, candidate = torch.tensor([[1, 1, 0, 0]]), torch.tensor([[0, 0, 1, 0]])
    features = likenesses([hidden], reference, candidate)
    # North-east and east; the reference's tokens match at cosine 1 and 0, the candidate's at 1.
    assert features.tolist() == [pytest.approx([0.5**0.5, 0.5, 0, 0, 1, 1, 1], abs=1e-6)]
    swapped = likenesses([hidden], candidate, reference)
    assert swapped.tolist() == [pytest.approx([0.5**0.5, 1, 1, 1, 0.5, 0, 0], abs=1e-6)]
    # Each level has its own features, and a text without tokens gives finite ones.
    assert likenesses([hidden, hidden], reference, candidate).shape == (1, 14)
    assert torch.isfinite(likenesses([hidden], reference, torch.zeros_like(candidate))).all()


def test_the_worst_quarter_by_hand() -> None:
    # The angles between the reference's eight tokens and the candidate's one are 0 to 70 degrees.
    angles = torch.tensor([math.radians(10 * at) for at in range(8)] + [0.0])
    hidden = torch.stack([angles.cos(), angles.sin()], dim=-1).unsqueeze(0)
    reference = torch.tensor([[1] * 8 + [0]])
    _, average, quarter, worst, *other = likenesses([hidden], reference, 1 - reference)[0].tolist()
    each = [math.cos(math.radians(10 * at)) for at in range(8)]
    assert average == pytest.approx(sum(each) / 8, abs=1e-6)
    assert quarter == pytest.approx((each[6] + each[7]) / 2, abs=1e-6)
    assert worst == pytest.approx(each[7], abs=1e-6)
    assert other == pytest.approx([1, 1, 1], abs=1e-6)


@pytest.mark.parametrize(
    ("score", "similarity", "tokens", "expected"),
    [
        (1.0, 1.0, 10, 1.0),  # similar enough: no correction
        (1.0, 2.0, 10, 1.0),
        # 4 points minus an allowance of 1 at ten tokens, 2 points above the lowest score
        (1.0, -3.0, 10, 1.0 - 2.0 * (1 - math.exp(-1.5))),
        (1.0, -3.0, 10_000, 1.0 - 2.0 * (1 - math.exp(-2))),
        (1.0, -3.0, -10_000, 1.0 - 2.0 * (1 - math.exp(-1))),  # a short text
        (1.0, -1.0, -10_000, 1.0),
        (-1.0, -3.0, 10_000, -1.0),  # no correction at the lowest score or below
        (-4.0, -3.0, 10_000, -4.0),
    ],
)
def test_the_correction_by_hand(score: float, similarity: float, tokens: int, expected: float) -> None:
    corrected = ONE.applied(torch.tensor([score]), torch.tensor([[similarity, 7.0]]), torch.tensor([tokens]))
    assert float(corrected) == pytest.approx(expected, abs=1e-5)


def test_the_correction_is_monotonic_and_stops_at_the_lowest_score() -> None:
    scores = torch.linspace(-3, 4, 50)
    dissimilar = torch.tensor([[-2.0, 0.0]]).expand(50, 2)
    corrected = ONE.applied(scores, dissimilar, torch.full((50,), 12))
    assert bool((corrected.diff() >= 0).all())
    assert bool((corrected[scores > -1] >= -1).all())
    similarities = torch.stack([torch.linspace(-3, 0.4, 50), torch.zeros(50)], dim=-1)
    assert bool((ONE.applied(torch.full((50,), 2.0), similarities, torch.full((50,), 12)).diff() > 0).all())


def test_the_correction_is_saved_and_changes_the_hash(scorer: MetricScorer, base: str, tmp_path: Path) -> None:
    pairs = [text for _, text, _ in RATED], [text for text, _, _ in RATED]
    save_scorer(scorer, tmp_path / "plain", base=base)
    scorer.model.likeness = fit_likeness_cost(
        scorer, RATED, CostShape(points=4, free=0, short=0, long=4, long_spread=1, lowest=-3)
    )
    save_scorer(scorer, tmp_path / "fitted", base=base)
    plain, fitted = (load_scorer(tmp_path / name, base=base, device="cpu") for name in ("plain", "fitted"))
    assert fitted.model.likeness == scorer.model.likeness
    assert plain.model.likeness is None
    assert fitted.facts()["weights sha256"] != plain.facts()["weights sha256"]
    before, after = plain.score(*pairs), fitted.score(*pairs)
    assert after[0] == pytest.approx(before[0], abs=1e-6)
    assert after[-1] < before[-1] - 0.1
    alone = [fitted.score([candidate], [reference])[0] for reference, candidate, _ in RATED]
    assert np.abs(after - alone).max() < 1e-5
    # There is no correction in training mode.
    fitted.model.train()
    tokens = padded(pair_tokens(fitted.tokenizer, [RATED[-1][:2]]), 0, "cpu")
    assert float(torch.sigmoid(fitted.model(*tokens)).detach()) == pytest.approx(before[-1], abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [1.0, 2.0]}, "expected 14 weights"),
        ({"weights": "many"}, "expected only numbers"),
        ({"lowest": None}, "expected only numbers"),
        ({"long_spread": 0}, "a spread above 0"),
        ({"extra": 1}, "expected weights, bias, short, long, long_spread, lowest"),
    ],
)
def test_an_invalid_card_is_refused(change: dict[str, Any], message: str) -> None:
    card = replace(ONE, weights=(1.0,) * 14).plain()
    assert Likeness.of(json.loads(json.dumps(card)), numbers=14) == replace(ONE, weights=(1.0,) * 14)
    with pytest.raises(InputError, match=message):
        Likeness.of(card | change, numbers=14)
    with pytest.raises(InputError, match="the card's likeness is 3"):
        Likeness.of(3, numbers=14)


def test_the_correction_is_fitted_to_the_order_of_the_ratings(scorer: MetricScorer) -> None:
    found = fit_likeness_cost(
        scorer, RATED, CostShape(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1)
    )
    worth = similarity_numbers(scorer, [(one, other) for one, other, _ in RATED]) @ np.array(found.weights) + found.bias
    assert worth[0] > worth[3] > worth[4]
    # The spread over the rated pairs is `points`, and half of that above the mean is free.
    assert worth.mean() == pytest.approx(-1, abs=1e-6)
    assert worth.std() == pytest.approx(2, abs=1e-6)
    assert found.short == 0.5
    # Only the order of the ratings counts.
    squared = [(one, other, rating**2) for one, other, rating in RATED]
    assert (
        fit_likeness_cost(scorer, squared, CostShape(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1))
        == found
    )


def test_ratings_that_cannot_be_fitted_are_refused(scorer: MetricScorer) -> None:
    cost = CostShape(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1)
    with pytest.raises(InputError, match="1 rated pairs are too few"):
        fit_likeness_cost(scorer, RATED[:1], cost)
    with pytest.raises(InputError, match="all equally similar"):
        fit_likeness_cost(scorer, [RATED[0], (*RATED[0][:2], 0.1)], cost)
