"""Chance, as a model: scores that know nothing of the texts, the same on every run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter, pairs_of
from litotes.models.loading import Settings

if TYPE_CHECKING:
    import numpy as np


class Random(Adapter):
    """A score between 0 and 1 drawn from seed, query and document, so that neither order nor batch changes it."""

    family = "random"

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("random")
        self._seed = seed

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """One draw for each query with the document beside it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        draws = [self._draw(query, document) for query, document in zip(left, right, strict=True)]
        return np.array(draws, dtype=np.float64)

    def details(self) -> dict[str, Any]:
        return {"seed": self._seed}

    def _draw(self, query: str, document: str) -> float:
        # lengths keep ("ab", "c") and ("a", "bc") apart
        key = f"{self._seed} {len(query)} {query}{document}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(key, digest_size=6).digest()) / 2**48


def build(name: str, settings: Settings, *, seed: int = 0) -> Random:
    """`random`, with its seed."""
    return Random(seed=seed)
