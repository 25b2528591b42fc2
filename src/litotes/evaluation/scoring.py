"""Any model as the tasks see it: an encoder with cached vectors, a ranker, or a model that chooses or orders."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from litotes.errors import InputError
from litotes.evaluation.measures import preference
from litotes.evaluation.vectors import EncodingProgress, VectorCache
from litotes.types import Chooser, Ranker

DEPTH = 100
QUERIES = 128
"""How many queries of an encoder are scored against a whole collection at a time."""
PLAIN_ROLES = ("", "")
RETRIEVAL_ROLES = ("query", "document")


@runtime_checkable
class MatrixRanker(Protocol):
    """A ranker that scores every query against every document at once, so it can search a collection."""

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray: ...


@runtime_checkable
class SecondStage(Protocol):
    """A reranker that adds its scores, times a weight, to the scores of the first stage."""

    weight: float

    def rerank(
        self, queries: Sequence[str], lists: Sequence[Sequence[str]], first: Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        """Return the scores of each list's documents, given their scores in the first stage."""
        ...


class ListRanker(Protocol):
    """A ranker that orders the documents of each list for the query at the same place.

    An order is a list of indices, best first, or None if the answer about a list could not be read.
    """

    def orders(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[int] | None]: ...


class CachedScorer:
    """A model with its name and fingerprint, and the questions that tasks ask.

    The vectors of an encoder are cached in the folder `cache`, if the model has a fingerprint. A ranker that cannot
    search reranks the first `depth` documents of the `first_stage`; without a first stage it scores every pair. `name`
    replaces the model's own name.
    """

    def __init__(
        self,
        model: Any,
        *,
        name: str = "",
        cache: Path | None = None,
        first_stage: MatrixRanker | None = None,
        depth: int = DEPTH,
    ) -> None:
        if not (hasattr(model, "encode") or hasattr(model, "score")):
            raise InputError(
                f"{model!r} is not a model: expected a method encode(texts, role) or score(queries, documents)"
            )
        self.name = name or str(getattr(model, "name", "") or type(model).__name__)
        self.fingerprint = str(getattr(model, "fingerprint", ""))
        facts = getattr(model, "facts", None)
        self.facts: dict[str, Any] = facts() if callable(facts) else {}
        self.causal: Any = getattr(model, "causal", None)
        """A language model with local weights (`model`, `tokenizer`), if the model is one."""
        self._ranker: Ranker | None = None if hasattr(model, "encode") else model
        # a ranker that changes queries scores other texts with `plain`
        self._plain_ranker: Ranker | None = None if self._ranker is None else getattr(model, "plain", model)
        self._second_stage: SecondStage | None = model if isinstance(model, SecondStage) else None
        self._chooser: Chooser | None = model if hasattr(model, "choose") else None
        self._list_ranker: ListRanker | None = model if hasattr(model, "orders") else None
        self._vectors: VectorCache | None = None
        if hasattr(model, "encode"):
            # cached vectors can be rescaled to any dial, so they are cached at the model's default dial
            encoder: Any = getattr(model, "at_default_dial", model)
            key = str(getattr(encoder, "fingerprint", ""))
            self._vectors = VectorCache(encoder, cache / f"{key[:32]}.sqlite" if cache and key else None)
            self._rescale = getattr(model, "rescale_to_dial", None)
        self._first_stage, self._depth = first_stage, depth
        self.seconds_per_query = 0.0
        """How long a reranker took per query in the last search, without its first stage."""

    @property
    def encodes(self) -> bool:
        """Whether the model is an encoder."""
        return self._vectors is not None

    @property
    def reranks(self) -> str:
        """The first stage of a reranker and its depth, such as "bm25@100"; "" if the model searches itself."""
        if self._ranker is None or isinstance(self._ranker, MatrixRanker) or self._first_stage is None:
            return ""
        return f"{getattr(self._first_stage, 'name', type(self._first_stage).__name__)}@{self._depth}"

    @property
    def stages(self) -> dict[str, str]:
        """What the signature of a search says about a reranker: its first stage and depth, and the weight, if any."""
        if not self.reranks:
            return {}
        stages = {"reranks": self.reranks, "first stage": str(getattr(self._first_stage, "fingerprint", ""))[:16]}
        weight = "" if self._second_stage is None else repr(float(self._second_stage.weight))
        return {name: value for name, value in (stages | {"weight": weight}).items() if value}

    def warm(self, texts: Mapping[str, Iterable[str]], progress: EncodingProgress | None = None) -> None:
        """Encode texts by role in advance: one pass over the texts of all tasks makes the best batches."""
        if self._vectors is None:
            return
        for role, role_texts in texts.items():
            self._vectors.fill(role_texts, role, progress)

    def close(self) -> None:
        """Close the cache."""
        if self._vectors is not None:
            self._vectors.close()

    def vectors(self, texts: Sequence[str], role: str = "") -> np.ndarray:
        """Return one row per text; raise InputError if the model is not an encoder."""
        if self._vectors is None:
            raise InputError(f"{self.name} has no vectors: it scores pairs of texts")
        rows = self._vectors.get(texts, role)
        return rows if self._rescale is None else self._rescale(rows)

    def pairs(
        self, queries: Sequence[str], documents: Sequence[str], *, roles: tuple[str, str] = PLAIN_ROLES
    ) -> np.ndarray:
        """Return the score of each query with the document at the same place."""
        if not queries:
            return np.zeros(0)
        ranker = self._ranker if roles[0] == "query" else self._plain_ranker
        if ranker is not None:
            return np.asarray(ranker.score(queries, documents), dtype=float)
        left, right = self.vectors(queries, roles[0]), self.vectors(documents, roles[1])
        scores: np.ndarray = np.einsum("ij,ij->i", left, right, dtype=float)
        return scores

    def same(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return how surely two texts deserve the same answer, in either order; a model may have a method for it."""
        ask = getattr(self._plain_ranker, "same", None)
        if ask is not None:
            return np.asarray(ask(first, second), dtype=float)
        scores = self.pairs(first, second)
        return scores if self.encodes else (scores + self.pairs(second, first)) / 2

    def margins(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return by how much each query prefers the first document: 0 for a tie, NaN if no answer was read."""
        if not queries:
            return np.zeros(0)
        choices = self.choices(queries, first, second)
        if choices is not None:
            # asked in both orders: a model that always takes the document shown first is undecided
            averaged: np.ndarray = np.mean(choices, axis=1)
            return averaged
        # one call, so that a lexical model weighs its words over both sides
        scores = self.pairs([*queries, *queries], [*first, *second], roles=RETRIEVAL_ROLES)
        first_scores, second_scores = np.split(scores, 2)
        return np.array([preference(one, other) for one, other in zip(first_scores, second_scores, strict=True)])

    def choices(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray | None:
        """Return the answers of a `litotes.types.Chooser`, one column per order; None if the model is not one."""
        return None if self._chooser is None else self._chooser.choose(queries, first, second)

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return a positive number if the model says that two texts are opposites; NaN if no answer was read."""
        ask = getattr(self._ranker, "opposed", None)
        if ask is None:
            raise InputError(
                f"{self.name} cannot answer yes or no about two texts; expected a language model, such as llm:MODEL"
            )
        return np.asarray(ask(first, second), dtype=float) if first else np.zeros(0)

    def lists(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return the scores of each list's documents with the query at the same place; NaN if no answer was read.

        A model that orders lists is asked with the whole list, and a document's score is one over its rank.
        """
        if self._list_ranker is not None:
            orders = self._list_ranker.orders(queries, lists)
            return [_reciprocal_ranks(order, len(documents)) for order, documents in zip(orders, lists, strict=True)]
        repeated = [query for query, documents in zip(queries, lists, strict=True) for _ in documents]
        flat = [document for documents in lists for document in documents]
        scores = self.pairs(repeated, flat, roles=RETRIEVAL_ROLES)
        ends = np.cumsum([len(documents) for documents in lists])
        return np.split(scores, ends[:-1]) if len(lists) else []

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of every query with every document; −∞ for documents that a reranker never saw."""
        if not queries or not documents:
            return np.zeros((len(queries), len(documents)))
        if self._ranker is None:
            left, right = self.vectors(queries, "query"), self.vectors(documents, "document")
            return np.asarray(left @ right.T, dtype=float)
        if isinstance(self._ranker, MatrixRanker):
            return np.asarray(self._ranker.matrix(queries, documents), dtype=float)
        shortlists, first = self._shortlists(queries, documents)
        lists = [[documents[place] for place in places] for places in shortlists]
        started = time.perf_counter()
        if self._second_stage is None or first is None:
            answers = self.lists(queries, lists)
        else:
            listed = [row[places] for row, places in zip(first, shortlists, strict=True)]
            answers = self._second_stage.rerank(queries, lists, listed)
        self.seconds_per_query = (time.perf_counter() - started) / len(queries)
        scores = np.full((len(queries), len(documents)), -np.inf)
        for row, places, list_scores in zip(scores, shortlists, answers, strict=True):
            row[places] = np.nan_to_num(list_scores, nan=-np.inf)
        return scores

    def search(self, queries: Sequence[str], documents: Sequence[str], depth: int) -> Iterator[list[int]]:
        """Yield the indices of the best `depth` documents of each query, best first; in a tie, the earlier one."""
        for scores in self._matrices(queries, documents):
            for row in scores:
                yield [place for place in _best(row, depth) if row[place] > -np.inf]

    def _shortlists(
        self, queries: Sequence[str], documents: Sequence[str]
    ) -> tuple[list[list[int]], np.ndarray | None]:
        """Return the indices of the documents that each query is scored with, and the matrix of the first stage.

        The documents are best first after a first stage. If all of them are scored and a first stage would not change
        the scores, it is left out.
        """
        if self._first_stage is None or (self._second_stage is None and len(documents) <= self._depth):
            return [list(range(len(documents))) for _ in queries], None
        scores = self._first_stage.matrix(queries, documents)
        return [_best(row, self._depth) for row in scores], scores

    def _matrices(self, queries: Sequence[str], documents: Sequence[str]) -> Iterator[np.ndarray]:
        """Yield the matrix; for an encoder some queries at a time, because a large collection would not fit."""
        if self._ranker is not None or not documents:
            yield self.matrix(queries, documents)
            return
        left, right = self.vectors(queries, "query"), self.vectors(documents, "document")
        for start in range(0, len(queries), QUERIES):
            yield left[start : start + QUERIES] @ right.T


def described(scorer: CachedScorer) -> dict[str, str]:
    """Return what a signature says about a model: its name and fingerprint, dial, prompts and dtype."""
    dial, prompts, dtype = (_fact(scorer.facts, name) for name in ("dial", "prompts", "dtype"))
    written = json.dumps(prompts, sort_keys=True) if prompts else ""
    return {
        "model": scorer.name,
        "fingerprint": scorer.fingerprint[:16] or "none",
        "dial": "none" if dial is None else str(dial),
        "prompt": hashlib.sha256(written.encode()).hexdigest()[:8] if written else "none",
        "dtype": "none" if dtype is None else str(dtype),
    }


def _fact(facts: Mapping[str, Any], name: str) -> Any:
    """Return a fact by its name at any depth: a model of two encoders has nested facts."""
    if name in facts:
        return facts[name]
    nested = (_fact(value, name) for value in facts.values() if isinstance(value, dict))
    return next((value for value in nested if value is not None), None)


def _reciprocal_ranks(order: Sequence[int] | None, count: int) -> np.ndarray:
    scores = np.full(count, np.nan)
    if order is not None:
        scores[list(order)] = 1 / np.arange(1, count + 1)
    return scores


def _best(scores: np.ndarray, depth: int) -> list[int]:
    """Return the indices of the highest `depth` scores, highest first; in a tie, the earlier one."""
    places = np.arange(len(scores))
    if len(scores) > depth:
        places = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
    return [int(place) for place in places[np.argsort(-scores[places], kind="stable")][:depth]]
