"""Pairs too long for one reading, in parts that fit: nothing is cut off.

A pair is cut in two, each half again, until every part fits: at the ends of sentences, at the place near the middle
where the sentences before the cut say the same on both sides, and those after it too. A side that is one sentence is
cut at a word, unless it is so short beside the other that it can only belong to one half.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, product

from litotes.detection.sentences import sentences

WINDOWS = "sentence"
# a cut lies in the middle half of its text, where there is a sentence's end
EARLIEST, LATEST = 0.25, 0.75
# what counts against a place where sentences match: it lies at different shares of the two texts, or off centre
APART, OFF_CENTRE = 1.0, 0.5
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"(?<=[.!?;:,。！？；，、])\s*")
_SPACE = re.compile(r"\s+")

Count = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens one reading holds, special ones left out: of both texts together, or of each."""

    tokens: int
    together: bool

    def holds(self, reference: int, candidate: int) -> bool:
        return (reference + candidate if self.together else max(reference, candidate)) <= self.tokens

    @property
    def side(self) -> int:
        """What a text may have beside one of the same length."""
        return self.tokens // 2 if self.together else self.tokens


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a pair that fits."""

    reference: str
    candidate: str
    tokens: int
    """of both: its weight in the mean"""


def windows(reference: str, candidate: str, room: Room, count: Count) -> list[Window]:
    """The parts of a pair, in order; one where the whole fits."""
    ours, theirs = count([reference, candidate])
    whole = [Window(reference, candidate, ours + theirs)]
    if room.holds(ours, theirs):
        return whole
    left = _units(reference, ours, theirs, room)
    right = _units(candidate, theirs, ours, room)
    if max(len(left), len(right)) < 2:
        return whole
    at, other = _cut(left, right)
    halves = ((left[:at], right[:other]), (left[at:], right[other:]))
    return [found for one, two in halves for found in windows(" ".join(one), " ".join(two), room, count)]


def _units(text: str, tokens: int, beside: int, room: Room) -> list[str]:
    """A text's sentences; one that is long, or stands against no more than twice its length, in two parts."""
    found = [text[start:end] for start, end in sentences(text)] if text else []
    if len(found) != 1 or len(text) < 2:
        return found
    return _in_two(text) if tokens > room.side or 2 * tokens >= beside else found


def _in_two(text: str) -> list[str]:
    """Cut after a mark near the middle, else between words, else between characters."""
    for places in (_MARK, _SPACE):
        inside = [match for match in places.finditer(text) if match.start() > 0 and match.end() < len(text)]
        if places is _MARK:
            inside = [match for match in inside if EARLIEST <= match.start() / len(text) <= LATEST]
        if inside:
            cut = min(inside, key=lambda match: abs(match.start() - len(text) / 2))
            return [text[: cut.start()], text[cut.end() :]]
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def _cut(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    """How many units of either side go into the first half."""
    if len(left) < 2 or len(right) < 2:
        return _cut_one(left, right) if len(left) > 1 else _cut_one(right, left)[::-1]
    ours, theirs = [_words(unit) for unit in left], [_words(unit) for unit in right]

    def evidence(places: tuple[tuple[int, float], tuple[int, float]]) -> float:
        (at, share), (other, other_share) = places
        match = _overlap(ours[at - 1], theirs[other - 1]) + _overlap(ours[at], theirs[other])
        return match - APART * abs(share - other_share) - OFF_CENTRE * abs(share + other_share - 1)

    (at, _), (other, _) = max(product(_middle(left), _middle(right)), key=evidence)
    return at, other


def _cut_one(many: Sequence[str], one: Sequence[str]) -> tuple[int, int]:
    """The other side has one short sentence, or none: it stays whole, with the half it shares more words with."""
    at = min(_middle(many), key=lambda place: abs(place[1] - 0.5))[0]
    if not one:
        return at, 0
    first, second, words = (_words(" ".join(part)) for part in (many[:at], many[at:], one))
    return at, int(len(words & first) >= len(words & second))


def _middle(units: Sequence[str]) -> list[tuple[int, float]]:
    """Where a text may be cut, after how many units, and at which share of its length."""
    total = sum(map(len, units))
    places = [(at, length / total) for at, length in enumerate(accumulate(map(len, units[:-1])), start=1)]
    central = [place for place in places if EARLIEST <= place[1] <= LATEST]
    return central or [min(places, key=lambda place: abs(place[1] - 0.5))]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / max(1, len(left), len(right))
