"""How much of a reference a candidate keeps, heard by a metric that hears "not"."""

from pathlib import Path

from litotes.metric.metric import Metric
from litotes.metric.results import CorpusScore, Difference, Explanation, Score
from litotes.metric.scorers import PairScorer

__all__ = ["EVALUATE_MODULE", "CorpusScore", "Difference", "Explanation", "Metric", "PairScorer", "Score"]

EVALUATE_MODULE = str(Path(__file__).parent / "hub" / "litotes_score")
"""for `evaluate.load`, and for pushing to a hub"""
