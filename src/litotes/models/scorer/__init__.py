"""The metric's model: one pass over a reference and a candidate, one number from 0 to 1."""

from litotes.models.scorer.build import grow_scorer, load_scorer, save_scorer
from litotes.models.scorer.scorer import Scorer

__all__ = ["Scorer", "grow_scorer", "load_scorer", "save_scorer"]
