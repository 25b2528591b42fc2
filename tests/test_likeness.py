"""What unlike sides cost: by its definition, by hand, saved with a metric, fitted to ratings."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.scorer import Scorer, grow_scorer, load_scorer, save_scorer
from litotes.models.scorer.likeness import Likeness, likenesses
from litotes.models.scorer.scorer import padded, pair_tokens
from litotes.train.likeness import Cost, fit_likeness, seen
from tests.model_shelf import quiet
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
def scorer(base: str) -> Scorer:
    with quiet():
        return grow_scorer(base, shared_layers=1, own_layers=1, longest=64, device="cpu")


def test_how_alike_two_sides_are_by_its_definition() -> None:
    # the reference's tokens point east and north, the candidate's one east; the last row is padding
    hidden = torch.tensor([[[3.0, 0.0], [0.0, 3.0], [2.0, 0.0], [0.0, -9.0]]])
    reference, candidate = torch.tensor([[1, 1, 0, 0]]), torch.tensor([[0, 0, 1, 0]])
    found = likenesses([hidden], reference, candidate)
    # north-east with east; of the reference's tokens one finds its like and one a right angle, the candidate's its like
    assert found.tolist() == [pytest.approx([0.5**0.5, 0.5, 0, 0, 1, 1, 1], abs=1e-6)]
    other = likenesses([hidden], candidate, reference)
    assert other.tolist() == [pytest.approx([0.5**0.5, 1, 1, 1, 0.5, 0, 0], abs=1e-6)]
    # each level has its own, and a side without tokens is a number all the same
    assert likenesses([hidden, hidden], reference, candidate).shape == (1, 14)
    assert torch.isfinite(likenesses([hidden], reference, torch.zeros_like(candidate))).all()


def test_the_worst_quarter_is_a_quarter() -> None:
    # the reference's eight tokens turn away from the candidate's one step by step: 0 to 70 degrees
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
    ("score", "alike", "tokens", "left"),
    [
        (1.0, 1.0, 10, 1.0),  # alike enough: nothing is taken
        (1.0, 2.0, 10, 1.0),
        # unlike by 4, let off one of them at ten tokens: 3 points of a room of 2
        (1.0, -3.0, 10, 1.0 - 2.0 * (1 - math.exp(-1.5))),
        (1.0, -3.0, 10_000, 1.0 - 2.0 * (1 - math.exp(-2))),
        (1.0, -3.0, -10_000, 1.0 - 2.0 * (1 - math.exp(-1))),  # a short text
        (1.0, -1.0, -10_000, 1.0),
        (-1.0, -3.0, 10_000, -1.0),  # what stands lowest, and lower, loses nothing
        (-4.0, -3.0, 10_000, -4.0),
    ],
)
def test_what_it_costs_by_hand(score: float, alike: float, tokens: int, left: float) -> None:
    found = ONE.applied(torch.tensor([score]), torch.tensor([[alike, 7.0]]), torch.tensor([tokens]))
    assert float(found) == pytest.approx(left, abs=1e-5)


def test_what_was_higher_or_more_alike_stays_so_and_nothing_comes_under_the_lowest() -> None:
    scores = torch.linspace(-3, 4, 50)
    unlike = torch.tensor([[-2.0, 0.0]]).expand(50, 2)
    found = ONE.applied(scores, unlike, torch.full((50,), 12))
    assert bool((found.diff() >= 0).all())
    assert bool((found[scores > -1] >= -1).all())
    alike = torch.stack([torch.linspace(-3, 0.4, 50), torch.zeros(50)], dim=-1)
    assert bool((ONE.applied(torch.full((50,), 2.0), alike, torch.full((50,), 12)).diff() > 0).all())


def test_a_metric_keeps_it_and_is_another_by_it(scorer: Scorer, base: str, tmp_path: Path) -> None:
    pairs = [text for text, _, _ in RATED], [text for _, text, _ in RATED]
    save_scorer(scorer, tmp_path / "plain", base=base)
    scorer.model.likeness = fit_likeness(
        scorer, RATED, Cost(points=4, free=0, short=0, long=4, long_spread=1, lowest=-3)
    )
    save_scorer(scorer, tmp_path / "fitted", base=base)
    plain, fitted = (load_scorer(tmp_path / name, base=base, device="cpu") for name in ("plain", "fitted"))
    assert fitted.model.likeness == scorer.model.likeness
    assert plain.model.likeness is None
    assert fitted.facts()["weights sha256"] != plain.facts()["weights sha256"]
    without, found = plain.score(*pairs), fitted.score(*pairs)
    assert found[0] == pytest.approx(without[0], abs=1e-6)
    assert found[-1] < without[-1] - 0.1
    alone = [fitted.score([one], [other])[0] for one, other, _ in RATED]
    assert np.abs(found - alone).max() < 1e-5
    # what trains does not know of it
    fitted.model.train()
    tokens = padded(pair_tokens(fitted.tokenizer, [RATED[-1][:2]]), 0, "cpu")
    assert float(torch.sigmoid(fitted.model(*tokens)).detach()) == pytest.approx(without[-1], abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [1.0, 2.0]}, "expected 14 weights"),
        ({"weights": "many"}, "no number"),
        ({"lowest": None}, "no number"),
        ({"long_spread": 0}, "a spread above 0"),
        ({"extra": 1}, "expected weights, bias, short, long, long_spread, lowest"),
    ],
)
def test_a_card_with_another_likeness_is_refused(change: dict[str, Any], message: str) -> None:
    card = replace(ONE, weights=(1.0,) * 14).plain()
    assert Likeness.of(json.loads(json.dumps(card)), numbers=14) == replace(ONE, weights=(1.0,) * 14)
    with pytest.raises(InputError, match=message):
        Likeness.of(card | change, numbers=14)
    with pytest.raises(InputError, match="the card's likeness is 3"):
        Likeness.of(3, numbers=14)


def test_it_is_fitted_to_the_order_of_the_ratings(scorer: Scorer) -> None:
    found = fit_likeness(scorer, RATED, Cost(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1))
    worth = seen(scorer, [(one, other) for one, other, _ in RATED]) @ np.array(found.weights) + found.bias
    assert worth[0] > worth[3] > worth[4]
    # over the rated pairs it spreads by as many points as were asked for, and half of that above the mean it is free
    assert worth.mean() == pytest.approx(-1, abs=1e-6)
    assert worth.std() == pytest.approx(2, abs=1e-6)
    assert found.short == 0.5
    # the order counts, and not what the ratings are
    squared = [(one, other, rating**2) for one, other, rating in RATED]
    assert (
        fit_likeness(scorer, squared, Cost(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1)) == found
    )


def test_what_cannot_be_fitted_says_so(scorer: Scorer) -> None:
    cost = Cost(points=2, free=0.5, short=0.25, long=5, long_spread=1, lowest=-1)
    with pytest.raises(InputError, match="1 rated pairs are too few"):
        fit_likeness(scorer, RATED[:1], cost)
    with pytest.raises(InputError, match="nothing to fit"):
        fit_likeness(scorer, [RATED[0], (*RATED[0][:2], 0.1)], cost)
