"""Own weights beside a base that is only named: in safetensors files of a limited size, each known by its hash."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import sha256

if TYPE_CHECKING:
    from torch import Tensor


def split_weights(weights: Mapping[str, Tensor], folder: Path, *, prefix: str, shard_bytes: int) -> dict[str, str]:
    """Writes tensors, in their order, to as few safetensors files as the limit allows; their names and hashes."""
    torch_files = require("safetensors.torch", extra="models", why="own weights")
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
    names = [f"{prefix}-{number:02}-of-{len(shards):02}.safetensors" for number in range(1, len(shards) + 1)]
    for old in folder.glob(f"{prefix}-*.safetensors"):
        old.unlink()
    for name, shard in zip(names, shards, strict=True):
        torch_files.save_file(shard, str(folder / name))
    return {name: sha256(folder / name) for name in names}


def read_weights(folder: Path, files: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of the files of `split_weights`, each file checked against its hash."""
    torch_files = require("safetensors.torch", extra="models", why="own weights")
    found: dict[str, Tensor] = {}
    for name, wanted in files.items():
        path = folder / Path(name).name
        got = sha256(path) if path.is_file() else "no file"
        if got != wanted:
            raise InputError(f"{path} is not the file the model was saved with: expected sha256 {wanted}, got {got}")
        found |= torch_files.load_file(str(path))
    return found


def join_weights(own: Mapping[str, Tensor], folder: Path, files: Mapping[str, Any]) -> None:
    """Reads the files of `split_weights` into a model's own weights; all of them, and nothing else."""
    torch = require("torch", extra="models", why="own weights")
    found = read_weights(folder, files)
    if set(own) != set(found):
        odd = sorted(set(own) ^ set(found))
        raise InputError(f"the weights in {folder} do not fit the model: {', '.join(odd[:3])} on one side only")
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(found[name])
