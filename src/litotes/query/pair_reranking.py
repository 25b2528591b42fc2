"""Rerank with a pair model: it reads the query and each document together, and its logit is added to a first stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from litotes.errors import InputError
from litotes.models import load
from litotes.models.backends import TORCH, choose_backend
from litotes.models.pair.build import load_pair_scorer
from litotes.models.pair.heads import RELEVANCE
from litotes.models.pair.scorer import PairScorer
from litotes.models.pair_tokens import text_ids
from litotes.query.exclusion import BETA, Exclude, split_queries
from litotes.query.first_stage import checked_scores, combine
from litotes.query.reranked import Reranked
from litotes.query.windows import Window, windows

_bases: WeakKeyDictionary[PairScorer, Any] = WeakKeyDictionary()
"""the base of each loaded pair model: rerankers that share a model share its base"""
SHORTEST_DOCUMENT = 64
"""A query must leave at least this many tokens for the document; in a short window, half of it."""


@dataclass(frozen=True, slots=True)
class PairReading:
    """The logit of a query and a document, and the window of the document that has it."""

    logit: float
    window: Window
    windows: int
    """how many windows were read"""


@dataclass(frozen=True, slots=True)
class _Logits:
    """The logits of the documents of one query."""

    kept: str
    excluded: tuple[str, ...]
    readings: list[PairReading]
    """what the query keeps, with each document"""
    against: np.ndarray
    """the mean logit of the excluded parts with each document; 0 if there are none"""

    @property
    def total(self) -> np.ndarray:
        logits = np.array([reading.logit for reading in self.readings])
        total: np.ndarray = logits - self.against
        return total


class PairReranker:
    """A pair model that reranks documents. The model is loaded at once, its base as first stage on first use.

    A query that leaves too little room for a document is an error, or cut with `cut_queries`.
    """

    def __init__(self, model: str | Path | PairScorer, *, device: str | None = None, cut_queries: bool = False) -> None:
        self.scorer = model if isinstance(model, PairScorer) else load_pair_scorer(str(model), device=device)
        self._cut_queries = cut_queries

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[PairReading]:
        """Read each query with the document at the same position. Of a long document, the best window counts."""
        ids = text_ids(self.scorer.tokenizer, list(dict.fromkeys([*queries, *documents])))
        parts = self._windows(queries, documents, ids)
        logits = self.scorer.logits(
            [query for query, found in zip(queries, parts, strict=True) for _ in found],
            [window.text for found in parts for window in found],
            head=RELEVANCE,
            known=ids,
        )
        readings, start = [], 0
        for found in parts:
            best = int(np.argmax(logits[start : start + len(found)]))
            readings.append(PairReading(float(logits[start + best]), found[best], len(found)))
            start += len(found)
        return readings

    def rank(self, query: str, documents: Sequence[str], **options: Any) -> list[Reranked]:
        """Return all documents of one query, best first. The options are those of `rank_all`."""
        scores = options.pop("scores", None)
        return self.rank_all([query], [documents], scores=None if scores is None else [scores], **options)[0]

    def rank_all(
        self,
        queries: Sequence[str],
        lists: Sequence[Sequence[str]],
        *,
        scores: Sequence[Sequence[float]] | None = None,
        first_stage: bool = True,
        weight: float | None = None,
        exclude: Exclude = "auto",
        beta: float = BETA,
    ) -> list[list[Reranked]]:
        """Return the documents of each query, best first. `Reranker.rank` explains the options."""
        given = None
        if scores is not None:
            given = [checked_scores(row, len(documents)) for row, documents in zip(scores, lists, strict=True)]
        found = self._logits(queries, lists, exclude)
        first = given if given is not None or not first_stage else self._cosines(found, lists, beta)
        chosen = self.scorer.weight if weight is None else weight
        results = []
        for number, (documents, logits) in enumerate(zip(lists, found, strict=True)):
            own = None if first is None else first[number]
            results.append(_ranked(documents, logits, own, chosen))
        return results

    def explain(self, query: str, results: Sequence[Reranked], *, exclude: Exclude = "auto") -> list[Reranked]:
        """Add the sentence that decided to each result, and whether its polarity or its topic did."""
        from litotes.query.pair_explanation import explain_logit

        kept = split_queries([query], exclude=exclude)
        text = kept.texts[kept.kept[0]]
        explained = []
        for result in results:
            start, end = result.window or (0, len(result.text))
            logit = (result.logit or 0.0) + result.near_excluded
            found = explain_logit(result.text[start:end], logit, lambda versions: self._scores(text, versions))
            reverse = None if found.reversed_logit is None else found.reversed_logit - result.near_excluded
            explained.append(
                replace(result, sentence=found.sentence, decided_by=found.decided_by, reversed_logit=reverse)
            )
        return explained

    @property
    def base(self) -> Any:
        """The encoder that the pair model was trained on, as the first stage."""
        if self.scorer not in _bases:
            family = "dense" if choose_backend() == TORCH else "onnx"
            _bases[self.scorer] = load(f"{family}:{self.scorer.base}", device=self.scorer.device)
        return _bases[self.scorer]

    def _scores(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return np.array([reading.logit for reading in self.read([query] * len(texts), texts)])

    def _logits(self, queries: Sequence[str], lists: Sequence[Sequence[str]], exclude: Exclude) -> list[_Logits]:
        """Read the kept part of each query with its documents, and then its excluded parts."""
        parts = split_queries(queries, exclude=exclude)
        left: list[str] = []
        right: list[str] = []
        for number, documents in enumerate(lists):
            for at in (parts.kept[number], *parts.excluded[number]):
                left += [parts.texts[at]] * len(documents)
                right += documents
        readings = iter(self.read(left, right))
        found = []
        for number, documents in enumerate(lists):
            own = [next(readings) for _ in documents]
            excluded = tuple(parts.texts[at] for at in parts.excluded[number])
            rows = [[next(readings).logit for _ in documents] for _ in excluded]
            against = np.mean(rows, axis=0) if rows else np.zeros(len(documents))
            found.append(_Logits(parts.texts[parts.kept[number]], excluded, own, against))
        return found

    def _cosines(self, found: Sequence[_Logits], lists: Sequence[Sequence[str]], beta: float) -> list[np.ndarray]:
        """Return the scores of the base for the documents of each query, each distinct text encoded once."""
        queries = list(dict.fromkeys(text for one in found for text in (one.kept, *one.excluded)))
        documents = list(dict.fromkeys(text for texts in lists for text in texts))
        if not documents:
            return [np.zeros(0) for _ in lists]
        if not 0 <= beta <= 1:
            raise InputError(f"beta is {beta}; expected a number from 0 to 1")
        left = dict(zip(queries, self.base.encode(queries, role="query"), strict=True))
        right = dict(zip(documents, self.base.encode(documents, role="document"), strict=True))
        scores = []
        for one, texts in zip(found, lists, strict=True):
            target = left[one.kept]
            if one.excluded:
                target = target - beta * np.mean([left[text] for text in one.excluded], axis=0)
            scores.append(np.array([right[text] @ target for text in texts], dtype=np.float64))
        return scores

    def _windows(
        self, queries: Sequence[str], documents: Sequence[str], ids: dict[str, np.ndarray]
    ) -> list[list[Window]]:
        """Return the windows of each document that fit beside its query; add their tokens to `ids`."""
        scorer = self.scorer
        room = scorer.longest - scorer.special_tokens
        most = room - min(SHORTEST_DOCUMENT, room // 2)
        offsets: dict[str, list[tuple[int, int]]] = {}
        found = []
        for query, document in zip(queries, documents, strict=True):
            size = len(ids[query])
            if size > most and not self._cut_queries:
                raise InputError(
                    f"the query has {size} tokens, and {scorer.name} reads at most {most} of a query: "
                    f"{query[:60]!r}…. Shorten it"
                )
            ids[query] = ids[query][:most]
            size = len(ids[query])
            if len(ids[document]) <= room - size:
                found.append([Window(document, 0, len(document))])
                continue
            if document not in offsets:
                offsets[document] = scorer.offsets(document)
            parts = windows(document, room - size, offsets[document])
            for part in parts:
                ids.setdefault(part.text, ids[document][slice(*part.tokens)])
            found.append(parts)
        return found


def _ranked(documents: Sequence[str], logits: _Logits, first: np.ndarray | None, weight: float) -> list[Reranked]:
    """Combine the logits of one query with its first stage. Without one, the input order counts as its order."""
    if not documents:
        return []
    own = logits.total
    scores = own if first is None else combine(first, own, weight=weight)
    empty = np.array([not document.strip() for document in documents])
    # An empty document answers nothing, whatever score it came with: it has the lowest one, and its rank is last.
    scores = np.where(empty, scores.min(), scores)
    order = np.lexsort((-scores, empty)).tolist()
    match = np.zeros(len(documents)) if first is None else first
    before = {int(at): rank for rank, at in enumerate(np.argsort(-match, kind="stable"), 1)}
    return [
        Reranked(
            int(at),
            documents[at],
            float(scores[at]),
            rank,
            before[int(at)],
            float(match[at]),
            excluded=logits.excluded,
            near_excluded=float(logits.against[at]),
            logit=float(own[at]),
            window=(reading.window.start, reading.window.end) if reading.windows > 1 else None,
        )
        for rank, at in enumerate(order, 1)
        for reading in (logits.readings[at],)
    ]
