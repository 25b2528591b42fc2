"""Classification of vectors: by the nearest class mean, and by logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from litotes.bench.rows import Figure, Row, share
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.general import Utterance
from litotes.errors import require

CENTROID, LOGISTIC = "nearest centroid", "logistic regression"
ROUNDS = 1000
"""iterations at most; it stops earlier when nothing changes"""


@dataclass(frozen=True, slots=True)
class Classification(Base):
    """Texts to learn from and texts to sort, each with its label."""

    family = "classification"
    needs_vectors = True

    name: str
    split: str
    learnt: tuple[Utterance, ...]
    tested: tuple[Utterance, ...]

    def content(self) -> Sequence[object]:
        return (*self.learnt, "|", *self.tested)

    def __len__(self) -> int:
        return len(self.tested)

    def texts(self) -> dict[str, list[str]]:
        return {"": [utterance.text for utterance in (*self.learnt, *self.tested)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a text to sort: whether each of the two classifiers gave it its label."""
        if not self.learnt or not self.tested:
            return []
        known = _unit(scorer.vectors([utterance.text for utterance in self.learnt]))
        asked = _unit(scorer.vectors([utterance.text for utterance in self.tested]))
        labels = [utterance.label for utterance in self.learnt]
        answers = {
            CENTROID: nearest_centroid(known, labels, asked),
            LOGISTIC: logistic_regression(known, labels, asked),
        }
        rows = []
        for place, utterance in enumerate(self.tested):
            right = {name: float(given[place] == utterance.label) for name, given in answers.items()}
            rows.append(Row(utterance.id, right[CENTROID], {"label": utterance.label}, right))
        return rows


def nearest_centroid(known: np.ndarray, labels: Sequence[str], asked: np.ndarray) -> list[str]:
    """The class whose mean direction is nearest by cosine; of equals, the first in the alphabet."""
    names = sorted(set(labels))
    given = np.asarray(labels)
    means = _unit(np.stack([known[given == name].mean(axis=0) for name in names]))
    return [names[int(place)] for place in np.argmax(asked @ means.T, axis=1)]


def logistic_regression(known: np.ndarray, labels: Sequence[str], asked: np.ndarray) -> list[str]:
    """The class by scikit-learn's multinomial regression with its default penalty."""
    if len(set(labels)) < 2:
        return [labels[0]] * len(asked)
    linear = require("sklearn.linear_model", extra="bench", why="classification by logistic regression")
    fitted = linear.LogisticRegression(max_iter=ROUNDS).fit(known, list(labels))
    return [str(name) for name in fitted.predict(asked)]


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The accuracy of each classifier."""
    return [share(f"accuracy, {name}", [row.numbers[name] == 1 for row in rows]) for name in (CENTROID, LOGISTIC)]


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: np.ndarray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found
