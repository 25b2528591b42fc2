"""What people said of contrasts, against the labels and against each other: the taxonomy paper's Tables 4 and 5."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from litotes.data.annotation import Annotation
from litotes.errors import InputError
from litotes.stats import accuracy, cohen_kappa, f1, weighted_kappa

GRADES = ("naturalness", "coherence", "consistency")
PARTS = ("q1", "q2", "doc1", "doc2")
ANTONYMS = frozenset({"immediate", "polar", "mid"})
QUANTIFIED = frozenset({"contradiction", "contrary", "subcontrary"})


def holds_negation(kind: str) -> frozenset[str]:
    """Which texts of a contrast of this kind hold the negation, as the benchmark is written."""
    if kind in ANTONYMS:
        return frozenset(PARTS)
    if kind in QUANTIFIED:
        return frozenset({"q2", "doc2"})
    return frozenset() if kind in {"none", ""} else frozenset({"q1", "doc1"})


def agreement(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """Overall and by kind: accuracy, F1 and mean grades against the labels; kappas between annotators."""
    kinds = dict.fromkeys(one.kind for one in annotations)
    found = {"all": _figures(annotations)}
    if len(kinds) > 1:
        found |= {kind: _figures([one for one in annotations if one.kind == kind]) for kind in kinds}
    return found


def _figures(annotations: Sequence[Annotation]) -> dict[str, Any]:
    marked = [part in one.negation for one in annotations for part in PARTS]
    holding = [part in holds_negation(one.kind) for one in annotations for part in PARTS]
    figures: dict[str, Any] = {
        "annotations": len(annotations),
        "q1 accuracy": _round(accuracy(["doc1"] * len(annotations), [one.relevance[0] for one in annotations])),
        "q2 accuracy": _round(accuracy(["doc2"] * len(annotations), [one.relevance[1] for one in annotations])),
        "q3 negation F1": _round(f1(holding, marked, True)) if any(holding) else None,
    }
    for place, name in enumerate(GRADES):
        values = [one.grades[place] for one in annotations]
        figures[f"q{place + 4} {name}"] = _round(fmean(values)) if values else None
    return figures | _between(annotations)


def _between(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """The same items, seen by two people: pairs of annotations, pooled over all pairs of annotators."""
    items: dict[str, dict[str, Annotation]] = defaultdict(dict)
    for one in annotations:
        items[one.id].setdefault(one.annotator, one)
    pairs = [pair for same in items.values() for pair in combinations([same[who] for who in sorted(same)], 2)]
    figures: dict[str, Any] = {"pairs of annotations": len(pairs)}
    if not pairs:
        return figures
    for place, name in enumerate(("q1", "q2")):
        left, right = ([pair[side].relevance[place] for pair in pairs] for side in (0, 1))
        figures[f"{name} kappa"] = _round(cohen_kappa(left, right))
    marks = [[part in pair[side].negation for pair in pairs for part in PARTS] for side in (0, 1)]
    figures["q3 kappa"] = _round(cohen_kappa(*marks))
    for place, name in enumerate(GRADES):
        ours, theirs = ([pair[side].grades[place] for pair in pairs] for side in (0, 1))
        figures[f"q{place + 4} {name} weighted kappa"] = _round(weighted_kappa(ours, theirs))
    return figures


def score_sheet(answers: Mapping[str, str], key: Mapping[str, str]) -> dict[str, float]:
    """What people got right on a ranking sheet: queries, and contrasts with both queries right; no answer is wrong."""
    unknown = sorted(set(answers) - set(key))
    if unknown:
        raise InputError(f"the sheet holds rows the key does not: {', '.join(unknown[:3])}")
    right = {item: answers.get(item, "").strip().upper() == wanted for item, wanted in key.items()}
    pairs: dict[str, bool] = {}
    for item, good in right.items():
        name = item.rpartition("/")[0]
        pairs[name] = pairs.get(name, True) and good
    return {
        "queries": len(right),
        "answered": sum(bool(answer.strip()) for answer in answers.values()),
        "queries right, %": round(100 * sum(right.values()) / max(1, len(right)), 1),
        "pairs": len(pairs),
        "pairs right, %": round(100 * sum(pairs.values()) / max(1, len(pairs)), 1),
    }


def _round(value: float) -> float:
    return round(value, 4)
