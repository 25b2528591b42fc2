"""A text metric that is sensitive to negation: how much of a reference a candidate keeps."""

from pathlib import Path

from litotes.metric.metric import Metric
from litotes.metric.results import CorpusScore, Difference, Explanation, HedgeDifference, Score
from litotes.metric.scorers import PairScorer

__all__ = [
    "EVALUATE_MODULE",
    "CorpusScore",
    "Difference",
    "Explanation",
    "HedgeDifference",
    "Metric",
    "PairScorer",
    "Score",
]

EVALUATE_MODULE = str(Path(__file__).parent / "hub" / "litotes_score")
"""The folder of the module for Hugging Face's evaluate: for `evaluate.load`, or to push to the hub."""
