"""Read the weights of trained models with NumPy alone: those of the base, and ours with their updates merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.arrays import read_arrays
from litotes.errors import InputError
from litotes.models.base_encoder import WEIGHTS, find_base
from litotes.models.base_encoder import Base as BaseEncoder
from litotes.models.bases import COMPACT
from litotes.models.loading import configuration, sha256
from litotes.models.onnx.bert import BertShape
from litotes.models.twenty_bits import restored

STEP = ".step"
"""what the names of the steps of eight-bit arrays end with (`litotes.models.eight_bits`)"""
SCALE = 2.0
"""what an update of low rank is multiplied by, if the card does not say it"""
BASE = "base."
"""what the names of updates of the base begin with"""


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained model in a folder: its card, its base, and its own arrays in full precision."""

    card: Mapping[str, Any]
    base: BaseEncoder
    base_config: Mapping[str, Any]
    own: Mapping[str, np.ndarray]

    @property
    def shape(self) -> BertShape:
        """The shape of the base."""
        return BertShape.of(self.base_config)

    def base_weights(self) -> dict[str, np.ndarray]:
        """Read the weights of the base, and add the model's updates of the base to them."""
        weights = read_base(self.base.source.folder)
        own = {name.removeprefix(BASE): array for name, array in self.own.items() if name.startswith(BASE)}
        return with_updates(weights, own, scale=float(self.card.get("scale", SCALE)))


def read_base(folder: Path) -> dict[str, np.ndarray]:
    """Read the weights of a base, without the table of its positions, which only counts."""
    if (folder / COMPACT).is_file():
        return restored(read_arrays(folder / COMPACT))
    stored = read_arrays(folder / WEIGHTS)
    return {name: array.astype(np.float32) for name, array in stored.items() if array.dtype != np.int64}


def with_updates(
    weights: Mapping[str, np.ndarray], own: Mapping[str, np.ndarray], *, scale: float = SCALE
) -> dict[str, np.ndarray]:
    """Return weights with their updates added: W + change, or W + scale · up · down."""
    merged = dict(weights)
    for name, array in own.items():
        layer, _, part = name.rpartition(".")
        if part == "change":
            merged[f"{layer}.weight"] = merged[f"{layer}.weight"] + array
        elif part == "up":
            merged[f"{layer}.weight"] = merged[f"{layer}.weight"] + np.float32(scale) * (array @ own[f"{layer}.down"])
    return merged


def read_model(folder: Path, card_name: str) -> TrainedModel:
    """Read a trained model and find its base."""
    card = configuration(folder, card_name)
    try:
        name, expected = str(card["base"]["name"]), str(card["base"]["sha256"])
        files = {Path(file).name: str(value) for file, value in card["files"].items()}
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{folder} has no {card_name} with a base and files; expected a trained model") from None
    base = find_base(name)
    if base.sha256 != expected:
        raise InputError(
            f"the model in {folder} was trained on {name} with sha256 {expected}; "
            f"{base.source.folder} has {base.sha256}"
        )
    stored: dict[str, np.ndarray] = {}
    for file, wanted in files.items():
        found = sha256(folder / file) if (folder / file).is_file() else "no file"
        if found != wanted:
            raise InputError(f"{folder / file} is not the file of the model: expected sha256 {wanted}, got {found}")
        stored |= read_arrays(folder / file)
    return TrainedModel(card, base, configuration(base.source.folder, "config.json"), _in_full(stored))


def _in_full(stored: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return stored arrays in full precision; those in eight bits are multiplied by their steps."""
    return {
        name: array.astype(np.float32) * (stored[name + STEP][:, None] if name + STEP in stored else np.float32(1))
        for name, array in stored.items()
        if not name.endswith(STEP)
    }
