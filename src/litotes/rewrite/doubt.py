"""Decline rewrites that are likely to be bad, by a linear model of features. It needs only NumPy.

`scripts/train_doubt.py` trains the model on rewrites that readers labelled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

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
EVERYWHERE = ""
"""stands for the name of a rule in weights that hold for all of them"""
Pair = tuple[float, float]
"""a number for odd rewrites, and one for ungrammatical or wrong ones"""


@dataclass(frozen=True, slots=True)
class DoubtModel:
    """The weights of features by rule."""

    features: Mapping[str, int]
    rules: Mapping[str, int]
    weights: np.ndarray
    """rules × features × 2: a weight for odd rewrites, and one for ungrammatical or wrong ones"""
    bias: Pair

    @classmethod
    def of(cls, weights: Mapping[tuple[str, str], Pair], bias: Pair) -> DoubtModel:
        """Return a model with the weights of pairs of a rule and a feature. Those for all rules are added to each."""
        features = {name: place for place, name in enumerate(dict.fromkeys(feature for _, feature in weights))}
        named = dict.fromkeys(rule for rule, _ in weights if rule != EVERYWHERE)
        rules = {name: place for place, name in enumerate(named)}
        dense = np.zeros((len(rules), len(features), 2), dtype=np.float32)
        for (rule, feature), pair in weights.items():
            dense[slice(None) if rule == EVERYWHERE else rules[rule], features[feature]] += pair
        return cls(features, rules, dense, bias)

    def places(self, names: Iterable[str]) -> list[int]:
        """Return the places of features in the weights. Features without weights are left out."""
        return [self.features[name] for name in names if name in self.features]

    def chances(self, rule: str, places: list[int]) -> Pair:
        """Return how likely a rewrite with these features is odd, and how likely it is ungrammatical or wrong."""
        odd, bad = np.add.reduce(self.weights[self.rules[rule]].take(places, axis=0)).tolist()
        return 1 / (1 + math.exp(-odd - self.bias[0])), 1 / (1 + math.exp(-bad - self.bias[1]))


def load_doubt_model(path: Path) -> DoubtModel:
    """Load weights that the training script wrote."""
    stored = read_arrays(path)
    names = (name.split(SEPARATOR) for name in stored["features"].tobytes().decode("utf-8").split("\n"))
    pairs = (stored["weights"] * float(stored["step"][0])).tolist()
    weights = {(rule, feature): (odd, bad) for (rule, feature), (odd, bad) in zip(names, pairs, strict=True)}
    odd, bad = stored["bias"].tolist()
    return DoubtModel.of(weights, (odd, bad))


@cache
def doubt_model() -> DoubtModel:
    """Load the shipped model, once."""
    with as_file(files("litotes.rewrite") / "doubt.safetensors") as path:
        return load_doubt_model(path)


def doubt_about(sentence: Sentence, clause: Clause | NoClause, kind: str, rule: str, edits: tuple[Edit, ...]) -> str:
    """Return why a rewrite should not be returned, or ""."""
    model = doubt_model()
    if rule not in model.rules:
        # a rule that the model was not trained on
        return ""
    places = _of_sentence(sentence, clause) + model.places(edit_features(sentence, edits))
    return DOUBTFUL if is_doubtful(kind, *model.chances(rule, places)) else ""


# every kind of rewrite asks for the same sentence
@lru_cache(maxsize=256)
def _of_sentence(sentence: Sentence, clause: Clause | NoClause) -> list[int]:
    return doubt_model().places(sentence_features(sentence, clause))


def is_doubtful(kind: str, odd: float, bad: float) -> bool:
    """Return whether a rewrite with these chances should not be returned."""
    if kind in PLAIN:
        return bad > PLAIN_LIMIT
    return bad + ODD_WEIGHT * odd > (LEXICAL_LIMIT if kind == "lexical" else LIMIT)
