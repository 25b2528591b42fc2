"""Two-stage search as models for the benchmarks: a first stage on split queries, and rerankers around a loaded model.

Each has a name and a fingerprint of its own, because results are stored under them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from litotes.models.pair.adapter import PairRanker
from litotes.query.exclusion import BETA, Split, described_split, split_queries
from litotes.query.first_stage import combine
from litotes.query.pair_reranking import PairReranker
from litotes.query.splitting import splitter

Score = Callable[[Sequence[str], Sequence[str]], np.ndarray]
"""Returns the score of each query with the document at the same position."""


class ExcludingFirstStage:
    """A model that scores a whole collection, on split queries: BM25, for example.

    The score is that of the kept part minus β times the mean score of the excluded parts. `ExcludingEncoder` ranks in
    the same way, and also sets the dial.
    """

    def __init__(self, model: Any, *, beta: float = BETA, split: Split | None = None) -> None:
        self._model, self._beta, self._split = model, beta, split or splitter()
        self.name = f"{model.name}+exclude"

    @property
    def fingerprint(self) -> str:
        """Return a hash over the model and the settings of the operator."""
        settings = f"exclude {self._beta}{described_split(self._split)}"
        return hashlib.sha256(f"{self._model.fingerprint} {settings}".encode()).hexdigest()

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of every query with every document."""
        parts = split_queries(queries, split=self._split)
        scores = np.asarray(self._model.matrix(parts.texts, documents), dtype=np.float64)
        rows = scores[parts.kept]
        for number, excluded in enumerate(parts.excluded):
            if excluded:
                rows[number] -= self._beta * scores[list(excluded)].mean(axis=0)
        return rows


class ExcludingRanker:
    """A cross-encoder that scores the kept part of a query and subtracts the score of the excluded part.

    `plain` scores texts that are not queries. Without `split`, queries stay as they are.
    """

    def __init__(self, model: Any, *, split: Split | None) -> None:
        self.plain, self._split = model, split
        name = str(getattr(model, "name", "") or type(model).__name__)
        self.name = f"{name}+exclude" if split else name

    @property
    def fingerprint(self) -> str:
        """Return a hash over the model and the settings of the operator; "" if the model has none."""
        own = str(getattr(self.plain, "fingerprint", ""))
        if not own or self._split is None:
            return own
        settings = f"exclude {described_split(self._split)}"
        return hashlib.sha256(f"{own} {settings}".encode()).hexdigest()

    def facts(self) -> dict[str, Any]:
        """Return the facts of the model and of the operator."""
        facts = dict(self.plain.facts()) if hasattr(self.plain, "facts") else {}
        return facts if self._split is None else facts | {"exclude": True}

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same position."""
        return self._score_parts(self.plain.score, queries, documents)

    def _score_parts(self, score: Score, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Score the parts of the queries in one call, and combine the scores."""
        if self._split is None:
            return np.asarray(score(queries, documents), dtype=np.float64)
        numbers = {query: number for number, query in enumerate(dict.fromkeys(queries))}
        parts = split_queries(list(numbers), split=self._split)
        kept = [parts.texts[parts.kept[numbers[query]]] for query in queries]
        rows, against, counts = [], [], []
        for row, query in enumerate(queries):
            excluded = parts.excluded[numbers[query]]
            for at in excluded:
                rows.append(row)
                against.append(parts.texts[at])
                counts.append(len(excluded))
        pairs = [*kept, *against], [*documents, *(documents[row] for row in rows)]
        scores, subtracted = np.split(np.asarray(score(*pairs), dtype=np.float64), [len(kept)])
        np.subtract.at(scores, rows, subtracted / np.array(counts))
        return scores


class TwoStageRanker(ExcludingRanker):
    """A cross-encoder that reorders the documents of a first stage as `Reranker.rank` does with `scores`.

    A `weight` of 0 leaves the first stage as it is; an infinite one ranks by the cross-encoder alone. A pair model
    reads long documents in windows.
    """

    def __init__(self, model: Any, *, weight: float, split: Split | None = None) -> None:
        super().__init__(model, split=split)
        self.weight = weight
        self._read: Score = _windowed(model) if isinstance(model, PairRanker) else model.score

    def rerank(
        self, queries: Sequence[str], lists: Sequence[Sequence[str]], first: Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        """Return the scores of each list's documents, given their scores in the first stage."""
        if self.weight == 0 or not any(lists):
            return list(first)
        repeated = [query for query, documents in zip(queries, lists, strict=True) for _ in documents]
        scores = self._score_parts(self._read, repeated, [document for documents in lists for document in documents])
        ends = np.cumsum([len(documents) for documents in lists])
        own = np.split(scores, ends[:-1])
        if math.isinf(self.weight):
            return own
        return [
            combine(one, other, weight=self.weight) if len(one) else one for one, other in zip(first, own, strict=True)
        ]


def _windowed(model: PairRanker) -> Score:
    """Return a function that scores pairs with a pair model. Of a long document, the best window counts."""
    reranker = PairReranker(model.scorer, cut_queries=True)

    def score(queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([reading.logit for reading in reranker.read(queries, documents)])

    return score
