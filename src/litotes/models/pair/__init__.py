"""Pair models: a small adapter on a public encoder that reads two texts together."""

from __future__ import annotations

from litotes.models.pair.build import load_pair_scorer, new_pair_scorer, save_pair_scorer
from litotes.models.pair.scorer import PairScorer

__all__ = ["PairScorer", "load_pair_scorer", "new_pair_scorer", "save_pair_scorer"]
