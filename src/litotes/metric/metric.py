"""The metric: pairs in, scores with their signatures out; one path for a pair, a corpus and an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from litotes.errors import InputError
from litotes.metric.explaining import explain
from litotes.metric.results import CorpusScore, Explanation, Score, fold
from litotes.metric.scorers import PairScorer, check_name, open_scorer, room_of
from litotes.metric.signing import signature
from litotes.metric.texts import NORM, References, Row, normalise, rows_of
from litotes.metric.windows import WINDOWS, Window, windows
from litotes.models.silence import by_definition

Pair = tuple[str, str]


class Metric:
    """`Metric("litotes-score")`, `Metric(FOLDER)`, `Metric("cosine:dense:minilm")`, or a scorer of your own.

    The model is loaded with the first score. A score does not depend on what is scored beside it. The reference comes
    first: the two orders of a pair are two questions, and may have two answers.
    """

    def __init__(self, name: str | PairScorer = "litotes-score", *, device: str | None = None, batch: int = 32) -> None:
        if batch < 1:
            raise InputError(f"batch is {batch}; expected 1 or more")
        self._given = check_name(name) if isinstance(name, str) else name
        self._device, self._batch = device, batch

    def __repr__(self) -> str:
        return f"Metric({self.name!r})"

    @property
    def name(self) -> str:
        return self._given if isinstance(self._given, str) else self._given.name

    @cached_property
    def scorer(self) -> PairScorer:
        """What judges the pairs."""
        if isinstance(self._given, str):
            return open_scorer(self._given, device=self._device, batch=self._batch)
        return self._given

    def score(self, references: Sequence[References], candidates: Sequence[str]) -> list[Score]:
        """One score a candidate. Beside it stands its reference, or a list of references: the best one counts."""
        rows = rows_of(references, candidates)
        asked = {(normalise(text), normalise(row.candidate)) for row in rows for text in row.references}
        found = self._values(sorted(asked))
        counts = {len(row.references) for row in rows}
        signatures = {count: self.signature(references=count) for count in counts}
        return [_best(row, found, signatures[len(row.references)]) for row in rows]

    def corpus(
        self,
        references: Sequence[References] = (),
        candidates: Sequence[str] = (),
        *,
        scores: Sequence[Score] | None = None,
        resamples: int = 1000,
        seed: int = 0,
    ) -> CorpusScore:
        """The mean score with its 95% interval; `scores` of this metric spare it the scoring."""
        if scores is None:
            return fold(self.score(references, candidates), resamples=resamples, seed=seed)
        if len(candidates) not in (0, len(scores)):
            raise InputError(
                f"{len(scores)} scores for {len(candidates)} candidates; expected one each, or scores alone"
            )
        return fold(scores, resamples=resamples, seed=seed)

    def explain(self, reference: str, candidate: str) -> Explanation:
        """Which negation, opposite, number or name cost points, and how many: the score without it, less the score."""
        return explain(self.score, reference, candidate)

    def signature(self, *, references: int = 1) -> str:
        """What stands on every number: the metric, its weights, how texts are treated."""
        scorer = self.scorer
        return signature(scorer.name, scorer.facts(), norm=NORM, references=references, windows=WINDOWS)

    def _values(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[float, int]]:
        """The score of each pair of evened-out texts, and how many windows it took."""
        settled = {pair: (value, 0) for pair in pairs if (value := by_definition(*pair)) is not None}
        parts = self._parts(pair for pair in pairs if pair not in settled)
        judged = self._judge({(one.reference, one.candidate) for own in parts.values() for one in own})
        return settled | {pair: (_mean(own, judged), len(own)) for pair, own in parts.items()}

    def _parts(self, pairs: Iterable[Pair]) -> dict[Pair, list[Window]]:
        wanted = list(pairs)
        texts = list(dict.fromkeys(text for pair in wanted for text in pair))
        scorer = self.scorer
        tokens = dict(zip(texts, scorer.counts(texts), strict=True))
        room = room_of(scorer)
        found = {}
        for pair in wanted:
            ours, theirs = (tokens[text] for text in pair)
            fits = room.holds(ours, theirs)
            found[pair] = [Window(*pair, ours + theirs)] if fits else windows(*pair, room, scorer.counts)
        return found

    def _judge(self, pairs: Iterable[Pair]) -> dict[Pair, float]:
        """The parts, each once: a part that lost its other side is settled as an empty text is."""
        found: dict[Pair, float] = {}
        asked = []
        for pair in sorted(pairs):
            value = by_definition(*pair)
            if value is None:
                asked.append(pair)
            else:
                found[pair] = value
        if asked:
            left, right = ([pair[side] for pair in asked] for side in (0, 1))
            values = self.scorer.score(left, right, batch=self._batch)
            found |= dict(zip(asked, map(float, values), strict=True))
        return found


def _best(row: Row, found: Mapping[Pair, tuple[float, int]], signed: str) -> Score:
    """The score of the reference that scores best; of equals the first."""
    candidate = normalise(row.candidate)
    values = [found[normalise(text), candidate] for text in row.references]
    which = max(range(len(values)), key=lambda place: values[place][0])
    value, parts = values[which]
    return Score(value, row.references[which], row.candidate, signed, which, parts)


def _mean(own: Sequence[Window], judged: Mapping[Pair, float]) -> float:
    """The windows' scores, each weighing as much as it is long."""
    total = sum(one.tokens for one in own)
    if not total:
        return judged[own[0].reference, own[0].candidate]
    return sum(one.tokens * judged[one.reference, one.candidate] for one in own) / total
