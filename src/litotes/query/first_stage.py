"""Add the logit of a pair model to the scores of a first stage.

    score = first stage + weight · spread · logit

The logit tells documents on the same subject apart: which one says what the query asks for. The first stage tells the
subject. `spread` is how far the first stage's scores lie apart, so that one weight fits cosines, dot products and BM25.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from litotes.errors import InputError

FEW = 10
"""With fewer candidates than this, their scores are too few to show how far a first stage's scores lie apart."""
SPREAD_PER_SCORE = 0.15
"""The spread of a first stage with few candidates, as a share of the median of their absolute scores."""
SAME = 1e-9
"""Scores that differ by less, relative to the largest, are equal."""


def combine(first: np.ndarray, logits: np.ndarray, *, weight: float) -> np.ndarray:
    """Return the scores of a first stage plus the weighted logits; the logits alone if the first stage is constant.

    A weight of 0 leaves the first stage as it is.
    """
    if weight and np.ptp(first) <= SAME * np.abs(first).max():
        return logits
    combined: np.ndarray = first + weight * spread(first) * logits
    return combined


def spread(scores: np.ndarray) -> float:
    """Return how far the scores of a first stage lie apart: their standard deviation, with the outer tenths clipped.

    If most scores are equal, as with BM25, nothing is clipped. Few candidates can lie close together by chance, so for
    them it is at least a share of the scores themselves.
    """
    low, high = np.percentile(scores, [10, 90])
    clipped = np.clip(scores, low, high) if high - low > SAME * np.abs(scores).max() else scores
    distance = float(np.std(clipped))
    if len(scores) < FEW:
        distance = max(distance, SPREAD_PER_SCORE * float(np.median(np.abs(scores))))
    return distance


def checked_scores(scores: Sequence[float], count: int) -> np.ndarray:
    """Return the scores of a first stage as an array; refuse a wrong number of them, and what is not a number."""
    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"the scores are {type(scores).__name__} ({error}); expected one number per document"
        ) from error
    if found.ndim != 1:
        raise InputError(f"the scores have the shape {found.shape}; expected one number per document")
    if len(found) != count:
        raise InputError(f"{len(found)} scores for {count} documents; expected one score per document")
    if not np.isfinite(found).all():
        place = int(np.argmin(np.isfinite(found)))
        raise InputError(f"score {place} is {found[place]}; expected a finite number")
    return found
