"""Interpolation of the weights of a base and of a model fine-tuned from it (WiSE-FT)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING

from litotes.errors import InputError, require
from litotes.models.base_encoder import find_base
from litotes.training.finetune import load_base

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor


def blend(base: str | SentenceTransformer, tuned: str | SentenceTransformer, share: float) -> SentenceTransformer:
    """Return a new model whose weights are (1-share) of the base's plus `share` of the fine-tuned model's.

    Both are models, short names or folders, with the same shape and vocabulary.
    """
    if not 0 <= share <= 1:
        raise InputError(f"share is {share}; expected a number from 0 (the base) to 1 (the fine-tuned model)")
    start, end = _model(base), _model(tuned)
    _refuse_unrelated(start, end)
    mixed: SentenceTransformer = copy.deepcopy(end)
    mixed.load_state_dict(_mixed(start.state_dict(), end.state_dict(), share))
    mixed.eval()
    return mixed


def _model(model: str | SentenceTransformer) -> SentenceTransformer:
    return load_base(find_base(model), "cpu") if isinstance(model, str) else model


def _mixed(base: Mapping[str, Tensor], tuned: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """Interpolate every weight; integer buffers, such as positions, are the same in both models."""
    torch = require("torch", extra="train", why="blend")
    mixed = {}
    for name, value in tuned.items():
        start = base[name].to(value)
        mixed[name] = torch.lerp(start, value, share) if value.is_floating_point() else value
    return mixed


def _refuse_unrelated(base: SentenceTransformer, tuned: SentenceTransformer) -> None:
    """Raise InputError unless the second model can have been fine-tuned from the first."""
    shapes = [{name: tuple(value.shape) for name, value in model.state_dict().items()} for model in (base, tuned)]
    if shapes[0] != shapes[1]:
        different = sorted(
            name for name in shapes[0].keys() | shapes[1].keys() if shapes[0].get(name) != shapes[1].get(name)
        )
        raise InputError(
            f"the two models have different weights, for example {different[0]}; expected a base and a model that was "
            "fine-tuned from it"
        )
    if base.tokenizer.get_vocab() != tuned.tokenizer.get_vocab():
        raise InputError("the two models have different vocabularies; expected a base and a model fine-tuned from it")
