"""A pair model with the head `score` as the model of the metric."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, did_you_mean
from litotes.models.adapter import check_pairs
from litotes.models.base_encoder import Base
from litotes.models.bases import METRICS
from litotes.models.empty_texts import score_without_model
from litotes.models.pair.build import load_pair_scorer
from litotes.models.pair.card import CARD, find_pair_model
from litotes.models.pair.heads import SCORE
from litotes.models.pair.scorer import PairScorer

OLD_CARD = "score.json"
"""the card of a metric before it was a pair model"""


class PairMetric:
    """Scores from 0 to 1: how much of a reference a candidate keeps."""

    def __init__(self, scorer: PairScorer) -> None:
        if SCORE not in scorer.heads:
            raise InputError(f"{scorer.name} has no head {SCORE!r}, so it is not a metric; train it on scored pairs")
        self._scorer = scorer
        self.name, self.longest = scorer.name, scorer.longest

    @property
    def special_tokens(self) -> int:
        """The number of special tokens around the two texts."""
        return self._scorer.special_tokens

    def score(
        self, candidates: Sequence[str], references: Sequence[str], *, batch: int = 32, cut: bool = False
    ) -> np.ndarray:
        """Return one score per pair. `batch` has no effect: pairs are batched by tokens.

        A pair with more than `longest` tokens raises an InputError; with `cut`, its longer text is cut first.
        """
        texts, kept = check_pairs(references, candidates)
        scores = np.array([_settled(one, other) for one, other in zip(texts, kept, strict=True)], dtype=np.float64)
        open_pairs = np.flatnonzero(np.isnan(scores))
        first, second = [texts[at] for at in open_pairs], [kept[at] for at in open_pairs]
        if not cut:
            self._refuse_long(first, second)
        logits = self._scorer.logits(first, second, head=SCORE)
        # The logistic function, without overflow.
        scores[open_pairs] = 0.5 * (1 + np.tanh(logits / 2))
        return scores

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        if not texts:
            return []
        tokens = self._scorer.tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return [len(ids) for ids in tokens["input_ids"]]

    def facts(self) -> dict[str, Any]:
        """Return what a signature needs: hashes of the weights and the base, and versions of the libraries."""
        return {name: value for name, value in self._scorer.facts().items() if name != "longest"}

    def _refuse_long(self, references: Sequence[str], candidates: Sequence[str]) -> None:
        sizes = zip(self.counts(references), self.counts(candidates), strict=True)
        for reference, candidate, size in zip(references, candidates, sizes, strict=True):
            if sum(size) + self.special_tokens > self.longest:
                raise InputError(
                    f"a pair has {sum(size) + self.special_tokens} tokens, and {self.name} reads at most "
                    f"{self.longest}: {reference[:40]!r}… with {candidate[:40]!r}…. Score it in parts, as "
                    "litotes.Metric does"
                )


def load_metric(target: str | Path, *, base: str | Base = "", device: str | None = None) -> PairMetric:
    """Load a shipped metric by its name, or a folder that training wrote."""
    if (Path(target).expanduser() / OLD_CARD).is_file():
        raise InputError(
            f"{target} was written by an older version of litotes, which this version cannot read. Use "
            f"{' or '.join(METRICS)}, or train it again on its scored pairs: litotes train --recipe pair"
        )
    if find_pair_model(str(target)) is None:
        expected = f"expected {', '.join(METRICS)}, or a folder with a {CARD} from training"
        raise InputError(f"{target} is not a metric; {expected}.{did_you_mean(str(target), METRICS)}")
    return PairMetric(load_pair_scorer(target, base=base, device=device))


def _settled(reference: str, candidate: str) -> float:
    """Return the score of a pair that needs no model, or NaN."""
    value = score_without_model(reference, candidate)
    return np.nan if value is None else value
