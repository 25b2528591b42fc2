"""The metric among the other models, as a ranker: the query is the reference, the document the candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter
from litotes.models.loading import Settings
from litotes.models.scorer.build import load_scorer

if TYPE_CHECKING:
    import numpy as np


class Score(Adapter):
    """`score:litotes-score`, or a folder that training wrote. Of a pair longer than it reads the longer side is cut."""

    family = "score"
    libraries = ("transformers", "torch")

    def __init__(self, name: str, target: str, settings: Settings) -> None:
        super().__init__(name)
        self._scorer, self._batch = load_scorer(target, device=settings.device), settings.batch

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """How much of each query the document beside it keeps."""
        return self._scorer.score(queries, documents, batch=self._batch, cut=True)

    def details(self) -> dict[str, Any]:
        return {name: value for name, value in self._scorer.facts().items() if name != "libraries"}


def build(name: str, settings: Settings) -> Score:
    """`score:name-or-path`."""
    return Score(name, name.partition(":")[2], settings)
