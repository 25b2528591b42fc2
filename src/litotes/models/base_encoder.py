"""The public encoder that a trained model is added to: its name, the hash of its weights, and its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError, require
from litotes.models.bases import MINILM_PINS, MPNET_PINS, find_encoder
from litotes.models.encoder_layers import BASE_TYPES
from litotes.models.loading import Source, loading, sha256

WEIGHTS = "model.safetensors"
_KNOWN = {MINILM_PINS[WEIGHTS]: "minilm", MPNET_PINS[WEIGHTS]: "mpnet"}


@dataclass(frozen=True, slots=True)
class Base:
    """A base encoder: its name, the hash of its weights, and its files."""

    name: str
    sha256: str
    source: Source


def find_base(target: str) -> Base:
    """Find a base by its short name, folder or hub name. A folder with known weights gets their short name."""
    source = find_encoder(target)
    weights = source.folder / WEIGHTS
    if not weights.is_file():
        raise InputError(f"{source.folder} has no {WEIGHTS}; expected a saved SentenceTransformer in safetensors")
    weights_hash = sha256(weights)
    return Base(_KNOWN.get(weights_hash, target), weights_hash, source)


def load_encoder(base: Base) -> tuple[Any, Any]:
    """Load the base's encoder in full precision, and its tokenizer."""
    transformers = require("transformers", extra="models", why="a model on a base")
    torch = require("torch", extra="models", why="a model on a base")
    with loading(base.source, "dense"):
        folder = str(base.source.folder)
        encoder = transformers.AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if encoder.config.model_type not in BASE_TYPES:
        raise InputError(f"{folder} is a {encoder.config.model_type} model; expected {', '.join(BASE_TYPES)}")
    return encoder, tokenizer
