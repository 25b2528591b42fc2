"""A pair model that runs on onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.models.onnx.making_once import made
from litotes.models.onnx.session import LIBRARIES, OnnxModel
from litotes.models.pair.card import card_settings
from litotes.models.pair.scorer import PairScorer
from litotes.models.pair_tokens import Tokens, padded_arrays


class OnnxPairScorer(PairScorer):
    """A pair model whose logits onnxruntime computes. It runs on the CPU, and `model` is an `OnnxModel`."""

    libraries = LIBRARIES

    @property
    def device(self) -> str:
        """Where the model runs."""
        return "cpu"

    def _batch_logits(self, rows: Sequence[Tokens], head: str) -> np.ndarray:
        ids, mask, sides = padded_arrays(rows, self.padding)
        # As the base's own tokenizer numbers them: the special token after the second text belongs to it.
        second = (sides.cumsum(axis=1) > 0).astype(np.int64) * mask
        logits: np.ndarray = self.model.run_tokens(ids, mask, second)[head]
        return logits if self.heads[head] else logits[:, 0]


def load_onnx_pair_scorer(target: str, card: Mapping[str, Any], home: Path, *, name: str) -> OnnxPairScorer:
    """Load a pair model, whose graph is made if necessary."""
    model = OnnxModel(made(target))
    return OnnxPairScorer(name, model, model.tokenizer, **card_settings(card, home))


def exported_pair_scorer(folder: Path) -> OnnxPairScorer:
    """Load a pair model from the folder that `litotes export onnx` wrote."""
    model = OnnxModel(folder)
    card = model.card
    base = {"name": card.base, "sha256": card.weights[card.base]}
    settings = {**card.settings, "longest": card.max_tokens, "files": card.weights, "base": base}
    return OnnxPairScorer(card.model, model, model.tokenizer, **card_settings(settings, folder))
