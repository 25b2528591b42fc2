"""Blends of a base and a model fine-tuned from it, and the minimal-pair cosine, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.training import Example, blend, minimal_pair_cosine
from litotes.training.minimal_pairs import minimal_pairs
from tests.family_models import quiet
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


@pytest.mark.slow
def test_models_of_different_shape_are_not_blended(base: str) -> None:
    with (
        quiet(),
        pytest.raises(InputError, match=r"different weights, .*layer\.1.* that was fine-tuned from it"),
    ):
        blend("minilm", base, 0.5)


def test_the_minimal_pair_of_a_negative_is_the_text_it_was_made_from() -> None:
    triple = Example("The mill runs.", "The mill may run, they say.", ("The mill does not run.",))
    pair = Example("Which mill stands still?", "The old mill does not run.", ("The old mill does run.",))
    plain = Example("Where is the mill?", "By the brook.")
    # With its negation the anchor shares two words of six, the hedged positive two of nine.
    assert minimal_pairs([triple, pair, plain]) == [
        ("The mill runs.", "The mill does not run."),
        ("The old mill does not run.", "The old mill does run."),
    ]


class Compass:
    """An encoder that points a text the way its last word says."""

    ways: Mapping[str, tuple[float, float]] = {"north": (0.0, 1.0), "east": (1.0, 0.0), "between": (0.6, 0.8)}

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        return np.array([self.ways[text.split()[-1]] for text in texts])


def test_the_minimal_pair_cosine_by_hand() -> None:
    one = Example("Far away", "We go north", ("We go between",))
    other = Example("Far away", "We go north", ("We go east", "We go north"))
    assert minimal_pair_cosine(Compass(), [one]) == pytest.approx(0.8)
    assert minimal_pair_cosine(Compass(), [one, other]) == pytest.approx((0.8 + 0 + 1) / 3)
    with pytest.raises(InputError, match="none of 1 examples has a negative"):
        minimal_pair_cosine(Compass(), [Example("a", "b")])
