"""Classify a contrast: which kind of negation distinguishes its two queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from litotes.detection.classification.composition import Analysis, analyse
from litotes.detection.classification.llm import LlmEngine
from litotes.detection.classification.rules import RulesEngine
from litotes.errors import InputError
from litotes.parse import Parser
from litotes.types import Classification, Contrast


class Engine(Protocol):
    """A way of classifying contrasts."""

    name: str

    def classify(self, contrast: Contrast) -> Classification: ...


def classify(
    contrast: Contrast | str, other: str = "", *, engine: Engine | None = None, parser: Parser | str = ""
) -> Classification:
    """Return the kind of negation that distinguishes the two sides of a contrast, and the evidence for it.

    `contrast` is a `Contrast`, or the first of two queries; `other` is then the second query. Documents help where the
    queries alone do not decide. The default engine is `RulesEngine`; `parser` is the spaCy pipeline that it uses.
    """
    if isinstance(contrast, str):
        if not isinstance(other, str) or not other:
            raise InputError(f"classify needs two queries or a Contrast, got one query and {other!r}")
        return next(classify_all([(contrast, other)], engine=engine, parser=parser))
    if other:
        raise InputError("classify got a Contrast and a query; pass either a Contrast or two queries")
    return next(classify_all([contrast], engine=engine, parser=parser))


def classify_all(
    contrasts: Iterable[Contrast | tuple[str, str]], *, engine: Engine | None = None, parser: Parser | str = ""
) -> Iterator[Classification]:
    """Classify many contrasts or pairs of queries, in order, as a stream. The id of a pair is its number, from 1."""
    if engine is not None and parser:
        raise InputError("the parser of an engine belongs to the engine; pass only one of engine and parser")
    numbered = (_contrast(contrast, number) for number, contrast in enumerate(contrasts, start=1))
    if engine is None or isinstance(engine, RulesEngine):
        return (engine or RulesEngine(parser)).classify_all(numbered)
    return map(engine.classify, numbered)


def _contrast(contrast: object, number: int) -> Contrast:
    if isinstance(contrast, Contrast):
        return contrast
    if isinstance(contrast, tuple | list) and len(contrast) == 2 and all(isinstance(query, str) for query in contrast):
        return Contrast(str(number), contrast[0], contrast[1], "", "")
    raise InputError(f"classify reads a Contrast or two queries, got {type(contrast).__name__}")


__all__ = ["Analysis", "Engine", "LlmEngine", "RulesEngine", "analyse", "classify", "classify_all"]
