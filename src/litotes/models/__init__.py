"""Load a model of any family by name: `load("dense:minilm")`. Each family is one module, imported on first use."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, did_you_mean
from litotes.models.bases import BASES, METRICS
from litotes.models.loading import Settings
from litotes.models.tower.registration import register_with_the_library
from litotes.models.tower.shape import TowerShape, dial

if TYPE_CHECKING:
    from litotes.models.beside import combine
    from litotes.models.polarity_block import Polarity, polarity
    from litotes.types import Encoder, Ranker

__all__ = ["FAMILIES", "Polarity", "Settings", "TowerShape", "combine", "dial", "load", "polarity"]

_LAZY = {
    "Polarity": "litotes.models.polarity_block",
    "combine": "litotes.models.beside",
    "polarity": "litotes.models.polarity_block",
}

register_with_the_library()

FAMILIES = {
    "random": "litotes.models.random:build",
    "tfidf": "litotes.models.lexical:tfidf",
    "bm25": "litotes.models.lexical:bm25",
    "onnx": "litotes.models.onnx.family:build",
    "sparse": "litotes.models.sparse:build",
    "dense": "litotes.models.dense:build",
    "late": "litotes.models.late:build",
    "cross": "litotes.models.cross:build",
    "seq2seq": "litotes.models.seq2seq:build",
    "score": "litotes.models.score:build",
    "llm": "litotes.models.llm:build",
}
"""family → the function that builds its models"""
NAMELESS = ("random", "tfidf", "bm25")
"""families of one model, whose name is the family's"""


def load(
    name: str,
    *,
    device: str | None = None,
    batch: int = 32,
    dtype: str = "float32",
    max_tokens: int = 256,
    **options: Any,
) -> Encoder | Ranker:
    """Load the model `family` or `family:name-or-path`. A name on the Hugging Face hub is downloaded if necessary.

    `options` belong to the family. An unknown one raises an InputError that lists the known ones.
    """
    settings = Settings(device, batch, dtype, max_tokens)
    family, _, target = name.partition(":")
    if family not in FAMILIES:
        raise InputError(f"unknown model {name!r}.{suggested_model(name)} Expected {', '.join(map(_form, FAMILIES))}")
    if bool(target) == (family in NAMELESS):
        raise InputError(f"{name!r} is not a complete model name; expected {_form(family)}")
    module, _, function = FAMILIES[family].partition(":")
    build = getattr(import_module(module), function)
    known = [option for option, kind in inspect.signature(build).parameters.items() if kind.kind is kind.KEYWORD_ONLY]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InputError(f"{family} has no option {', '.join(unknown)}; expected {', '.join(known) or 'none'}")
    model: Encoder | Ranker = build(name, settings, **options)
    return model


def suggested_model(name: str) -> str:
    """Return a hint such as " Did you mean 'dense:minilm'?" for an unknown model; "" if no known name is close."""
    family, colon, target = name.partition(":")
    by_family = did_you_mean(family, FAMILIES) if colon else ""
    if by_family:
        return by_family.replace("'?", f":{target}'?")
    return did_you_mean(
        name, [*FAMILIES, *(f"dense:{base}" for base in BASES), *(f"score:{metric}" for metric in METRICS)]
    )


def _form(family: str) -> str:
    return family if family in NAMELESS else f"{family}:…"


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.models' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
