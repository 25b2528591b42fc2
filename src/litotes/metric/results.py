"""The results of the metric: scores of pairs, the score of a corpus, and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError
from litotes.metric.signatures import corpus_signature
from litotes.stats import interval, mean, point
from litotes.types import DIGITS


@dataclass(frozen=True, slots=True)
class Score:
    """How much of the reference a candidate keeps, from 0 to 1. The texts are the original ones."""

    value: float
    candidate: str
    reference: str
    """the best-scoring one of several"""
    signature: str
    which: int = 0
    """its index among the references, from 0"""
    windows: int = 1
    """the number of parts in which the pair was read; 0 for an empty text, whose score is defined"""

    def __float__(self) -> float:
        return self.value

    def line(self, *, signed: bool = False) -> dict[str, Any]:
        """Return the JSON object of a score line."""
        line: dict[str, Any] = {"reference": self.reference, "candidate": self.candidate, "score": _plain(self.value)}
        if self.which:
            line["which"] = self.which
        if self.windows > 1:
            line["windows"] = self.windows
        return line | {"signature": self.signature} if signed else line


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """The mean of the scores of pairs, with its 95% bootstrap interval."""

    value: float
    low: float
    high: float
    n: int
    signature: str

    def __float__(self) -> float:
        return self.value

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a corpus line."""
        figures = {"score": _plain(self.value), "low": _plain(self.low), "high": _plain(self.high)}
        return {**figures, "n": self.n, "signature": self.signature}


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a candidate and its reference, and its cost."""

    kind: str
    """negation, affix, antonym, number or name"""
    reference: str
    """the words of the reference; empty if only the candidate has them"""
    candidate: str
    """the words of the candidate; empty if only the reference has them"""
    undone: str
    """the candidate with this difference undone by plain edits, which may be ungrammatical"""
    cost: float
    """how much higher `undone` scores; below 0 if it scores lower"""

    def __str__(self) -> str:
        if self.reference and self.candidate:
            change = f"“{self.reference}” became “{self.candidate}”"
        else:
            side = "reference" if self.reference else "candidate"
            change = f"“{self.reference or self.candidate}” is only in the {side}"
        return f"{change}: {_signed(-self.cost)}"

    def line(self) -> dict[str, Any]:
        """Return this part of the JSON object of `litotes score --explain`."""
        words = {"kind": self.kind, "reference": self.reference, "candidate": self.candidate}
        return {**words, "undone": self.undone, "cost": _plain(self.cost), "says": str(self)}


@dataclass(frozen=True, slots=True)
class HedgeDifference:
    """The hedges of the one text that has any. The other text states its claim without them."""

    reference: tuple[str, ...]
    candidate: tuple[str, ...]
    cost: float = 0.0
    """how many points it cost; 0 if hedging does not count"""

    def __str__(self) -> str:
        side, cues = ("reference", self.reference) if self.reference else ("candidate", self.candidate)
        shown = ", ".join(f"“{cue}”" for cue in cues)
        return f"only the {side} is hedged, by {shown}" + (f": {_signed(-self.cost)}" if self.cost else "")

    def line(self) -> dict[str, Any]:
        """Return the JSON object in an explanation's line."""
        return {"reference": list(self.reference), "candidate": list(self.candidate), "cost": _plain(self.cost)}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score, and the differences that may have lowered it, the most expensive first."""

    score: Score
    differences: tuple[Difference, ...]
    undone: float
    """the score with all differences undone; what it lacks to 1 has other reasons"""
    reason: str = ""
    """why a text, or a sentence of it, was not searched for negations: too long, or not English"""
    hedges: HedgeDifference | None = None
    """the hedges of one text, if the other has none; they are not among the differences"""

    def __str__(self) -> str:
        opening = f"{self.score.value:.2f}"
        if not self.differences:
            opening += f"; {self.reason or 'no negation, opposite, number or name differs'}"
        rest = [f"with all differences undone: {self.undone:.2f}"] if self.differences else []
        hedged = [str(self.hedges)] if self.hedges else []
        return "\n".join([opening, *map(str, self.differences), *rest, *hedged])

    def line(self, *, signed: bool = False) -> dict[str, Any]:
        """Return the JSON object of `litotes score --explain`."""
        line = self.score.line(signed=signed) | {"differences": [each.line() for each in self.differences]}
        line["undone"] = _plain(self.undone)
        line |= {"hedges": self.hedges.line()} if self.hedges else {}
        return line | {"reason": self.reason} if self.reason else line


def fold(scores: Sequence[Score], *, resamples: int = 1000, seed: int = 0) -> CorpusScore:
    """Return the corpus score of scored pairs."""
    if not scores:
        raise InputError("there is no pair to score; expected one or more")
    if resamples < 1:
        raise InputError(f"resamples is {resamples}; expected 1 or more")
    signature = corpus_signature([score.signature for score in scores], resamples=resamples, seed=seed)
    statistic = mean([score.value for score in scores])
    low, high = interval(statistic, len(scores), seed=seed, rounds=resamples)
    return CorpusScore(point(statistic, len(scores)), low, high, len(scores), signature)


def _plain(value: float) -> float:
    # Adding 0 turns −0 into 0.
    return round(value, DIGITS) + 0.0


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−").replace("+0.00", "0.00")
