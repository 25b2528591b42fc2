"""What the metric answers: a score a pair, one for a corpus, and what cost the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError
from litotes.metric.signing import corpus_signature
from litotes.stats import interval, mean, point
from litotes.types import DIGITS


@dataclass(frozen=True, slots=True)
class Score:
    """How much of the reference a candidate keeps, from 0 to 1. The texts stand as they were given."""

    value: float
    reference: str
    """of several, the one that scored best"""
    candidate: str
    signature: str
    which: int = 0
    """its place among the references, from 0"""
    windows: int = 1
    """in how many parts the pair was read; 0 where the score is a matter of definition"""

    def __float__(self) -> float:
        return self.value

    def line(self, *, signed: bool = False) -> dict[str, Any]:
        """The JSON object of the score line in the docs; which reference and how many windows where it was not one."""
        found: dict[str, Any] = {"reference": self.reference, "candidate": self.candidate, "score": _plain(self.value)}
        if self.which:
            found["which"] = self.which
        if self.windows > 1:
            found["windows"] = self.windows
        return found | {"signature": self.signature} if signed else found


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """The mean of the pairs' scores, with its 95% interval by the bootstrap."""

    value: float
    low: float
    high: float
    n: int
    signature: str

    def __float__(self) -> float:
        return self.value

    def line(self) -> dict[str, Any]:
        """The JSON object of the corpus line in the docs."""
        figures = {"score": _plain(self.value), "low": _plain(self.low), "high": _plain(self.high)}
        return {**figures, "n": self.n, "signature": self.signature}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing a candidate says otherwise than its reference, and what it cost."""

    kind: str
    """negation, affix, antonym, number or name"""
    reference: str
    """the reference's words; empty where the candidate alone has it"""
    candidate: str
    """the candidate's words; empty where the reference alone has it"""
    undone: str
    """the candidate with this one difference undone: plain edits, whose grammar need not be perfect"""
    cost: float
    """how much higher the undone candidate scores; below 0 where it scores lower"""

    def __str__(self) -> str:
        if self.reference and self.candidate:
            what = f"“{self.reference}” has become “{self.candidate}”"
        else:
            side = "reference" if self.reference else "candidate"
            what = f"“{self.reference or self.candidate}” is in the {side} alone"
        return f"{what}: {_signed(-self.cost)}"

    def line(self) -> dict[str, Any]:
        """Its part of the JSON object of `litotes score --explain`."""
        words = {"kind": self.kind, "reference": self.reference, "candidate": self.candidate}
        return {**words, "undone": self.undone, "cost": _plain(self.cost), "says": str(self)}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score, and the differences that may have cost points, dearest first."""

    score: Score
    differences: tuple[Difference, ...]
    undone: float
    """the score with every difference undone at once: what is missing to 1 then has other reasons"""
    reason: str = ""
    """why a text, or a sentence of it, was not looked into for negations: over-long, or not English"""

    def __str__(self) -> str:
        opening = f"{self.score.value:.2f}"
        if not self.differences:
            return f"{opening}; {self.reason or 'no negation, opposite, number or name differs'}"
        rest = f"with all of it undone: {self.undone:.2f}"
        return "\n".join([opening, *map(str, self.differences), rest])

    def line(self, *, signed: bool = False) -> dict[str, Any]:
        """The JSON object of `litotes score --explain`."""
        found = self.score.line(signed=signed) | {"differences": [one.line() for one in self.differences]}
        found["undone"] = _plain(self.undone)
        return found | {"reason": self.reason} if self.reason else found


def fold(scores: Sequence[Score], *, resamples: int = 1000, seed: int = 0) -> CorpusScore:
    """The corpus score of pairs that are scored already."""
    if not scores:
        raise InputError("there is no pair to score; a corpus needs one or more")
    if resamples < 1:
        raise InputError(f"resamples is {resamples}; expected 1 or more")
    signature = corpus_signature([one.signature for one in scores], resamples=resamples, seed=seed)
    statistic = mean([one.value for one in scores])
    low, high = interval(statistic, len(scores), seed=seed, rounds=resamples)
    return CorpusScore(point(statistic, len(scores)), low, high, len(scores), signature)


def _plain(value: float) -> float:
    # adding 0 makes −0 a plain 0
    return round(value, DIGITS) + 0.0


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−").replace("+0.00", "0.00")
