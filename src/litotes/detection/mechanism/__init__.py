"""The classification mechanism: which kind of negation sets a contrast apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from litotes.detection.mechanism.composition import Analysis, analyse
from litotes.detection.mechanism.llm import LlmEngine
from litotes.detection.mechanism.rules import RulesEngine
from litotes.errors import InputError
from litotes.types import Classification, Contrast


class Engine(Protocol):
    """One way of sorting contrasts."""

    name: str

    def classify(self, contrast: Contrast) -> Classification: ...


def classify(contrast: Contrast, *, engine: Engine | None = None) -> Classification:
    """Which kind of negation sets a contrast apart, and what decided it; by rules unless another engine is given."""
    if not isinstance(contrast, Contrast):
        raise InputError(f"classify reads a Contrast, got {type(contrast).__name__}")
    return (engine or RulesEngine()).classify(contrast)


def classify_all(contrasts: Iterable[Contrast], *, engine: Engine | None = None) -> Iterator[Classification]:
    """The same over many, in order, streamed."""
    if engine is None or isinstance(engine, RulesEngine):
        yield from (engine or RulesEngine()).classify_all(contrasts)
        return
    for contrast in contrasts:
        yield engine.classify(contrast)


__all__ = ["Analysis", "Engine", "LlmEngine", "RulesEngine", "analyse", "classify", "classify_all"]
