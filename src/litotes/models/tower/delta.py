"""Save and load a tower without its base: its own layers, or their updates, and its projection.

The name and the hash of the base are saved, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base, find_base
from litotes.models.eight_bits import restored, stored
from litotes.models.loading import configuration
from litotes.models.tower.build import new_tower, tower_of
from litotes.models.tower.shape import TOWER_CARD
from litotes.models.weight_files import SHARD_BYTES, load_weights, read_weights, write_weights

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

SHAPE = ("shared_layers", "own_layers", "width", "default_w")
_DTYPES = ("float16", "float32", "bfloat16")


def save_delta(
    model: SentenceTransformer,
    folder: Path | str,
    *,
    base: str | Base = "minilm",
    dtype: str = "float16",
    shard_bytes: int = SHARD_BYTES,
) -> Path:
    """Write tower.json and the tower's own weights in files of at most `shard_bytes`, without the base.

    Updates of a tower with a rank are stored in eight bits, whatever the `dtype` is.
    """
    torch = require("torch", extra="models", why="the tower")
    if dtype not in _DTYPES:
        raise InputError(f"dtype is {dtype!r}; expected one of {', '.join(_DTYPES)}")
    tower, home = tower_of(model), Path(folder)
    resolved = base if isinstance(base, Base) else find_base(base)
    home.mkdir(parents=True, exist_ok=True)
    weights = dict(tower.own_parameters())
    rank = rank_of(weights)
    card = {
        "base": {"name": resolved.name, "sha256": resolved.sha256},
        **{name: getattr(tower.config, name) for name in SHAPE},
        **({"rank": rank} if rank else {}),
        "max_tokens": model.max_seq_length,
        "files": write_weights(
            stored(weights) if rank else _as_type(weights, getattr(torch, dtype)),
            home,
            prefix="tower",
            shard_bytes=shard_bytes,
        ),
    }
    (home / TOWER_CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_tower(
    folder: Path | str, *, base: str | Base = "", device: str | None = None, default_w: float | None = None
) -> SentenceTransformer:
    """Load a tower saved by `save_delta`, on the base it names or on the same weights from `base`."""
    home = Path(folder)
    card = configuration(home, TOWER_CARD)
    if not isinstance(card.get("base"), dict) or not isinstance(card.get("files"), dict):
        raise InputError(f"{home} has no {TOWER_CARD} with a base and files; expected a folder that save_delta wrote")
    resolved = base if isinstance(base, Base) else find_base(base or str(card["base"]["name"]))
    if resolved.sha256 != card["base"]["sha256"]:
        raise InputError(
            f"the tower in {home} was trained on {card['base']['name']} with sha256 {card['base']['sha256']}; "
            f"{resolved.source.folder} has {resolved.sha256}. Pass the folder of the right base as base="
        )
    shape = {name: card[name] for name in SHAPE} | ({} if default_w is None else {"default_w": default_w})
    rank = int(card.get("rank", 0))
    model = new_tower(resolved, **shape, rank=rank, device=device)
    weights = read_weights(home, card["files"])
    load_weights(dict(tower_of(model).own_parameters()), restored(weights) if rank else weights, home)
    tower_of(model).merge()
    if card.get("max_tokens"):
        model.max_seq_length = card["max_tokens"]
    return model


def rank_of(weights: Mapping[str, Tensor]) -> int:
    """Return the rank of the updates among some weights; 0 if there are none."""
    return next((len(value) for name, value in weights.items() if name.endswith(".down")), 0)


def _as_type(weights: Mapping[str, Tensor], dtype: Any) -> dict[str, Tensor]:
    return {name: value.detach().to("cpu", dtype).contiguous() for name, value in weights.items()}
