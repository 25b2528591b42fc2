"""The query's side as the bench sees it: an encoder whose queries leave out, and a ranker that judges sentences.

Both stand on a loaded dense model and answer as any model does, under a name and a fingerprint of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from litotes.detection import exclusions
from litotes.models.dense import tower_config
from litotes.models.tower.dial import dial
from litotes.query.encoder import Encoder
from litotes.query.excluding import BETA, CALM, WHOLE, joined, parts_of
from litotes.query.reranking import rerank


class Excluding:
    """A dense model whose queries are taken apart; texts of other roles are untouched."""

    def __init__(self, model: Any, *, beta: float = BETA) -> None:
        self._model, self._beta = model, beta
        self.name = f"{model.name}+exclude"

    @property
    def fingerprint(self) -> str:
        """Of the model, and of how queries are taken apart."""
        return hashlib.sha256(
            f"{self._model.fingerprint} exclude {self._beta} {WHOLE} {share_of(self._model)}".encode()
        ).hexdigest()

    def facts(self) -> dict[str, Any]:
        """The model's, and the operator's."""
        return dict(self._model.facts()) | {
            "exclude": {"beta": self._beta, "whole": WHOLE, "share of the dial": share_of(self._model)}
        }

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """One row a text; a query that leaves out nothing has the model's own row."""
        rows: np.ndarray = self._model.encode(texts, role=role)
        if role != "query":
            return rows
        parts = parts_of(list(texts), whole=WHOLE > 0)
        fired = [number for number, things in enumerate(parts.excluded) if things]
        if fired:
            vectors = calmed(self._model, self._model.encode(parts.texts, role=role))
            rows[fired] = joined(parts, vectors, beta=self._beta, whole=WHOLE)[fired]
        return rows


def calmed(model: Any, rows: np.ndarray) -> np.ndarray:
    """Rows of a dense model's queries at the dial of those that leave something out; a dial that was set stays."""
    config = tower_config(model.inner)
    if share_of(model) == 1:
        return rows
    return dial(rows, CALM * config.default_w, w0=config.default_w, width=config.tower_width)


def share_of(model: Any) -> float:
    """The share of its own dial that a dense model has for queries that leave something out."""
    return 1.0 if tower_config(model.inner) is None or model.dial is not None else CALM


class Reranking:
    """A tower as a ranker: a pair's score as `litotes.rerank` gives it."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._encoder = Encoder.of(model.inner)
        self.name = f"{model.name}+rerank"

    @property
    def fingerprint(self) -> str:
        """Of the model, and of how sentences are judged."""
        return hashlib.sha256(
            f"{self._model.fingerprint} rerank {BETA} {WHOLE} {share_of(self._model)}".encode()
        ).hexdigest()

    def facts(self) -> dict[str, Any]:
        """The model's, and how it judges."""
        exclude = {"beta": BETA, "whole": WHOLE, "share of the dial": share_of(self._model)}
        return dict(self._model.facts()) | {"rerank": "sentence", "exclude": exclude}

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The score of each query with the document beside it; the documents of one query go together."""
        places: dict[str, list[int]] = {}
        for number, query in enumerate(queries):
            places.setdefault(query, []).append(number)
        scores = np.zeros(len(queries))
        for query, numbers in places.items():
            texts = [documents[number] for number in numbers]
            for one in rerank(query, texts, model=self._encoder, dial=self._model.dial):
                scores[numbers[one.place]] = one.score
        return scores


def left_out(task: str, queries: Sequence[str], *, most: int = 40) -> dict[str, Any]:
    """How many of a task's queries leave something out, and the first of them taken apart."""
    distinct = list(dict.fromkeys(queries))
    found = [one for one in exclusions(distinct) if one]
    examples = [{"query": one.text} | one.line() for one in found[:most]]
    return {"task": task, "queries": len(distinct), "fired": len(found), "examples": examples}
