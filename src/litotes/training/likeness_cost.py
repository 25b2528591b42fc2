"""The points that a metric's score loses for dissimilar sides, fitted to people's ratings of translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litotes.errors import InputError, require
from litotes.models.pair_tokens import padded, pair_tokens
from litotes.models.scorer.likeness import Likeness

if TYPE_CHECKING:
    from litotes.models.scorer import MetricScorer

RIDGE = 30.0
"""The strength of the ridge: the levels are correlated, and ratings are few and noisy."""
BATCH = 64


@dataclass(frozen=True, slots=True)
class CostShape:
    """How large the cost is; the weights themselves are fitted."""

    points: float
    """Points lost per standard deviation of the rated pairs."""
    free: float
    """Standard deviations above the mean from which on a pair loses nothing."""
    short: float
    """Standard deviations by which that threshold is lower for a short text."""
    long: float
    long_spread: float
    lowest: float


def fit_likeness_cost(scorer: MetricScorer, rated: Sequence[tuple[str, str, float]], shape: CostShape) -> Likeness:
    """Fit a pair's similarity numbers to the ranks of ratings by ridge regression; less similar pairs lose points.

    `rated` are references, candidates and their ratings.
    """
    if len(rated) < 2:
        raise InputError(f"{len(rated)} rated pairs are too few to fit; expected at least two")
    numbers = similarity_numbers(scorer, [(reference, candidate) for reference, candidate, _ in rated])
    mean, spread = numbers.mean(axis=0), np.maximum(numbers.std(axis=0), 1e-9)
    standard = (numbers - mean) / spread
    ranks = np.argsort(np.argsort([rating for *_, rating in rated], kind="stable")) / (len(rated) - 1) - 0.5
    weights = np.linalg.solve(standard.T @ standard + RIDGE * np.eye(numbers.shape[1]), standard.T @ ranks)
    deviation = float(np.std(standard @ weights))
    if deviation < 1e-9:
        raise InputError("the rated pairs are all equally similar; expected pairs that differ")
    weights *= shape.points / deviation / spread
    bias, let_off = -float(mean @ weights) - shape.points * shape.free, shape.points * shape.short
    return Likeness(tuple(weights.tolist()), bias, let_off, shape.long, shape.long_spread, shape.lowest)


def similarity_numbers(scorer: MetricScorer, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the numbers of each pair to which the cost is fitted."""
    torch = require("torch", extra="train", why="training")
    model, padding = scorer.model, int(scorer.tokenizer.pad_token_id or 0)
    tokens = pair_tokens(scorer.tokenizer, pairs, longest=scorer.longest)
    order = sorted(range(len(pairs)), key=lambda at: (len(tokens[at].ids), at))
    found: dict[int, np.ndarray] = {}
    with torch.inference_mode():
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            ids, mask, sides = padded([tokens[at] for at in rows], padding, model.device)
            numbers = model.seen(model.read(ids, mask, sides)[1], ids, mask, sides)
            found |= dict(zip(rows, numbers.double().cpu().numpy(), strict=True))
    return np.stack([found[at] for at in range(len(pairs))])
