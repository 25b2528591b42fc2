"""What unlike and clumsy sides cost a metric's score, fitted to what people say of translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litotes.errors import InputError, require
from litotes.models.scorer.likeness import Likeness
from litotes.models.scorer.scorer import padded, pair_tokens

if TYPE_CHECKING:
    from litotes.models.scorer import Scorer

RIDGE = 30.0
"""how strongly the weights are kept small: levels say much the same, and ratings are few and noisy"""
BATCH = 64


@dataclass(frozen=True, slots=True)
class Cost:
    """How much is made of it; the weights are fitted."""

    points: float
    """a pair as much less alike than another as the rated ones spread loses so many more"""
    free: float
    """how far above their mean, in such spreads, a pair loses nothing"""
    short: float
    """how much further below a short text loses nothing"""
    long: float
    long_spread: float
    lowest: float


def fit_likeness(scorer: Scorer, rated: Sequence[tuple[str, str, float]], cost: Cost) -> Likeness:
    """A ridge fit of a pair's numbers to the ranks of the ratings; pairs that are less alike lose by it.

    `rated` are references, candidates and what people gave them. A few weights are fitted, since a few hundred ratings
    are soon learnt by heart.
    """
    if len(rated) < 2:
        raise InputError(f"{len(rated)} rated pairs are too few to fit; expected two at least")
    numbers = seen(scorer, [(reference, candidate) for reference, candidate, _ in rated])
    mean, spread = numbers.mean(axis=0), np.maximum(numbers.std(axis=0), 1e-9)
    standard = (numbers - mean) / spread
    ranks = np.argsort(np.argsort([rating for *_, rating in rated], kind="stable")) / (len(rated) - 1) - 0.5
    weights = np.linalg.solve(standard.T @ standard + RIDGE * np.eye(numbers.shape[1]), standard.T @ ranks)
    found = float(np.std(standard @ weights))
    if found < 1e-9:
        raise InputError("the rated pairs are all as alike: there is nothing to fit")
    weights *= cost.points / found / spread
    bias, let_off = -float(mean @ weights) - cost.points * cost.free, cost.points * cost.short
    return Likeness(tuple(weights.tolist()), bias, let_off, cost.long, cost.long_spread, cost.lowest)


def seen(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """The numbers of each pair that the cost is fitted to."""
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
