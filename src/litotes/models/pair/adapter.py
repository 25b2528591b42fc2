"""A pair model as a ranker: its score of a query and a document is the logit of relevance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter
from litotes.models.loading import Settings
from litotes.models.pair.build import load_pair_scorer
from litotes.models.pair.heads import RELEVANCE, SAME, SCORE, VERDICT

if TYPE_CHECKING:
    import numpy as np


class PairRanker(Adapter):
    """A pair model in a folder. A long document is cut, where `litotes.query.Reranker` reads it in windows.

    The model fills its batches by tokens and has a maximum length of its own, so `batch` and `max_tokens` do not apply.
    """

    family = "cross"
    libraries = ("transformers", "torch")

    def __init__(self, name: str, target: str, settings: Settings) -> None:
        super().__init__(name)
        if settings.dtype != "float32":
            raise InputError(f"{name} is computed in float32; expected no other dtype, got {settings.dtype!r}")
        self.scorer = load_pair_scorer(target, device=settings.device)
        # A model that was trained on scored pairs alone is a metric, whose scores rank too.
        self._head = RELEVANCE if RELEVANCE in self.scorer.heads else SCORE

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same position."""
        return self.scorer.logits(queries, documents, head=self._head)

    def same(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return how surely two texts deserve the same answer: by the head `verdict`, or the logits of both orders."""
        if VERDICT in self.scorer.heads:
            return self.scorer.verdicts(first, second)[:, self.scorer.heads[VERDICT].index(SAME)]
        logits: np.ndarray = (self.score(first, second) + self.score(second, first)) / 2
        return logits

    def details(self) -> dict[str, Any]:
        return {name: value for name, value in self.scorer.facts().items() if name != "libraries"}
