"""Random scores, the same on every run, as a baseline."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter, check_pairs
from litotes.models.loading import Settings

if TYPE_CHECKING:
    import numpy as np


class Random(Adapter):
    """A model whose scores are hashes of the seed, the query and the document, independent of order and batches."""

    family = "random"

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("random")
        self._seed = seed

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return a score from 0 to 1 for each query with the document at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        scores = [self._score(query, document) for query, document in zip(left, right, strict=True)]
        return np.array(scores, dtype=np.float64)

    def details(self) -> dict[str, Any]:
        return {"seed": self._seed}

    def _score(self, query: str, document: str) -> float:
        # The length distinguishes ("ab", "c") from ("a", "bc").
        key = f"{self._seed} {len(query)} {query}{document}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(key, digest_size=6).digest()) / 2**48


def build(name: str, settings: Settings, *, seed: int = 0) -> Random:
    """Build `random`."""
    return Random(seed=seed)
