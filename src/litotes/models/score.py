"""The metric as a ranker: the query is the reference, and the document is the candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter
from litotes.models.loading import Settings
from litotes.models.pair.metric import load_metric

if TYPE_CHECKING:
    import numpy as np


class ScoreRanker(Adapter):
    """A shipped metric, or a folder that training wrote, as a ranker. The longer text of a long pair is cut."""

    family = "score"
    libraries = ("transformers", "torch")

    def __init__(self, name: str, target: str, settings: Settings) -> None:
        super().__init__(name)
        self._metric = load_metric(target, device=settings.device)

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return how much of each query's meaning the document at the same position keeps."""
        return self._metric.score(documents, queries, cut=True)

    def details(self) -> dict[str, Any]:
        return {name: value for name, value in self._metric.facts().items() if name != "libraries"}


def build(name: str, settings: Settings) -> ScoreRanker:
    """Load `score:NAME-OR-PATH`."""
    return ScoreRanker(name, name.partition(":")[2], settings)
