"""Split pairs that are too long for the model into windows that fit, without truncation.

A pair is split in two, and each half again, until every part fits. It is split between sentences near the middle, where
the sentences before the split match in both texts, and those after it too. A text of one sentence is split between
words, unless it is so short compared with the other text that it belongs to one half.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, product

from litotes.detection.sentences import sentence_spans

WINDOWS = "sentence"
# The range in which a text is split, as shares of its length, if a sentence ends there.
EARLIEST, LATEST = 0.25, 0.75
# Penalties of a place to split: different positions in the two texts, and distance from the middle.
APART, OFF_CENTRE = 1.0, 0.5
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"(?<=[.!?;:,。！？；，、])\s*")
_SPACE = re.compile(r"\s+")

Count = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class TokenLimit:
    """The maximum number of tokens without special tokens: of both texts together, or of each text."""

    tokens: int
    together: bool

    def fits(self, reference: int, candidate: int) -> bool:
        return (reference + candidate if self.together else max(reference, candidate)) <= self.tokens

    @property
    def side(self) -> int:
        """Return the limit of one text if both have the same length."""
        return self.tokens // 2 if self.together else self.tokens


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a pair that fits the limit."""

    reference: str
    candidate: str
    tokens: int
    """tokens of both texts: the weight of the window in the mean"""


def windows(reference: str, candidate: str, limit: TokenLimit, count: Count) -> list[Window]:
    """Return the windows of a pair, in order; a single one if the pair fits."""
    reference_tokens, candidate_tokens = count([reference, candidate])
    whole = [Window(reference, candidate, reference_tokens + candidate_tokens)]
    if limit.fits(reference_tokens, candidate_tokens):
        return whole
    left = _units(reference, reference_tokens, candidate_tokens, limit)
    right = _units(candidate, candidate_tokens, reference_tokens, limit)
    if max(len(left), len(right)) < 2:
        return whole
    at, other = _cut(left, right)
    halves = ((left[:at], right[:other]), (left[at:], right[other:]))
    return [window for one, two in halves for window in windows(" ".join(one), " ".join(two), limit, count)]


def _units(text: str, tokens: int, beside: int, limit: TokenLimit) -> list[str]:
    """Return the sentences of a text. A single sentence is split if it is long, also compared with the other text."""
    sentences = [text[start:end] for start, end in sentence_spans(text)] if text else []
    if len(sentences) != 1 or len(text) < 2:
        return sentences
    return _in_two(text) if tokens > limit.side or 2 * tokens >= beside else sentences


def _in_two(text: str) -> list[str]:
    """Split after a punctuation mark near the middle, or between words, or between characters."""
    for places in (_MARK, _SPACE):
        inside = [match for match in places.finditer(text) if match.start() > 0 and match.end() < len(text)]
        if places is _MARK:
            inside = [match for match in inside if EARLIEST <= match.start() / len(text) <= LATEST]
        if inside:
            cut = min(inside, key=lambda match: abs(match.start() - len(text) / 2))
            return [text[: cut.start()], text[cut.end() :]]
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def _cut(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    """Return how many units of each text go into the first half."""
    if len(left) < 2 or len(right) < 2:
        return _cut_one(left, right) if len(left) > 1 else _cut_one(right, left)[::-1]
    left_words, right_words = [_words(unit) for unit in left], [_words(unit) for unit in right]

    def evidence(places: tuple[tuple[int, float], tuple[int, float]]) -> float:
        (at, share), (other, other_share) = places
        match = _overlap(left_words[at - 1], right_words[other - 1]) + _overlap(left_words[at], right_words[other])
        return match - APART * abs(share - other_share) - OFF_CENTRE * abs(share + other_share - 1)

    (at, _), (other, _) = max(product(_middle(left), _middle(right)), key=evidence)
    return at, other


def _cut_one(many: Sequence[str], one: Sequence[str]) -> tuple[int, int]:
    """Split only one text: the other has one short sentence, which goes with the half it shares more words with."""
    at = min(_middle(many), key=lambda place: abs(place[1] - 0.5))[0]
    if not one:
        return at, 0
    first, second, words = (_words(" ".join(part)) for part in (many[:at], many[at:], one))
    return at, int(len(words & first) >= len(words & second))


def _middle(units: Sequence[str]) -> list[tuple[int, float]]:
    """Return where a text can be split: after how many units, and at which share of its length."""
    total = sum(map(len, units))
    places = [(at, length / total) for at, length in enumerate(accumulate(map(len, units[:-1])), start=1)]
    central = [place for place in places if EARLIEST <= place[1] <= LATEST]
    return central or [min(places, key=lambda place: abs(place[1] - 0.5))]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / max(1, len(left), len(right))
