"""The public encoder that a trained model is added to: its name, the hash of its weights, and its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError, require
from litotes.models.bases import COMPACT, COMPACT_PINS, MINILM_PINS, MPNET_PINS, find_encoder
from litotes.models.encoder_layers import BASE_TYPES
from litotes.models.loading import Source, loading, refuse_other_files, sha256

WEIGHTS = "model.safetensors"
_KNOWN = {MINILM_PINS[WEIGHTS]: "minilm", MPNET_PINS[WEIGHTS]: "mpnet"}


@dataclass(frozen=True, slots=True)
class Base:
    """A base encoder: its name, the hash of its weights, and its files."""

    name: str
    sha256: str
    """the hash of the weights in full precision, also where `source` has a copy in 20 bits"""
    source: Source

    @property
    def files(self) -> dict[str, str]:
        """The hash of the weights by the base's name, and that of the copy in 20 bits, if it is one."""
        compact = {COMPACT: COMPACT_PINS[COMPACT]} if (self.source.folder / COMPACT).is_file() else {}
        return {self.name: self.sha256, **compact}


def find_base(target: str) -> Base:
    """Find a base by its short name, folder or hub name. A folder with known weights gets their short name."""
    source = find_encoder(target)
    if (source.folder / COMPACT).is_file():
        refuse_other_files(source, COMPACT_PINS)
        return Base("minilm", MINILM_PINS[WEIGHTS], source)
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
