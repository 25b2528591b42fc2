"""Any model as the tasks see it: an encoder with its vectors kept, a ranker, one that chooses or that orders lists."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from litotes.bench.measures import preference
from litotes.bench.vectors import Vectors, Watch
from litotes.errors import InputError
from litotes.types import Chooser, Ranker

DEPTH = 100
QUERIES = 128
"""queries scored against a whole collection at a time"""
PLAIN = ("", "")
RETRIEVAL = ("query", "document")


@runtime_checkable
class Matrix(Protocol):
    """A ranker that scores every query against every document at once: it can search a collection."""

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray: ...


class Lister(Protocol):
    """Puts the documents of each list in order for the query beside it: their places, best first.

    None where no answer about a list could be read.
    """

    def orders(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[int] | None]: ...


class Scorer:
    """A model under its name and fingerprint, with the questions the tasks ask.

    An encoder's vectors are kept under `cache`, if the model has a fingerprint to keep them by. A ranker that cannot
    search reranks the first `depth` documents of the `first_stage`; without one it scores every pair.
    """

    def __init__(
        self,
        model: Any,
        *,
        cache: Path | None = None,
        first_stage: Matrix | None = None,
        depth: int = DEPTH,
    ) -> None:
        if not (hasattr(model, "encode") or hasattr(model, "score")):
            raise InputError(
                f"{model!r} is no model: expected a method encode(texts, role) or score(queries, documents)"
            )
        self.name = str(getattr(model, "name", "") or type(model).__name__)
        self.fingerprint = str(getattr(model, "fingerprint", ""))
        facts = getattr(model, "facts", None)
        self.facts: dict[str, Any] = facts() if callable(facts) else {}
        self.causal: Any = getattr(model, "causal", None)
        """a language model with its weights here (`model`, `tokenizer`), where that is what answers"""
        self._ranker: Ranker | None = None if hasattr(model, "encode") else model
        self._chooser: Chooser | None = model if hasattr(model, "choose") else None
        self._lister: Lister | None = model if hasattr(model, "orders") else None
        self._vectors: Vectors | None = None
        if hasattr(model, "encode"):
            # the vectors of one dial serve all: they are kept as the model itself makes them, and turned when asked for
            kept: Any = getattr(model, "undialled", model)
            known = str(getattr(kept, "fingerprint", ""))
            self._vectors = Vectors(kept, cache / f"{known[:32]}.sqlite" if cache and known else None)
            self._turned = getattr(model, "turned", None)
        self._first_stage, self._depth = first_stage, depth

    @property
    def encodes(self) -> bool:
        """Whether texts have vectors of their own."""
        return self._vectors is not None

    @property
    def reranks(self) -> str:
        """Whose first documents a ranker orders anew when it searches, and how many; "" where it searches itself."""
        if self._ranker is None or isinstance(self._ranker, Matrix) or self._first_stage is None:
            return ""
        return f"{getattr(self._first_stage, 'name', type(self._first_stage).__name__)}@{self._depth}"

    def warm(self, texts: Mapping[str, Iterable[str]], watch: Watch | None = None) -> None:
        """Encode texts, by role, before they are asked for: one pass over all tasks makes the best batches."""
        if self._vectors is None:
            return
        for role, those in texts.items():
            self._vectors.fill(those, role, watch)

    def close(self) -> None:
        """Let go of the kept vectors."""
        if self._vectors is not None:
            self._vectors.close()

    def vectors(self, texts: Sequence[str], role: str = "") -> np.ndarray:
        """One row a text; only an encoder has them."""
        if self._vectors is None:
            raise InputError(f"{self.name} has no vectors: it scores pairs of texts")
        rows = self._vectors.get(texts, role)
        return rows if self._turned is None else self._turned(rows)

    def pairs(self, queries: Sequence[str], documents: Sequence[str], *, roles: tuple[str, str] = PLAIN) -> np.ndarray:
        """The score of each query with the document beside it."""
        if not queries:
            return np.zeros(0)
        if self._ranker is not None:
            return np.asarray(self._ranker.score(queries, documents), dtype=float)
        left, right = self.vectors(queries, roles[0]), self.vectors(documents, roles[1])
        found: np.ndarray = np.einsum("ij,ij->i", left, right, dtype=float)
        return found

    def margins(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """How much each query prefers the first document to the second: 0 for a tie, NaN where no answer was read."""
        if not queries:
            return np.zeros(0)
        choices = self.choices(queries, first, second)
        if choices is not None:
            # asked in both orders: a model that always takes the document shown first is undecided
            both: np.ndarray = np.mean(choices, axis=1)
            return both
        # one call, so that a lexical model weighs its words over both sides alike
        scores = self.pairs([*queries, *queries], [*first, *second], roles=RETRIEVAL)
        ours, theirs = np.split(scores, 2)
        return np.array([preference(one, other) for one, other in zip(ours, theirs, strict=True)])

    def choices(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray | None:
        """As `litotes.types.Chooser` has it, a column an order; None for a model that scores one document at a time."""
        return None if self._chooser is None else self._chooser.choose(queries, first, second)

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Above 0 where the model says that two texts are opposites, below where not; NaN where no answer was read."""
        ask = getattr(self._ranker, "opposed", None)
        if ask is None:
            raise InputError(f"{self.name} says no yes or no about two texts; expected a language model, as llm:MODEL")
        return np.asarray(ask(first, second), dtype=float) if first else np.zeros(0)

    def lists(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """The scores of each list's documents with the query beside it; NaN where no answer was read.

        A model that orders lists is asked with the list as it stands, and a document's score is one over its rank.
        """
        if self._lister is not None:
            orders = self._lister.orders(queries, lists)
            return [_reciprocal_ranks(order, len(those)) for order, those in zip(orders, lists, strict=True)]
        asked = [query for query, those in zip(queries, lists, strict=True) for _ in those]
        scores = self.pairs(asked, [document for those in lists for document in those], roles=RETRIEVAL)
        ends = np.cumsum([len(those) for those in lists])
        return np.split(scores, ends[:-1]) if len(lists) else []

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The score of every query with every document; −∞ for what a reranker never saw."""
        if not queries or not documents:
            return np.zeros((len(queries), len(documents)))
        if self._ranker is None:
            left, right = self.vectors(queries, "query"), self.vectors(documents, "document")
            return np.asarray(left @ right.T, dtype=float)
        if isinstance(self._ranker, Matrix):
            return np.asarray(self._ranker.matrix(queries, documents), dtype=float)
        places = self._shortlist(queries, documents)
        scores = np.full((len(queries), len(documents)), -np.inf)
        found = self.lists(queries, [[documents[at] for at in those] for those in places])
        for row, those, answers in zip(scores, places, found, strict=True):
            row[those] = np.nan_to_num(answers, nan=-np.inf)
        return scores

    def _shortlist(self, queries: Sequence[str], documents: Sequence[str]) -> list[list[int]]:
        """Which documents each query is scored with, by their places, best first where a first stage found them."""
        if self._first_stage is None or len(documents) <= self._depth:
            return [list(range(len(documents))) for _ in queries]
        return [_best(row, self._depth) for row in self._first_stage.matrix(queries, documents)]

    def search(self, queries: Sequence[str], documents: Sequence[str], depth: int) -> Iterator[list[int]]:
        """For each query the places of the best `depth` documents, best first; of equals, the one given first."""
        for scores in self._matrices(queries, documents):
            for row in scores:
                yield [at for at in _best(row, depth) if row[at] > -np.inf]

    def _matrices(self, queries: Sequence[str], documents: Sequence[str]) -> Iterator[np.ndarray]:
        """The matrix, of an encoder some queries at a time: a large collection would not fit."""
        if self._ranker is not None or not documents:
            yield self.matrix(queries, documents)
            return
        left, right = self.vectors(queries, "query"), self.vectors(documents, "document")
        for start in range(0, len(queries), QUERIES):
            yield left[start : start + QUERIES] @ right.T


def described(scorer: Scorer) -> dict[str, str]:
    """What a signature says of a model: its name and fingerprint, dial, prompts and dtype."""
    dial, prompts, dtype = (_named(scorer.facts, name) for name in ("dial", "prompts", "dtype"))
    written = json.dumps(prompts, sort_keys=True) if prompts else ""
    return {
        "model": scorer.name,
        "fingerprint": scorer.fingerprint[:16] or "none",
        "dial": "none" if dial is None else str(dial),
        "prompt": hashlib.sha256(written.encode()).hexdigest()[:8] if written else "none",
        "dtype": "none" if dtype is None else str(dtype),
    }


def _named(facts: Mapping[str, Any], name: str) -> Any:
    """A fact by its name, at whatever depth: a model of two encoders says it twice."""
    if name in facts:
        return facts[name]
    inner = (_named(value, name) for value in facts.values() if isinstance(value, dict))
    return next((value for value in inner if value is not None), None)


def _reciprocal_ranks(order: Sequence[int] | None, count: int) -> np.ndarray:
    scores = np.full(count, np.nan)
    if order is not None:
        scores[list(order)] = 1 / np.arange(1, count + 1)
    return scores


def _best(scores: np.ndarray, depth: int) -> list[int]:
    """The places of the highest `depth` scores, highest first; of equals, the first."""
    there = np.arange(len(scores))
    if len(scores) > depth:
        there = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
    return [int(at) for at in there[np.argsort(-scores[there], kind="stable")][:depth]]
