"""A tier for tests of what uses the guard: two texts deserve the same answer if they have the same longer words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from litotes.guard import OperatingPoint
from litotes.models.pair.heads import LABELS


class WordTier:
    """Texts with the same words of more than three letters are the same; "off", "not" and numbers count, too."""

    name, model, labels = "words", "", LABELS

    @property
    def operating_point(self) -> OperatingPoint:
        return OperatingPoint(0.5, "words", 1.0, (0.9, 1.0), 0.5, (0.4, 0.6), 10, 40, "pairs of a test")

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(new), len(self.labels)))
        for row, one, other in zip(rows, new, cached, strict=True):
            row[self.labels.index("same")] = 0.9 if _words(one) == _words(other) else 0.1
            row[self.labels.index("opposite")] = 0.1 if _words(one) == _words(other) else 0.9
        return rows

    def refusal(self, new: str, cached: str) -> str:
        return "more than 1,000 characters" if len(new) + len(cached) > 1000 else ""


def _words(text: str) -> set[str]:
    found = text.lower().replace("?", " ").replace(".", " ").split()
    return {word for word in found if len(word) > 3 or word in ("off", "not") or word.isdigit()}
