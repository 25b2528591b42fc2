"""A bi-encoder small enough to train in a test, and its weights to compare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import require
from tests.model_shelf import minilm, quiet


@cache
def small_base(folder: Path) -> str:
    """MiniLM's first layer alone, as a model of its own."""
    library = require("sentence_transformers")
    with quiet():
        model = library.SentenceTransformer(minilm(), device="cpu")
        model.transformers_model.encoder.layer = model.transformers_model.encoder.layer[:1]
        model.transformers_model.config.num_hidden_layers = 1
        model.save_pretrained(str(folder), create_model_card=False)
    return str(folder)


def weights(model: Any) -> dict[str, np.ndarray]:
    return {name: value.detach().cpu().numpy().copy() for name, value in model.state_dict().items()}


def assert_same(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert np.array_equal(value, other[name]), name
