"""The settings of the server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from litotes.errors import InputError
from litotes.models.backends import BACKENDS
from litotes.models.bases import MINI

KEY_VARIABLE = "LITOTES_API_KEY"
LOCAL = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server serves, where, and within which limits."""

    host: str = LOCAL[0]
    port: int = 8000
    models: tuple[str, ...] = (MINI,)
    """encoders and rerankers; the first encoder is the default"""
    backend: str = ""
    """of the encoders: onnx, torch, or "" for onnxruntime where it is installed and the encoder has a graph"""
    api_key: str = field(default="", repr=False)
    """every request but those for health and the page must have it; "" asks for none"""
    max_batch_tokens: int = 4096
    max_queue: int = 512
    """requests that may wait for one model"""
    max_body: int = 2_000_000
    """bytes of a request's body"""
    max_inputs: int = 2048
    """texts, documents or pairs of a request"""
    timeout: float = 60.0
    """seconds from a request's headers to its answer"""
    max_wait: float = 0.01
    """seconds that a request may wait for others to be computed with it, while the model is idle"""
    cors: tuple[str, ...] = ()
    """origins of web pages that may call the server"""
    preload: bool = False
    """whether all models are loaded at the start, and not at their first use"""

    def __post_init__(self) -> None:
        for name, least in (("max_batch_tokens", 1), ("max_queue", 1), ("max_body", 1), ("max_inputs", 1)):
            value = getattr(self, name)
            if value < least:
                raise InputError(f"{name} is {value}; expected at least {least}")
        if self.backend and self.backend not in BACKENDS:
            raise InputError(f"backend is {self.backend!r}; expected {' or '.join(BACKENDS)}")
        if not self.timeout > 0:
            raise InputError(f"timeout is {self.timeout}; expected a number of seconds above 0")
        if not self.models:
            raise InputError("there is no model to serve; expected at least one encoder, such as litotes-mini")


def read_api_key(file: Path | None) -> str:
    """Return the API key: that of the file, or else of the environment variable LITOTES_API_KEY, or ""."""
    if file is None:
        key, place = os.environ.get(KEY_VARIABLE, ""), f"the environment variable {KEY_VARIABLE}"
    else:
        key, place = file.read_text(encoding="utf-8"), str(file)
    key = key.strip()
    if file is not None and not key:
        raise InputError(f"{place} is empty; expected an API key on one line")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"the API key in {place} has a space, a line break or a character that is not ASCII")
    return key
