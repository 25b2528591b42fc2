"""Classification of vectors: by the nearest class mean, and by logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from litotes.data.items import LabelledTexts
from litotes.data.result_files import ItemRow
from litotes.errors import require
from litotes.evaluation.figures import Figure, share
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask

CENTROID, LOGISTIC = "nearest centroid", "logistic regression"
MAX_ITERATIONS = 1000


@dataclass(frozen=True, slots=True)
class ClassificationTask(BaseTask):
    """Labelled texts to train two classifiers on, and others to classify."""

    family = "classification"
    needs_vectors = True

    name: str
    split: str
    items: LabelledTexts

    def content(self) -> Sequence[object]:
        return (*self.items.train, "|", *self.items.test)

    def __len__(self) -> int:
        return len(self.items.test)

    def texts(self) -> dict[str, list[str]]:
        return {"": [utterance.text for utterance in (*self.items.train, *self.items.test)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per test text: whether each of the two classifiers found its label."""
        train, test = self.items.train, self.items.test
        if not train or not test:
            return []
        train_vectors = _unit(scorer.vectors([utterance.text for utterance in train]))
        test_vectors = _unit(scorer.vectors([utterance.text for utterance in test]))
        labels = [utterance.label for utterance in train]
        predictions = {
            CENTROID: nearest_centroid(train_vectors, labels, test_vectors),
            LOGISTIC: logistic_regression(train_vectors, labels, test_vectors),
        }
        rows = []
        for place, utterance in enumerate(test):
            right = {name: float(predicted[place] == utterance.label) for name, predicted in predictions.items()}
            rows.append(ItemRow(utterance.id, right[CENTROID], {"label": utterance.label}, right))
        return rows


TASK = ClassificationTask


def nearest_centroid(train: np.ndarray, labels: Sequence[str], test: np.ndarray) -> list[str]:
    """Return the class whose mean direction is nearest by cosine; in a tie, the first class in the alphabet."""
    names = sorted(set(labels))
    label_array = np.asarray(labels)
    means = _unit(np.stack([train[label_array == name].mean(axis=0) for name in names]))
    return [names[int(place)] for place in np.argmax(test @ means.T, axis=1)]


def logistic_regression(train: np.ndarray, labels: Sequence[str], test: np.ndarray) -> list[str]:
    """Return the class by scikit-learn's multinomial regression with its default penalty."""
    if len(set(labels)) < 2:
        return [labels[0]] * len(test)
    linear = require("sklearn.linear_model", extra="bench", why="classification by logistic regression")
    fitted = linear.LogisticRegression(max_iter=MAX_ITERATIONS).fit(train, list(labels))
    return [str(name) for name in fitted.predict(test)]


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the accuracy of each classifier."""
    return [share(f"accuracy, {name}", [row.numbers[name] == 1 for row in rows]) for name in (CENTROID, LOGISTIC)]


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: np.ndarray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
