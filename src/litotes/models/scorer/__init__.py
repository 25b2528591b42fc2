"""The model of the metric: it reads a reference and a candidate in one pass and gives a number from 0 to 1."""

from litotes.models.scorer.build import load_scorer, new_scorer, save_scorer
from litotes.models.scorer.scorer import MetricScorer

__all__ = ["MetricScorer", "load_scorer", "new_scorer", "save_scorer"]
