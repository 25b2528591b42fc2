"""Compare a graph with the model it was made from, and a graph in eight bits with that in full precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.models.onnx.encoder import OnnxTower

MOST_DIFFERENT = 1e-4
"""how much a number of a graph in full precision may differ from that of the model"""
LEAST_COSINE = 0.99
"""the least mean cosine of vectors in eight bits with those in full precision"""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a graph agrees with what it is compared with."""

    reference: str
    """"torch" or "full precision" """
    texts: int
    measure: str
    """"largest difference" or "mean cosine" """
    value: float
    limit: float
    passed: bool

    def line(self) -> dict[str, Any]:
        """Return the JSON object of this comparison."""
        return asdict(self)

    def __str__(self) -> str:
        verdict = "" if self.passed else ", which is not enough"
        return (
            f"{self.measure} from {self.reference} on {self.texts} texts: {self.value:.2g} "
            f"(limit {self.limit:g}){verdict}"
        )


def largest_difference(found: np.ndarray, expected: np.ndarray, *, reference: str) -> Agreement:
    """Compare two arrays number by number."""
    value = float(np.abs(found - expected).max(initial=0))
    return Agreement(reference, len(found), "largest difference", value, MOST_DIFFERENT, bool(value <= MOST_DIFFERENT))


def mean_cosine(found: np.ndarray, expected: np.ndarray, *, reference: str) -> Agreement:
    """Compare the directions of rows."""
    lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(expected, axis=1)
    value = float(((found * expected).sum(axis=1) / lengths).mean())
    return Agreement(reference, len(found), "mean cosine", value, LEAST_COSINE, bool(value >= LEAST_COSINE))


def with_full_precision(folder: Path, full: Path, texts: Sequence[str]) -> Agreement:
    """Compare a graph in eight bits with that in full precision."""
    found, expected = (OnnxTower(one).vectors(texts) for one in (folder, full))
    return mean_cosine(found, expected, reference="full precision")


def with_torch(folder: Path, name: str, texts: Sequence[str]) -> Agreement:
    """Compare a graph in full precision with the model. It needs torch."""
    from litotes.models.dense import build
    from litotes.models.loading import Settings

    model = build(f"dense:{name}", Settings(device="cpu"))
    return largest_difference(OnnxTower(folder).vectors(texts), model.encode(texts), reference="torch")
