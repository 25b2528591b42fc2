"""Bases that are small enough to train in a test, and their weights to compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import require
from tests.family_models import minilm, quiet


@cache
def small_base(folder: Path) -> str:
    """Save MiniLM's first layer as a model; it has MiniLM's word vectors, so it learns fast."""
    library = require("sentence_transformers")
    with quiet():
        model = library.SentenceTransformer(minilm(), device="cpu")
        model.transformers_model.encoder.layer = model.transformers_model.encoder.layer[:1]
        model.transformers_model.config.num_hidden_layers = 1
        model.save_pretrained(str(folder), create_model_card=False)
    return str(folder)


@cache
def tiny_base(folder: Path) -> str:
    """Save an untrained BERT of two narrow layers over MiniLM's vocabulary; a checkpoint of it is small."""
    transformers = require("transformers")
    require("torch").manual_seed(0)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    with quiet():
        tokenizer = transformers.AutoTokenizer.from_pretrained(minilm())
        config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=512, **shape)
        transformers.BertModel(config).save_pretrained(folder / "encoder")
        tokenizer.save_pretrained(folder / "encoder")
        model = require("sentence_transformers").SentenceTransformer(str(folder / "encoder"), device="cpu")
        model.save_pretrained(str(folder / "model"), create_model_card=False)
    return str(folder / "model")


def weights(model: Any) -> dict[str, np.ndarray]:
    """Return a copy of a model's weights."""
    return {name: value.detach().cpu().numpy().copy() for name, value in model.state_dict().items()}


def assert_same(weights: Mapping[str, np.ndarray], others: Mapping[str, np.ndarray]) -> None:
    assert weights.keys() == others.keys()
    for name, value in weights.items():
        assert np.array_equal(value, others[name]), name


def without_seconds(curves: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of the curves without the time that a run took."""
    return [{name: value for name, value in line.items() if name != "seconds"} for line in curves]
