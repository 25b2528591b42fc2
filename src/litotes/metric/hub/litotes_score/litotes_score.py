"""litotes-score as a module of Hugging Face's evaluate: `evaluate.load("path/to/litotes_score")`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import datasets
import evaluate

from litotes.metric import Metric

DESCRIPTION = """
How much of a reference a candidate keeps, from 0 to 1, by a model that hears negation: “The drug is not safe.” keeps
little of “The drug is safe.”.
"""
INPUTS = """
predictions: a list of texts.
references: a list of texts, or of lists of texts: the best of several counts.
metric: litotes-score if not said, a folder that `litotes train` wrote, or a baseline such as cosine:dense:minilm.
resamples, seed: for the 95% interval.
Returns score (the mean), scores (one a pair), low, high, and the signature that belongs to the numbers.
"""


@lru_cache(maxsize=2)
def _judge(metric: str, device: str | None, batch: int) -> Metric:
    """Loaded once, however often scores are computed."""
    return Metric(metric, device=device, batch=batch)


class LitotesScore(evaluate.Metric):  # type: ignore[misc]
    """Needs `pip install 'litotes[models]' evaluate`, and runs no other code."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        # the first that fits is taken: several references a prediction, else one
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
        resamples: int = 1000,
        seed: int = 0,
        device: str | None = None,
        batch: int = 32,
    ) -> dict[str, Any]:
        judge = _judge(metric, device, batch)
        scores = judge.score(references, predictions)
        whole = judge.corpus(scores=scores, resamples=resamples, seed=seed)
        figures = {"score": whole.value, "low": whole.low, "high": whole.high}
        return {**figures, "scores": [one.value for one in scores], "signature": whole.signature}
