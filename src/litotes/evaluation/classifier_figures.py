"""How well a classifier of contrasts finds the kinds that they are labelled with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.stats import balanced_accuracy, bootstrap, confusion, f1, macro_f1
from litotes.taxonomy import leaves

UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class ClassifierFigures:
    """The labels and the predictions of a classifier, item by item."""

    labels: tuple[str, ...]
    predictions: tuple[str, ...]
    signature: str

    def figures(self, *, seed: int = 0) -> dict[str, Any]:
        """Return balanced accuracy and macro F1 with 95% intervals, F1 by kind, and the signature."""
        values: dict[str, Any] = {"n": len(self.labels)}
        for name, measure in (("balanced accuracy", balanced_accuracy), ("macro F1", macro_f1)):
            low, high = bootstrap(self.labels, self.predictions, measure, seed=seed)
            value = measure(self.labels, self.predictions)
            values[name] = {"value": _percent(value), "low": _percent(low), "high": _percent(high)}
        values["F1 by kind"] = {kind: _percent(f1(self.labels, self.predictions, kind)) for kind in self.kinds()}
        return values | {"signature": self.signature}

    def kinds(self) -> list[str]:
        """Return the kinds that occur, in the order of the taxonomy; unreadable answers come last."""
        names = [*(kind.name for kind in leaves()), UNREAD]
        return [name for name in names if name in {*self.labels, *self.predictions}]

    def confusion(self) -> list[list[int]]:
        """Return the counts of labels (rows) and predictions (columns), in the order of `kinds`."""
        return confusion(self.labels, self.predictions, self.kinds())


def classifier_figures(labels: Sequence[str], predictions: Sequence[str], *, signature: str) -> ClassifierFigures:
    """Compare the predictions of a classifier with the labels; "" is an answer that could not be read."""
    return ClassifierFigures(tuple(labels), tuple(kind or UNREAD for kind in predictions), signature)


def _percent(value: float) -> float:
    return round(100 * value, 2)
