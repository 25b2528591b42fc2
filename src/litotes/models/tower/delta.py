"""A tower without its base: the own layers and the projection, and the name and hash of the base they stand on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import configuration, sha256
from litotes.models.tower.build import Base, find_base, grow, tower_of
from litotes.models.tower.dial import TOWER_CARD
from litotes.models.tower.shards import SHARD_BYTES

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
    """Writes tower.json and the tower's own weights in files of at most `shard_bytes`; the base is only named."""
    torch = require("torch", extra="models", why="the tower")
    if dtype not in _DTYPES:
        raise InputError(f"dtype is {dtype!r}; expected one of {', '.join(_DTYPES)}")
    tower, home = tower_of(model), Path(folder)
    found = base if isinstance(base, Base) else find_base(base)
    home.mkdir(parents=True, exist_ok=True)
    weights = {
        name: value.detach().to("cpu", getattr(torch, dtype)).contiguous() for name, value in tower.own_parameters()
    }
    card = {
        "base": {"name": found.name, "sha256": found.sha256},
        **{name: getattr(tower.config, name) for name in SHAPE},
        "max_tokens": model.max_seq_length,
        "files": split_weights(weights, home, shard_bytes=shard_bytes),
    }
    (home / TOWER_CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_tower(
    folder: Path | str, *, base: str | Base = "", device: str | None = None, default_w: float | None = None
) -> SentenceTransformer:
    """A tower saved by `save_delta`, on its base: the one it names, or the same weights from elsewhere."""
    home = Path(folder)
    card = configuration(home, TOWER_CARD)
    if not isinstance(card.get("base"), dict) or not isinstance(card.get("files"), dict):
        raise InputError(
            f"{home} has no {TOWER_CARD} that names a base and files; expected a folder that save_delta wrote"
        )
    found = base if isinstance(base, Base) else find_base(base or str(card["base"]["name"]))
    if found.sha256 != card["base"]["sha256"]:
        raise InputError(
            f"the tower in {home} stands on {card['base']['name']} with sha256 {card['base']['sha256']}; "
            f"{found.source.folder} has {found.sha256}. Name the folder of the right base with base="
        )
    shape = {name: card[name] for name in SHAPE} | ({} if default_w is None else {"default_w": default_w})
    model = grow(found, **shape, device=device)
    join_weights(model, home, card["files"])
    if card.get("max_tokens"):
        model.max_seq_length = card["max_tokens"]
    return model


def split_weights(weights: Mapping[str, Tensor], folder: Path, *, shard_bytes: int = SHARD_BYTES) -> dict[str, str]:
    """Writes tensors, in their order, to as few safetensors files as the limit allows; their names and hashes."""
    torch_files = require("safetensors.torch", extra="models", why="the tower")
    shards: list[dict[str, Tensor]] = [{}]
    # A file is its tensors and a header of names, which takes less than 200 bytes a tensor.
    filled = 0
    for name, value in weights.items():
        size = value.numel() * value.element_size() + 200
        if size > shard_bytes:
            raise InputError(f"{name} alone takes {size:,} bytes; expected shard_bytes of at least that")
        if filled + size > shard_bytes:
            shards.append({})
            filled = 0
        shards[-1][name] = value
        filled += size
    names = [f"tower-{number:02}-of-{len(shards):02}.safetensors" for number in range(1, len(shards) + 1)]
    for old in folder.glob("tower-*.safetensors"):
        old.unlink()
    for name, shard in zip(names, shards, strict=True):
        torch_files.save_file(shard, str(folder / name))
    return {name: sha256(folder / name) for name in names}


def join_weights(model: SentenceTransformer, folder: Path, files: Mapping[str, Any]) -> None:
    """Reads the files of `split_weights` into a model's tower; all of its own weights, and nothing else."""
    torch_files = require("safetensors.torch", extra="models", why="the tower")
    torch = require("torch", extra="models", why="the tower")
    found: dict[str, Tensor] = {}
    for name, wanted in files.items():
        path = folder / Path(name).name
        got = sha256(path) if path.is_file() else "no file"
        if got != wanted:
            raise InputError(f"{path} is not the file the tower was saved with: expected sha256 {wanted}, got {got}")
        found |= torch_files.load_file(str(path))
    own = dict(tower_of(model).own_parameters())
    if set(own) != set(found):
        odd = sorted(set(own) ^ set(found))
        raise InputError(f"the weights in {folder} do not fit the tower: {', '.join(odd[:3])} on one side only")
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(found[name])
