"""The shape of a tower, read from a loaded model or from its files, and `litotes.dial`, which needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import InputError
from litotes.models.bases import find_encoder
from litotes.models.encoder_names import parse_encoder_name
from litotes.models.loading import configuration
from litotes.models.tower.scaling import check_default_dial, rescale_queries

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer

TOWER_CARD = "tower.json"
"""The file that describes a tower saved without its base."""


@dataclass(frozen=True, slots=True)
class TowerShape:
    """What the dial needs to know of a tower."""

    default_dial: float
    width: int
    """the columns of the tower's block, which are the last ones of a vector"""


class HasShape(Protocol):
    """An encoder that knows the shape of its tower."""

    @property
    def shape(self) -> TowerShape | None:
        """The default dial and the columns of the tower's block; None without a tower."""
        ...


def dial(model: str | SentenceTransformer | HasShape | TowerShape, vectors: np.ndarray, w: float) -> np.ndarray:
    """Rescale query vectors of a tower model from its default dial to the dial `w`.

    Stored documents stay as they are: the dot product of the result with one of them is (1-w)·cos f + w·cos g, the base
    alone at 0 and the tower alone at 1. `model` is an encoder from `litotes.load`, or its name or folder, of which only
    the configuration is read, or a `litotes.models.TowerShape`. `vectors` are rows of `encode` or of
    `encode_query(…, exclude=False)`: a query that excludes something is encoded at a dial of its own.
    """
    shape = tower_shape(model)
    return rescale_queries(vectors, w, w0=shape.default_dial, width=shape.width)


def tower_shape(model: str | Path | SentenceTransformer | HasShape | TowerShape) -> TowerShape:
    """Return the default dial and the width of a tower model; raise an InputError if the model has no tower."""
    if isinstance(model, TowerShape):
        return model
    if isinstance(model, str | Path):
        return _saved_shape(str(model))
    shape = loaded_shape(model)
    if shape is not None:
        return shape
    if not hasattr(model, "transformers_model"):
        raise InputError(f"the model is {type(model).__name__}; expected dial(model, vectors, w) with a loaded tower")
    raise InputError("this model has no tower, so it has no dial; expected litotes-mini or another tower")


def loaded_shape(model: Any) -> TowerShape | None:
    """Return the shape of a loaded encoder's tower; None for an encoder without a tower."""
    shape = getattr(model, "shape", None)
    if isinstance(shape, TowerShape):
        return shape
    config = tower_config(model) if hasattr(model, "transformers_model") else None
    return TowerShape(config.default_w, config.tower_width) if config is not None else None


def tower_config(model: Any) -> Any:
    """Return the tower's configuration; None for a model without a tower."""
    config = getattr(model.transformers_model, "config", None)
    return config if hasattr(config, "tower_width") else None


def is_tower(folder: Path) -> bool:
    """Return whether a folder has a saved tower, with its base or without it."""
    return (folder / TOWER_CARD).is_file() or "default_w" in configuration(folder, "config.json")


def _saved_shape(name: str) -> TowerShape:
    """Read the shape from the configuration of a saved tower, without loading its weights."""
    parsed = parse_encoder_name(name.removeprefix("dense:"))
    folder = find_encoder(parsed.parts[0]).folder
    card = configuration(folder, TOWER_CARD)
    if card:
        base = card.get("base")
        card["base"] = configuration(find_encoder(str(base["name"])).folder, "config.json") if base else {}
    else:
        card = configuration(folder, "config.json")
    try:
        shape = TowerShape(check_default_dial(card["default_w"]), int(card["width"] or card["base"]["hidden_size"]))
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{name} has no tower, so it has no dial; expected litotes-mini or another tower") from None
    return shape if parsed.dial is None else replace(shape, default_dial=check_default_dial(parsed.dial))
