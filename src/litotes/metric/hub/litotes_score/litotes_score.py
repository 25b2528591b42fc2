"""litotes-score as a module for Hugging Face's evaluate: `evaluate.load("path/to/litotes_score")`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import datasets
import evaluate

from litotes.metric import Metric

DESCRIPTION = """
How much of a reference a candidate keeps, from 0 to 1, by a model that is sensitive to negation: “The drug is not
safe.” keeps little of “The drug is safe.”.
"""
INPUTS = """
predictions: a list of texts.
references: a list of texts, or of lists of texts, of which the best-scoring one counts.
metric: litotes-score (the default), litotes-score-mini, a folder that `litotes train` wrote, or a baseline such as
    cosine:dense:minilm.
hedges: whether the score of a pair is halved if only one of its texts is hedged; the default is False.
resamples, seed: settings of the 95% interval.
Returns score (the mean), scores (one per pair), low, high, and the signature of the numbers.
"""


@lru_cache(maxsize=2)
def _metric(metric: str, hedges: bool, device: str | None, batch: int) -> Metric:
    """Return the metric, loaded once for all calls."""
    return Metric(metric, hedges=hedges, device=device, batch=batch)


class LitotesScore(evaluate.Metric):  # type: ignore[misc]
    """The metric for evaluate. It needs `pip install 'litotes[models]' evaluate`, and runs no other code."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        # evaluate takes the first that fits: several references per prediction, or one.
        features = [
            datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
            datasets.Features({"predictions": text, "references": text}),
        ]
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="",
            inputs_description=INPUTS,
            features=features,
        )

    def _compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        metric: str = "litotes-score",
        hedges: bool = False,
        resamples: int = 1000,
        seed: int = 0,
        device: str | None = None,
        batch: int = 32,
    ) -> dict[str, Any]:
        loaded = _metric(metric, hedges, device, batch)
        scores = loaded.score(predictions, references)
        corpus = loaded.corpus(scores=scores, resamples=resamples, seed=seed)
        figures = {"score": corpus.value, "low": corpus.low, "high": corpus.high}
        return {**figures, "scores": [score.value for score in scores], "signature": corpus.signature}
