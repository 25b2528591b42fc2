"""The metric: it scores pairs of texts. A corpus score and an explanation are computed from the same scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from litotes.detection.answer_words import without_answer_words
from litotes.errors import InputError
from litotes.metric.explanation import explain
from litotes.metric.hedging import HEDGED, hedge_differences
from litotes.metric.inputs import NORM, MetricInput, References, check_inputs, normalise
from litotes.metric.results import CorpusScore, Explanation, Score, fold
from litotes.metric.scorers import PairScorer, check_name, open_scorer, token_limit
from litotes.metric.signatures import signature
from litotes.metric.windows import WINDOWS, Window, windows
from litotes.models.empty_texts import score_without_model

TextPair = tuple[str, str]
"""a reference and a candidate, in the order in which the model reads them"""


class Metric:
    """How much of a reference a candidate keeps, from 0 to 1.

    `name` is "litotes-score" or the smaller "litotes-score-mini", a folder that training wrote, "cosine:dense:minilm"
    or another encoder as a baseline, or an object with the methods of `PairScorer`. With `hedges`, the score of a pair
    is halved if only one of its texts is hedged, as in "may reduce" and "reduces".

    The model is loaded with the first score. A score does not depend on the other pairs of the call. Candidates come
    first and references second, as in sacrebleu and bert_score; swapping them changes the score.
    """

    def __init__(
        self,
        name: str | PairScorer = "litotes-score",
        *,
        hedges: bool = False,
        device: str | None = None,
        batch: int = 32,
    ) -> None:
        if batch < 1:
            raise InputError(f"batch is {batch}; expected 1 or more")
        self._name_or_scorer = check_name(name) if isinstance(name, str) else name
        self.hedges, self._device, self._batch = hedges, device, batch

    def __repr__(self) -> str:
        return f"Metric({self.name!r})"

    @property
    def name(self) -> str:
        return self._name_or_scorer if isinstance(self._name_or_scorer, str) else self._name_or_scorer.name

    @cached_property
    def scorer(self) -> PairScorer:
        """Return the scorer, loaded on first use."""
        if isinstance(self._name_or_scorer, str):
            return open_scorer(self._name_or_scorer, device=self._device, batch=self._batch)
        return self._name_or_scorer

    def score(
        self, candidates: Sequence[str], references: Sequence[References], *, hedges: bool | None = None
    ) -> list[Score]:
        """Return one score per candidate.

        `references` has one entry per candidate: a text, or a list of texts of which the best-scoring one counts.
        `hedges` says whether hedging counts, if not as the metric was made.
        """
        hedges = self.hedges if hedges is None else hedges
        rows = check_inputs(candidates, references)
        pairs = {(normalise(text), normalise(row.candidate)) for row in rows for text in row.references}
        values = self._values(sorted(pairs))
        if hedges:
            values |= {pair: (HEDGED * values[pair][0], values[pair][1]) for pair in hedge_differences(pairs)}
        counts = {len(row.references) for row in rows}
        signatures = {count: self.signature(references=count, hedges=hedges) for count in counts}
        return [_best(row, values, signatures[len(row.references)]) for row in rows]

    def corpus(
        self,
        candidates: Sequence[str] = (),
        references: Sequence[References] = (),
        *,
        scores: Sequence[Score] | None = None,
        resamples: int = 1000,
        seed: int = 0,
    ) -> CorpusScore:
        """Return the mean score with its 95% interval. Pass `scores` of this metric to skip the scoring."""
        if scores is None:
            return fold(self.score(candidates, references), resamples=resamples, seed=seed)
        if len(candidates) not in (0, len(scores)):
            raise InputError(f"{len(scores)} scores for {len(candidates)} candidates; expected one score per candidate")
        return fold(scores, resamples=resamples, seed=seed)

    def explain(self, candidate: str, reference: str) -> Explanation:
        """Explain which negations, opposites, numbers or names cost points.

        The cost of a difference is the score of the candidate with that difference undone, minus its score. Whether
        only one of the texts is hedged is said apart, also if it does not count.
        """
        return explain(self.score, candidate, reference, hedges=self.hedges)

    def signature(self, *, references: int = 1, hedges: bool | None = None) -> str:
        """Return what identifies every number: the metric, its weights, and how texts are treated."""
        scorer = self.scorer
        hedges = self.hedges if hedges is None else hedges
        settings: dict[str, Any] = {"norm": NORM, "windows": WINDOWS, "hedges": hedges}
        return signature(scorer.name, scorer.facts(), references=references, **settings)

    def _values(self, pairs: Sequence[TextPair]) -> dict[TextPair, tuple[float, int]]:
        """Return the score of each pair of normalised texts, and the number of its windows."""
        settled = {pair: (value, 0) for pair in pairs if (value := score_without_model(*pair)) is not None}
        parts = self._windows(pair for pair in pairs if pair not in settled)
        scores = self._score_windows({(part.reference, part.candidate) for own in parts.values() for part in own})
        return settled | {pair: (_mean(own, scores), len(own)) for pair, own in parts.items()}

    def _windows(self, pairs: Iterable[TextPair]) -> dict[TextPair, list[Window]]:
        to_split = list(pairs)
        texts = list(dict.fromkeys(text for pair in to_split for text in pair))
        scorer = self.scorer
        tokens = dict(zip(texts, scorer.counts(texts), strict=True))
        limit = token_limit(scorer)
        parts = {}
        for pair in to_split:
            reference, candidate = (tokens[text] for text in pair)
            fits = limit.fits(reference, candidate)
            parts[pair] = [Window(*pair, reference + candidate)] if fits else windows(*pair, limit, scorer.counts)
        return parts

    def _score_windows(self, pairs: Iterable[TextPair]) -> dict[TextPair, float]:
        """Score each distinct window once. A window whose other side is empty is scored by definition."""
        scores: dict[TextPair, float] = {}
        to_score = []
        for pair in sorted(pairs):
            value = score_without_model(*pair)
            if value is None:
                to_score.append(pair)
            else:
                scores[pair] = value
        if to_score:
            bare = [without_answer_words(*pair) for pair in to_score]
            references, candidates = ([pair[side] for pair in bare] for side in (0, 1))
            values = self.scorer.score(candidates, references, batch=self._batch)
            scores |= dict(zip(to_score, map(float, values), strict=True))
        return scores


def _best(row: MetricInput, values: Mapping[TextPair, tuple[float, int]], signature: str) -> Score:
    """Return the score of the best-scoring reference, the first of equals."""
    candidate = normalise(row.candidate)
    scores = [values[normalise(text), candidate] for text in row.references]
    which = max(range(len(scores)), key=lambda place: scores[place][0])
    value, parts = scores[which]
    return Score(value, row.candidate, row.references[which], signature, which, parts)


def _mean(parts: Sequence[Window], scores: Mapping[TextPair, float]) -> float:
    """Return the mean score of the windows, weighted by their tokens."""
    total = sum(part.tokens for part in parts)
    if not total:
        return scores[parts[0].reference, parts[0].candidate]
    return sum(part.tokens * scores[part.reference, part.candidate] for part in parts) / total
