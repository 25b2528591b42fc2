"""Models as a benchmark run measures them: what is done with queries, the first stage, and the reranker after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from litotes.query.exclusion import Split

CROSS, DENSE = "cross", "dense"


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """What is done with queries, and how rerankers are combined with their first stage."""

    split: Split | None = None
    """splits the queries that exclude something; None leaves all queries as they are"""
    rerank: bool = False
    """whether dense models judge polarity on the sentence nearest to the query"""
    weight: float | None = None
    """the weight of a reranker's score; None is the default of a pair model, and for other models the score alone"""


def query_options(*, exclude: bool, rerank: bool, weight: float | None, models: Sequence[Any]) -> QueryOptions:
    """Check the options of a run before any model is loaded."""
    if weight is not None and not weight >= 0:
        raise InputError(f"weight is {weight}; expected a number of at least 0, or inf for the reranker alone")
    if weight is not None and all(isinstance(model, str) and family(model) != CROSS for model in models):
        raise InputError(f"weight is for models of the family cross; there is none among {', '.join(models)}")
    if not exclude:
        return QueryOptions(None, rerank, weight)
    from litotes.query.splitting import splitter

    return QueryOptions(splitter(), rerank, weight)


def with_query_options(model: Any, options: QueryOptions) -> Any:
    """Return the model as it is measured. A reranker with a weight is combined with its first stage."""
    name = str(getattr(model, "name", "") or type(model).__name__)
    if options.rerank and family(name) != DENSE:
        raise InputError(f"rerank is for dense models; {name} is not one. Measure it by itself")
    if options.split is not None and family(name) not in (CROSS, DENSE):
        raise InputError(f"exclude is for dense and cross models; {name} is neither. Measure it by itself")
    if family(name) == DENSE:
        return _with_dense_options(model, options)
    weight = _weight(model, options.weight)
    if weight is None and options.split is None:
        return model
    from litotes.query.benchmark_rerankers import ExcludingRanker, TwoStageRanker

    if weight is None:
        return ExcludingRanker(model, split=options.split)
    return TwoStageRanker(model, weight=weight, split=options.split)


class FirstStage:
    """The model whose best documents rerankers reorder. It is loaded when it is needed, and once."""

    def __init__(self, name: str, load: Callable[[str], Any], cache: Path, split: Split | None) -> None:
        self.name = name if split is None else f"{name}+exclude"
        self._target, self._load, self._cache, self._split = name, load, cache, split

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the model, with the settings of the exclusion operator."""
        return str(self._model.fingerprint)

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Score every query with every document."""
        from litotes.evaluation import CachedScorer

        if hasattr(self._model, "matrix"):
            scores: np.ndarray = self._model.matrix(queries, documents)
            return scores
        scorer = CachedScorer(self._model, cache=self._cache)
        try:
            return scorer.matrix(queries, documents)
        finally:
            scorer.close()

    @cached_property
    def _model(self) -> Any:
        model = self._load(self._target)
        if not hasattr(model, "encode") and not hasattr(model, "matrix"):
            raise InputError(f"{self._target} only scores pairs; expected a first stage that searches, such as bm25")
        if self._split is None:
            return model
        from litotes.query.benchmark_models import ExcludingEncoder
        from litotes.query.benchmark_rerankers import ExcludingFirstStage

        if hasattr(model, "encode"):
            return ExcludingEncoder(model, split=self._split)
        return ExcludingFirstStage(model, split=self._split)


def family(name: str) -> str:
    """Return the family of a model's name."""
    return name.partition(":")[0]


def _with_dense_options(model: Any, options: QueryOptions) -> Any:
    if options.split is None and not options.rerank:
        return model
    from litotes.query.benchmark_models import ExcludingEncoder, SentenceReranker

    if options.rerank or options.split is None:
        return SentenceReranker(model)
    return ExcludingEncoder(model, split=options.split)


def _weight(model: Any, weight: float | None) -> float | None:
    """Return the weight of a reranker; None if it ranks by its score alone, or if the model is not a reranker.

    A user's own ranker has no family, and is a reranker if it cannot search.
    """
    if getattr(model, "family", CROSS) != CROSS or any(hasattr(model, method) for method in ("encode", "matrix")):
        return None
    if weight is None and hasattr(model, "family"):
        from litotes.models.pair.adapter import PairRanker

        return model.scorer.weight if isinstance(model, PairRanker) else None
    return weight
