"""Blends of a base and its tuned self, and the twin cosine, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.train import Example, blend, choose, sweep_blend, twin_cosine
from litotes.train.twins import twins
from tests.model_shelf import quiet
from tests.small_base import assert_same, small_base, weights

torch = require("torch")


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


def test_a_blend_lies_between_its_models(base: str) -> None:
    library = require("sentence_transformers")
    with quiet():
        one, other = (library.SentenceTransformer(base, device="cpu") for _ in range(2))
        with torch.no_grad():
            for value in other.parameters():
                value.add_(1.0)
        before, after = weights(one), weights(other)
        assert_same(weights(blend(one, other, 0)), before)
        assert_same(weights(blend(base, other, 1)), after)
        quarter = weights(blend(one, other, 0.25))
    for name, value in quarter.items():
        assert np.allclose(value, before[name] + 0.25 * (after[name] - before[name]), atol=1e-6), name
    # The models that were blended are as they were.
    assert_same(weights(one), before)
    assert_same(weights(other), after)
    with pytest.raises(InputError, match=r"share is 1\.5; expected a number from 0"):
        blend(one, other, 1.5)


def test_a_sweep_over_shares_ends_in_a_choice(base: str) -> None:
    library = require("sentence_transformers")
    with quiet():
        one, other = (library.SentenceTransformer(base, device="cpu") for _ in range(2))
        name, value = next(iter(other.named_parameters()))
        with torch.no_grad():
            value.zero_()
        start = float(dict(one.named_parameters())[name].detach().abs().sum())

        def evaluate(model: Any) -> dict[str, float]:
            left = float(dict(model.named_parameters())[name].detach().abs().sum()) / start
            return {"negation.made up": 1 - left, "general.made up": left}

        found = sweep_blend(one, other, [0, 0.25, 0.5, 1], evaluate)
    assert [blended.share for blended in found] == [0, 0.25, 0.5, 1]
    assert [blended.scores["negation.made up"] for blended in found] == pytest.approx([0, 0.25, 0.5, 1], abs=1e-4)
    assert choose([blended.point() for blended in found], 0.3).at == 0.25
    assert found[0].line() == {"share": 0, "scores": {"negation.made up": 0.0, "general.made up": 1.0}}


@pytest.mark.slow
def test_strangers_are_not_blended(base: str) -> None:
    with quiet(), pytest.raises(InputError, match=r"different weights, .*layer\.1.* expected a base and a model fine"):
        blend("minilm", base, 0.5)


def test_the_twin_of_a_negative_is_the_text_it_was_made_from() -> None:
    triple = Example("The mill runs.", "The mill may run, they say.", ("The mill does not run.",))
    pair = Example("Which mill stands still?", "The old mill does not run.", ("The old mill does run.",))
    plain = Example("Where is the mill?", "By the brook.")
    # With its negation the anchor shares two words of six, the hedged positive two of nine.
    assert twins([triple, pair, plain]) == [
        ("The mill runs.", "The mill does not run."),
        ("The old mill does not run.", "The old mill does run."),
    ]


class Compass:
    """An encoder that points a text the way its last word says."""

    ways: Mapping[str, tuple[float, float]] = {"north": (0.0, 1.0), "east": (1.0, 0.0), "between": (0.6, 0.8)}

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        return np.array([self.ways[text.split()[-1]] for text in texts])


def test_the_twin_cosine_by_hand() -> None:
    one = Example("Far away", "We go north", ("We go between",))
    other = Example("Far away", "We go north", ("We go east", "We go north"))
    assert twin_cosine(Compass(), [one]) == pytest.approx(0.8)
    assert twin_cosine(Compass(), [one, other]) == pytest.approx((0.8 + 0 + 1) / 3)
    with pytest.raises(InputError, match="1 examples without a negative"):
        twin_cosine(Compass(), [Example("a", "b")])
