"""Decline rewrites that are likely to be bad, by a linear model of features. It needs only NumPy.

`scripts/train_doubt.py` trains the model on rewrites that readers labelled.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
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
EVERYWHERE = ""
"""stands for the name of a rule in weights that hold for all of them"""
Pair = tuple[float, float]
"""a number for odd rewrites, and one for ungrammatical or wrong ones"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What some features say: the sum of their weights for all rules, and their weights for single rules."""

    odd: float
    bad: float
    by_rule: tuple[dict[str, Pair], ...]


@dataclass(frozen=True, slots=True)
class DoubtModel:
    """The weights of each feature, by rule."""

    weights: dict[str, dict[str, Pair]]
    rules: frozenset[str]
    bias: Pair

    def evidence(self, features: Iterable[str]) -> Evidence:
        """Return what features say. Those without weights are left out."""
        odd = bad = 0.0
        by_rule = []
        for weights in filter(None, map(self.weights.get, features)):
            if EVERYWHERE in weights:
                more_odd, more_bad = weights[EVERYWHERE]
                odd += more_odd
                bad += more_bad
                if len(weights) == 1:
                    continue
            by_rule.append(weights)
        return Evidence(odd, bad, tuple(by_rule))

    def chances(self, rule: str, *evidence: Evidence) -> Pair:
        """Return how likely a rewrite is odd, and how likely it is ungrammatical or wrong."""
        odd, bad = self.bias
        for part in evidence:
            odd += part.odd
            bad += part.bad
            for weights in part.by_rule:
                if rule in weights:
                    more_odd, more_bad = weights[rule]
                    odd += more_odd
                    bad += more_bad
        return 1 / (1 + math.exp(-odd)), 1 / (1 + math.exp(-bad))


def load_doubt_model(path: Path) -> DoubtModel:
    """Load weights that the training script wrote."""
    stored = read_arrays(path)
    weights: dict[str, dict[str, Pair]] = defaultdict(dict)
    names = stored["features"].tobytes().decode("utf-8").split("\n")
    step = float(stored["step"][0])
    for name, (odd, bad) in zip(names, stored["weights"].tolist(), strict=True):
        rule, feature = name.split(SEPARATOR)
        weights[feature][rule] = (odd * step, bad * step)
    odd, bad = stored["bias"].tolist()
    return DoubtModel(dict(weights), frozenset(rule for by_rule in weights.values() for rule in by_rule), (odd, bad))


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
    chances = model.chances(rule, _of_sentence(sentence, clause), model.evidence(edit_features(sentence, edits)))
    return DOUBTFUL if is_doubtful(kind, *chances) else ""


# every kind of rewrite asks for the same sentence
@lru_cache(maxsize=256)
def _of_sentence(sentence: Sentence, clause: Clause | NoClause) -> Evidence:
    return doubt_model().evidence(sentence_features(sentence, clause))


def is_doubtful(kind: str, odd: float, bad: float) -> bool:
    """Return whether a rewrite with these chances should not be returned."""
    if kind in PLAIN:
        return bad > PLAIN_LIMIT
    return bad + ODD_WEIGHT * odd > (LEXICAL_LIMIT if kind == "lexical" else LIMIT)
