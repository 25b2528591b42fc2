"""Any model under one name: `load("dense:minilm")`. Each family is one adapter file, read when it is asked for."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.loading import Settings
from litotes.models.tower import dial
from litotes.models.tower.registration import register_with_the_library

if TYPE_CHECKING:
    from litotes.types import Encoder, Ranker

__all__ = ["FAMILIES", "Settings", "dial", "load"]

register_with_the_library()

FAMILIES = {
    "random": "litotes.models.random:build",
    "tfidf": "litotes.models.lexical:tfidf",
    "bm25": "litotes.models.lexical:bm25",
    "sparse": "litotes.models.sparse:build",
    "dense": "litotes.models.dense:build",
    "late": "litotes.models.late:build",
    "cross": "litotes.models.cross:build",
    "seq2seq": "litotes.models.seq2seq:build",
    "score": "litotes.models.scorer.adapter:build",
    "llm": "litotes.models.llm:build",
}
NAMELESS = ("random", "tfidf", "bm25")


def load(
    name: str,
    *,
    device: str | None = None,
    batch: int = 32,
    dtype: str = "float32",
    max_tokens: int = 256,
    **options: Any,
) -> Encoder | Ranker:
    """The model of that name: `family`, or `family:name-or-path`. A hub name is fetched if it is not here.

    The options are the family's own; an unknown one is an InputError that lists them.
    """
    settings = Settings(device, batch, dtype, max_tokens)
    family, _, target = name.partition(":")
    if family not in FAMILIES:
        raise InputError(f"{name!r} names no family of models. Expected {', '.join(map(_shape, FAMILIES))}")
    if bool(target) == (family in NAMELESS):
        raise InputError(f"{name!r} is no model's name; expected {_shape(family)}")
    module, _, function = FAMILIES[family].partition(":")
    build = getattr(import_module(module), function)
    known = [option for option, kind in inspect.signature(build).parameters.items() if kind.kind is kind.KEYWORD_ONLY]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InputError(f"{family} has no option {', '.join(unknown)}; expected {', '.join(known) or 'none'}")
    model: Encoder | Ranker = build(name, settings, **options)
    return model


def _shape(family: str) -> str:
    return family if family in NAMELESS else f"{family}:…"
