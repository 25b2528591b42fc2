"""Rerank with a pair model: it reads the query and each document together, and its logit is added to a first stage.

    score = first stage + weight · spread · logit

The logit tells documents on the same subject apart: which one says what the query asks for. The first stage tells the
subject. `spread` is how far the first stage's scores lie apart, so that one weight fits cosines, dot products and BM25.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from litotes.errors import InputError
from litotes.models import load
from litotes.models.pair import PairScorer
from litotes.models.pair.build import RELEVANCE, load_pair_scorer
from litotes.models.pair.scorer import BATCH_TOKENS
from litotes.query.exclusion import BETA, QueryParts, check_exclude, split_queries
from litotes.query.windows import Window, windows

WEIGHT = 0.1
"""The weight of the logit, in spreads of the first stage's scores (docs/history/reranker.md)."""
EXCLUDED_SHARE = 0.5
"""How much of the logit of an excluded part is subtracted."""
FEW = 10
"""With fewer candidates than this, their scores are too few to show how far a first stage's scores lie apart."""
SPREAD_PER_SCORE = 0.15
"""The spread of a first stage with few candidates, as a share of the median of their absolute scores."""
SHORTEST_DOCUMENT = 64
"""The tokens that a query must leave for the document, or half of a window that is shorter than twice that."""
SAME = 1e-9
"""Scores that differ by less, relative to the largest, are equal."""


@dataclass(frozen=True, slots=True)
class PairReading:
    """The logit of a query and a document, and the window of the document that has it."""

    logit: float
    window: Window
    windows: int
    """how many windows were read"""


@dataclass(frozen=True, slots=True)
class PairRanked:
    """A reranked document, and the numbers behind its rank."""

    place: int
    """its index among the input documents, from 0"""
    score: float
    logit: float
    """how well the best window answers the query, minus a share of the excluded part's"""
    first: float
    """its score in the first stage; 0 without one"""
    reading: PairReading


class PairReranker:
    """A pair model that reranks documents. The model is loaded at once, its base as first stage on first use."""

    def __init__(
        self,
        model: str | PairScorer,
        *,
        device: str | None = None,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self.scorer = load_pair_scorer(model, device=device) if isinstance(model, str) else model
        self._batch_tokens = batch_tokens

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[PairReading]:
        """Read each query with the document at the same position. Of a long document, the best window counts."""
        parts = self._windows(queries, documents)
        logits = self.scorer.logits(
            [query for query, found in zip(queries, parts, strict=True) for _ in found],
            [window.text for found in parts for window in found],
            head=RELEVANCE,
            batch_tokens=self._batch_tokens,
        )
        readings, start = [], 0
        for found in parts:
            best = int(np.argmax(logits[start : start + len(found)]))
            readings.append(PairReading(float(logits[start + best]), found[best], len(found)))
            start += len(found)
        return readings

    def rank(
        self,
        query: str,
        documents: Sequence[str],
        *,
        scores: Sequence[float] | None = None,
        first_stage: bool = True,
        weight: float = WEIGHT,
        exclude: str | bool = "auto",
        beta: float = BETA,
    ) -> list[PairRanked]:
        """Return all documents, best first. `Reranker.rank` explains the options."""
        if not documents:
            return []
        parts = split_queries([query]) if check_exclude(exclude) else QueryParts([query], [0], [0], [()])
        kept, excluded = parts.texts[parts.kept[0]], [parts.texts[at] for at in parts.excluded[0]]
        readings = self.read([kept] * len(documents), documents)
        logits = np.array([reading.logit for reading in readings])
        for text in excluded:
            against = np.array([reading.logit for reading in self.read([text] * len(documents), documents)])
            logits -= EXCLUDED_SHARE * against / len(excluded)
        first = self._first_stage(kept, excluded, documents, scores, first_stage=first_stage, beta=beta)
        combined = logits if first is None else combine(first, logits, weight=weight)
        order = np.argsort(-combined, kind="stable")
        return [
            PairRanked(
                int(at),
                float(combined[at]),
                float(logits[at]),
                0.0 if first is None else float(first[at]),
                readings[at],
            )
            for at in order
        ]

    @cached_property
    def base(self) -> Any:
        """The encoder that the pair model was trained on, as the first stage."""
        return load(f"dense:{self.scorer.base}", device=str(self.scorer.model.device))

    def _first_stage(
        self,
        kept: str,
        excluded: Sequence[str],
        documents: Sequence[str],
        scores: Sequence[float] | None,
        *,
        first_stage: bool,
        beta: float,
    ) -> np.ndarray | None:
        """Return the scores of the first stage: those given, the cosines of the base, or None for none."""
        if scores is not None:
            return checked_scores(scores, len(documents))
        if not first_stage:
            return None
        queries = self.base.encode([kept, *excluded], role="query")
        rows = self.base.encode(list(documents), role="document")
        cosines: np.ndarray = rows @ queries[0]
        if excluded:
            cosines = cosines - beta * (rows @ queries[1:].mean(axis=0))
        return cosines

    def _windows(self, queries: Sequence[str], documents: Sequence[str]) -> list[list[Window]]:
        """Return the windows of each document that fit beside its query."""
        scorer = self.scorer
        room = scorer.longest - scorer.special_tokens
        most = room - min(SHORTEST_DOCUMENT, room // 2)
        sizes: dict[str, int] = {}
        for texts in (queries, documents):
            distinct = list(dict.fromkeys(texts))
            sizes |= zip(distinct, scorer.counts(distinct), strict=True)
        found = []
        for query, document in zip(queries, documents, strict=True):
            if sizes[query] > most:
                raise InputError(
                    f"the query has {sizes[query]} tokens, and {scorer.name} reads at most {most} of a query: "
                    f"{query[:60]!r}…. Shorten it"
                )
            limit = room - sizes[query]
            fits = sizes[document] <= limit
            found.append([Window(document, 0, len(document))] if fits else windows(document, limit, scorer.counts))
        return found


def combine(first: np.ndarray, logits: np.ndarray, *, weight: float) -> np.ndarray:
    """Return the scores of a first stage plus the weighted logits; the logits alone if the first stage is constant."""
    if np.ptp(first) <= SAME * np.abs(first).max():
        return logits
    combined: np.ndarray = first + weight * spread(first) * logits
    return combined


def spread(scores: np.ndarray) -> float:
    """Return how far the scores of a first stage lie apart: their standard deviation, with the outer tenths clipped.

    If most scores are equal, as with BM25, nothing is clipped. Few candidates can lie close together by chance, so for
    them it is at least a share of the scores themselves.
    """
    low, high = np.percentile(scores, [10, 90])
    clipped = np.clip(scores, low, high) if high - low > SAME * np.abs(scores).max() else scores
    distance = float(np.std(clipped))
    if len(scores) < FEW:
        distance = max(distance, SPREAD_PER_SCORE * float(np.median(np.abs(scores))))
    return distance


def checked_scores(scores: Sequence[float], count: int) -> np.ndarray:
    """Return the scores of a first stage as an array; refuse a wrong number of them, and what is not a number."""
    found = np.asarray(scores, dtype=np.float64)
    if found.shape != (count,):
        raise InputError(f"{len(scores)} scores for {count} documents; expected one score per document")
    if not np.isfinite(found).all():
        raise InputError(f"score {int(np.argmin(np.isfinite(found)))} is not a finite number")
    return found
