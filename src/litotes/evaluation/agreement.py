"""What people said about contrasts, against the labels and each other: the taxonomy paper's Tables 4 and 5."""

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


def texts_with_negation(kind: str) -> frozenset[str]:
    """Return the texts of a contrast of this kind that have the negation, as the benchmark is written."""
    if kind in ANTONYMS:
        return frozenset(PARTS)
    if kind in QUANTIFIED:
        return frozenset({"q2", "doc2"})
    return frozenset() if kind in {"none", ""} else frozenset({"q1", "doc1"})


def agreement(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """Return accuracy, F1 and mean grades against the labels, and kappas between annotators; overall and by kind."""
    kinds = dict.fromkeys(annotation.kind for annotation in annotations)
    figures = {"all": _figures(annotations)}
    if len(kinds) > 1:
        figures |= {
            kind: _figures([annotation for annotation in annotations if annotation.kind == kind]) for kind in kinds
        }
    return figures


def _figures(annotations: Sequence[Annotation]) -> dict[str, Any]:
    marked = [part in annotation.negation for annotation in annotations for part in PARTS]
    labelled = [part in texts_with_negation(annotation.kind) for annotation in annotations for part in PARTS]
    first, second = ([annotation.relevance[place] for annotation in annotations] for place in (0, 1))
    figures: dict[str, Any] = {
        "annotations": len(annotations),
        "q1 accuracy": _round(accuracy(["doc1"] * len(annotations), first)),
        "q2 accuracy": _round(accuracy(["doc2"] * len(annotations), second)),
        "q3 negation F1": _round(f1(labelled, marked, True)) if any(labelled) else None,
    }
    for place, name in enumerate(GRADES):
        grades = [annotation.grades[place] for annotation in annotations]
        figures[f"q{place + 4} {name}"] = _round(fmean(grades)) if grades else None
    return figures | _kappas(annotations)


def _kappas(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """Return the agreement on items that two people annotated, pooled over all pairs of annotators."""
    items: dict[str, dict[str, Annotation]] = defaultdict(dict)
    for annotation in annotations:
        items[annotation.id].setdefault(annotation.annotator, annotation)
    pairs = [pair for same in items.values() for pair in combinations([same[name] for name in sorted(same)], 2)]
    figures: dict[str, Any] = {"pairs of annotations": len(pairs)}
    if not pairs:
        return figures
    for place, name in enumerate(("q1", "q2")):
        left, right = ([pair[side].relevance[place] for pair in pairs] for side in (0, 1))
        figures[f"{name} kappa"] = _round(cohen_kappa(left, right))
    marks = [[part in pair[side].negation for pair in pairs for part in PARTS] for side in (0, 1)]
    figures["q3 kappa"] = _round(cohen_kappa(*marks))
    for place, name in enumerate(GRADES):
        first, second = ([pair[side].grades[place] for pair in pairs] for side in (0, 1))
        figures[f"q{place + 4} {name} weighted kappa"] = _round(weighted_kappa(first, second))
    return figures


def score_sheet(answers: Mapping[str, str], key: Mapping[str, str]) -> dict[str, float]:
    """Return what people got right on a ranking sheet: queries, and contrasts with both queries right.

    A missing answer is wrong.
    """
    unknown = sorted(set(answers) - set(key))
    if unknown:
        raise InputError(f"the sheet has rows that are not in the key: {', '.join(unknown[:3])}")
    right = {item: answers.get(item, "").strip().upper() == expected for item, expected in key.items()}
    pairs: dict[str, bool] = {}
    for item, is_right in right.items():
        name = item.rpartition("/")[0]
        pairs[name] = pairs.get(name, True) and is_right
    return {
        "queries": len(right),
        "answered": sum(bool(answer.strip()) for answer in answers.values()),
        "queries right, %": round(100 * sum(right.values()) / max(1, len(right)), 1),
        "pairs": len(pairs),
        "pairs right, %": round(100 * sum(pairs.values()) / max(1, len(pairs)), 1),
    }


def _round(value: float) -> float:
    return round(value, 4)
