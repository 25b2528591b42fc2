"""Save and load the trained weights of a model whose base is stored elsewhere, as safetensors files with hashes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import sha256

if TYPE_CHECKING:
    from torch import Tensor

SHARD_BYTES = 15_000_000
"""The default limit on the size of a weight file."""


def write_weights(weights: Mapping[str, Tensor], folder: Path, *, prefix: str, shard_bytes: int) -> dict[str, str]:
    """Write tensors in order to as few files as the size limit allows; return the files' names and hashes."""
    torch_files = require("safetensors.torch", extra="models", why="own weights")
    shards: list[dict[str, Tensor]] = [{}]
    # A file has its tensors and a header, which takes less than 200 bytes per tensor.
    used = 0
    for name, value in weights.items():
        size = value.numel() * value.element_size() + 200
        if size > shard_bytes:
            raise InputError(f"{name} takes {size:,} bytes; expected shard_bytes of at least that")
        if used + size > shard_bytes:
            shards.append({})
            used = 0
        shards[-1][name] = value
        used += size
    names = [f"{prefix}-{number:02}-of-{len(shards):02}.safetensors" for number in range(1, len(shards) + 1)]
    for old in folder.glob(f"{prefix}-*.safetensors"):
        old.unlink()
    for name, shard in zip(names, shards, strict=True):
        torch_files.save_file(shard, str(folder / name))
    return {name: sha256(folder / name) for name in names}


def read_weights(folder: Path, files: Mapping[str, Any]) -> dict[str, Tensor]:
    """Read the files of `write_weights`, and check each against its hash."""
    torch_files = require("safetensors.torch", extra="models", why="own weights")
    weights: dict[str, Tensor] = {}
    for name, expected in files.items():
        path = folder / Path(name).name
        actual = sha256(path) if path.is_file() else "no file"
        if actual != expected:
            raise InputError(
                f"{path} is not the file the model was saved with: expected sha256 {expected}, got {actual}"
            )
        weights |= torch_files.load_file(str(path))
    return weights


def load_weights(own: Mapping[str, Tensor], saved: Mapping[str, Tensor], folder: Path) -> None:
    """Copy saved weights into the weights of a model; names and shapes must be the same. Errors name `folder`."""
    torch = require("torch", extra="models", why="own weights")
    if set(own) != set(saved):
        unmatched = sorted(set(own) ^ set(saved))
        raise InputError(
            f"the weights in {folder} do not fit the model: {', '.join(unmatched[:3])} in only one of the two"
        )
    for name, value in own.items():
        if value.shape != saved[name].shape:
            shapes = [tuple(weight.shape) for weight in (value, saved[name])]
            raise InputError(f"{name} in {folder} has the shape {shapes[1]}; expected {shapes[0]}")
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(saved[name])
