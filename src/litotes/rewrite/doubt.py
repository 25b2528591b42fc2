"""Decline rewrites that are likely to be bad, by a linear model of features. It needs only NumPy.

`scripts/train_doubt.py` trains the model on rewrites that readers labelled.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from litotes.arrays import read_arrays
from litotes.detection import Clause, NoClause
from litotes.parse import Sentence
from litotes.rewrite.doubt_features import edit_features, sentence_features
from litotes.types import Edit

DOUBTFUL = "readers found many rewrites like this one odd or wrong"
ODD_WEIGHT = 0.5
"""An odd rewrite counts as half a bad one."""
LIMIT = 0.15
"""The largest chance of being bad that a rewrite may have to be returned."""
LEXICAL_LIMIT = 0.1
"""The limit of the kind `lexical`. Its faults are of sense, which the features show less clearly."""
PLAIN = frozenset({"verbal", "affirm", "affixal"})
PLAIN_LIMIT = 0.2
"""The limit of kinds that no other kind replaces. Their odd rewrites are returned, too."""
SEPARATOR = "\t"
Weights = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class DoubtModel:
    """The weights of features: those for all rewrites under "", and those of each rule under its name."""

    weights: dict[str, Weights]
    bias: tuple[float, float]

    def chances(self, rule: str, features: Iterable[str]) -> tuple[float, float]:
        """Return how likely a rewrite is odd, and how likely it is ungrammatical or wrong."""
        odd, bad = self.bias
        everywhere, own = self.weights.get("", {}), self.weights.get(rule, {})
        for feature in features:
            for found in (everywhere.get(feature), own.get(feature)):
                if found is not None:
                    odd += found[0]
                    bad += found[1]
        return 1 / (1 + math.exp(-odd)), 1 / (1 + math.exp(-bad))


def load_doubt_model(path: Path) -> DoubtModel:
    """Load weights that the training script wrote."""
    stored = read_arrays(path)
    weights: dict[str, Weights] = defaultdict(dict)
    names = stored["features"].tobytes().decode("utf-8").split("\n")
    step = float(stored["step"][0])
    for name, (odd, bad) in zip(names, stored["weights"].tolist(), strict=True):
        rule, feature = name.split(SEPARATOR)
        weights[rule][feature] = (odd * step, bad * step)
    odd, bad = stored["bias"].tolist()
    return DoubtModel(dict(weights), (odd, bad))


@cache
def doubt_model() -> DoubtModel:
    """Load the shipped model, once."""
    with as_file(files("litotes.rewrite") / "doubt.safetensors") as path:
        return load_doubt_model(path)


def doubt_about(sentence: Sentence, clause: Clause | NoClause, kind: str, rule: str, edits: tuple[Edit, ...]) -> str:
    """Return why a rewrite should not be returned, or ""."""
    model = doubt_model()
    if rule not in model.weights:
        # a rule that the model was not trained on
        return ""
    features = (*sentence_features(sentence, clause), *edit_features(sentence, edits))
    return DOUBTFUL if is_doubtful(kind, *model.chances(rule, features)) else ""


def is_doubtful(kind: str, odd: float, bad: float) -> bool:
    """Return whether a rewrite with these chances should not be returned."""
    if kind in PLAIN:
        return bad > PLAIN_LIMIT
    return bad + ODD_WEIGHT * odd > (LEXICAL_LIMIT if kind == "lexical" else LIMIT)
