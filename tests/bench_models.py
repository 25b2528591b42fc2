"""Small models for the tests of benchmarks, with vectors, scores and choices defined by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np


class Angles:
    """An encoder in the plane: each text has an angle, so cosines can be worked out by hand."""

    def __init__(self, degrees: Mapping[str, float], *, name: str = "angles", fingerprint: str = "angles-1") -> None:
        self.name, self.fingerprint = name, fingerprint
        self._degrees = degrees
        self.asked: Counter[tuple[str, str]] = Counter()
        self.batches: list[list[str]] = []

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        self.asked.update((role, text) for text in texts)
        self.batches.append(list(texts))
        angles = [math.radians(self._degrees[text]) for text in texts]
        return np.array([[math.cos(angle), math.sin(angle)] for angle in angles], dtype=np.float32)

    def facts(self) -> dict[str, object]:
        return {"dtype": "float32", "prompts": {"query": "ask: "}}


class Letters:
    """An encoder of any text: the counts of its letters."""

    name, fingerprint = "letters", "letters-1"

    def __init__(self) -> None:
        self.encoded = 0

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        self.encoded += len(texts)
        counts = np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return np.asarray(counts / np.maximum(lengths, 1), dtype=np.float32)


class Overlap:
    """A ranker: how many words of the query are in the document."""

    name, fingerprint = "overlap", "overlap-1"

    def __init__(self) -> None:
        self.scored = 0

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        self.scored += len(queries)
        pairs = zip(queries, documents, strict=True)
        return np.array([float(len(set(query.split()) & set(document.split()))) for query, document in pairs])


class Shortest:
    """A first stage that prefers short documents."""

    name = "shortest"

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([[-float(len(document)) for document in documents] for _ in queries])


class FirstShown:
    """A chooser that always takes the document shown first, and gives no readable answer to some queries."""

    name, fingerprint = "first shown", "first-shown-1"

    def __init__(self, unread: str = "") -> None:
        self._unread = unread

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        return np.array([[math.nan, 1.0] if query == self._unread else [1.0, -1.0] for query in queries])

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.zeros(len(queries))
