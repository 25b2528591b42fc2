"""Exclusion and reranking as models for the benchmarks: an encoder and a ranker around a loaded dense model.

Each has a name and a fingerprint of its own. `litotes.query.benchmark_rerankers` has those around a cross-encoder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from litotes.models.tower.shape import dial
from litotes.query.encoder import Encoder
from litotes.query.encoder_reranking import rerank_with_encoder
from litotes.query.exclusion import (
    BETA,
    EXCLUSION_DIAL_SHARE,
    WHOLE_QUERY_WEIGHT,
    Split,
    combine_parts,
    described_split,
    split_queries,
)
from litotes.query.splitting import splitter


class ExcludingEncoder:
    """A dense model whose queries are split by the exclusion operator. Texts of other roles stay as they are."""

    def __init__(self, model: Any, *, beta: float = BETA, split: Split | None = None) -> None:
        self._model, self._beta, self._split = model, beta, split or splitter()
        self.name = f"{model.name}+exclude"

    @property
    def fingerprint(self) -> str:
        """Return a hash over the model and the settings of the operator."""
        settings = f"{self._beta} {WHOLE_QUERY_WEIGHT} {_dial_share(self._model)}{described_split(self._split)}"
        return hashlib.sha256(f"{self._model.fingerprint} exclude {settings}".encode()).hexdigest()

    def facts(self) -> dict[str, Any]:
        """Return the facts of the model and of the operator."""
        settings = {"beta": self._beta, "whole": WHOLE_QUERY_WEIGHT, "share of the dial": _dial_share(self._model)}
        return dict(self._model.facts()) | {"exclude": settings}

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one row per text. A query that excludes nothing gets the model's own row."""
        rows: np.ndarray = self._model.encode(texts, role=role)
        if role != "query":
            return rows
        parts = split_queries(list(texts), whole=WHOLE_QUERY_WEIGHT > 0, split=self._split)
        excluding = [number for number, excluded in enumerate(parts.excluded) if excluded]
        if excluding:
            vectors = rescale_parts(self._model, self._model.encode(parts.texts, role=role))
            rows[excluding] = combine_parts(parts, vectors, beta=self._beta, whole=WHOLE_QUERY_WEIGHT)[excluding]
        return rows


def rescale_parts(model: Any, rows: np.ndarray) -> np.ndarray:
    """Rescale rows to the dial of queries that exclude something, unless the model has a dial of its own."""
    if _dial_share(model) == 1:
        return rows
    return dial(model.shape, rows, EXCLUSION_DIAL_SHARE * model.shape.default_dial)


def _dial_share(model: Any) -> float:
    """Return the share of the default dial for queries that exclude something."""
    return 1.0 if model.shape is None or model.dial is not None else EXCLUSION_DIAL_SHARE


class SentenceReranker:
    """A dense model as a ranker: scores of pairs as `litotes.rerank` computes them."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._encoder = Encoder.of(model.model)
        self.name = f"{model.name}+rerank"

    @property
    def fingerprint(self) -> str:
        """Return a hash over the model and the settings of the reranker."""
        return hashlib.sha256(
            f"{self._model.fingerprint} rerank {BETA} {WHOLE_QUERY_WEIGHT} {_dial_share(self._model)}".encode()
        ).hexdigest()

    def facts(self) -> dict[str, Any]:
        """Return the facts of the model and of the reranker."""
        exclude = {"beta": BETA, "whole": WHOLE_QUERY_WEIGHT, "share of the dial": _dial_share(self._model)}
        return dict(self._model.facts()) | {"rerank": "sentence", "exclude": exclude}

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same position."""
        by_query: dict[str, list[int]] = {}
        for number, query in enumerate(queries):
            by_query.setdefault(query, []).append(number)
        scores = np.zeros(len(queries))
        for query, numbers in by_query.items():
            texts = [documents[number] for number in numbers]
            for result in rerank_with_encoder(query, texts, self._encoder, dial=self._model.dial):
                scores[numbers[result.place]] = result.score
        return scores
