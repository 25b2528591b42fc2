"""Sketches of texts: which share most of their letters, told from 64 bytes each.

A text is the set of its five-letter stretches, spaces included: words alone say too little about a short sentence, and
runs of words fall apart in it. In each of 128 orders of all stretches, a text has a first one (MinHash): two texts
agree in as many firsts as their sets overlap (Jaccard), and four bits of each first are kept. Texts that agree in one
whole band of firsts are candidates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from litotes.data.overlap import STEP, Numbers, mixed

STRETCH = 5
SKETCH = 64
"""bytes"""
FIRSTS = 2 * SKETCH
BANDS = 6
LONGEST = 20_000
"""letters of a text that are looked at, as many as are ever parsed"""
_GROUP = 256
_CELLS = 1 << 14
"""of the arrays worked on: as large as stays in the processor's cache, for texts of any length"""
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ORDERS = (mixed(np.arange(1, FIRSTS + 1, dtype=np.uint64) * STEP) >> _HALF).astype(np.uint32) | 1


def firsts(texts: Sequence[str], salts: Numbers) -> NDArray[np.uint32]:
    """The first stretch of each text in each order: one row a text.

    Texts under different salts have no stretch in common, however alike their letters are.
    """
    letters = [f" {text[:LONGEST]} ".encode("utf-8", "replace").ljust(STRETCH) for text in texts]
    lengths = np.fromiter(map(len, letters), np.intp, len(letters))
    buffer = np.frombuffer(b"".join(letters), np.uint8).astype(np.uint64)
    starts = np.cumsum(lengths) - lengths
    found = np.empty((FIRSTS, len(letters)), np.uint32)
    waiting = np.argsort(lengths, kind="stable")
    while len(waiting):
        longest = int(lengths[waiting[-1]])
        group = waiting[-min(_GROUP, max(1, _CELLS // longest)) :]
        waiting = waiting[: -len(group)]
        # one column a text; a shorter text repeats its last stretch, which changes no first
        offsets = np.arange(longest - STRETCH + 1)[:, None]
        places = starts[group] + np.minimum(offsets, lengths[group] - STRETCH)
        stretches = np.broadcast_to(salts[group], places.shape).copy()
        for letter in range(STRETCH):
            stretches ^= buffer[places + letter] << np.uint64(8 * letter)
        halves = (mixed(stretches) >> _HALF).astype(np.uint32)
        # as many orders at once as fill the cells: few texts, many orders
        width = max(1, _CELLS // halves.size)
        for first in range(0, FIRSTS, width):
            orders = slice(first, first + width)
            found[orders, group] = (halves * _ORDERS[orders, None, None]).min(axis=1)
    return np.ascontiguousarray(found.T)


def sketches(found: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Four bits of each first, two to a byte; two different firsts share theirs one time in sixteen."""
    bits = (found >> np.uint32(8)).astype(np.uint8)
    return (bits[:, ::2] << np.uint8(4)) | (bits[:, 1::2] & np.uint8(15))


def agreeing(ours: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> NDArray[np.intp]:
    """In how many firsts the sketches of each pair agree."""
    differing = ours ^ theirs
    alike: NDArray[np.intp] = ((differing & np.uint8(0xF0)) == 0).sum(axis=1)
    alike += ((differing & np.uint8(0x0F)) == 0).sum(axis=1)
    return alike


def agreement(threshold: float) -> int:
    """In how many firsts two sketches agree when their sets overlap by the threshold."""
    by_chance = (1 - threshold) / 16
    return math.ceil(FIRSTS * (threshold + by_chance) - 1e-9)


def band_keys(found: NDArray[np.uint32], depth: int) -> Numbers:
    """A 32-bit key for each band of `depth` firsts: one row a text."""
    keys = np.tile(np.arange(BANDS, dtype=np.uint64), (len(found), 1))
    for place in range(depth):
        keys = mixed(keys ^ found[:, place : BANDS * depth : depth])
    return keys >> _HALF


def depth(threshold: float) -> int:
    """How many firsts a band has, so that nineteen of twenty pairs at the threshold share a band."""
    enough = 1 - 0.05 ** (1 / BANDS)
    deepest = FIRSTS // BANDS
    return next((rows for rows in range(deepest, 1, -1) if threshold**rows >= enough), 1)


class Runs:
    """A growing set of 64-bit numbers in sorted arrays: a tenth of the memory of a Python set.

    Small arrays are merged into larger ones, so there are never more than a few of them to look into.
    """

    def __init__(self) -> None:
        self._runs: list[Numbers] = []

    def add(self, numbers: Numbers) -> None:
        """Put numbers in."""
        if not len(numbers):
            return
        self._runs.append(np.sort(numbers))
        while len(self._runs) > 1 and len(self._runs[-2]) <= 2 * len(self._runs[-1]):
            last = self._runs.pop()
            merged = np.concatenate((self._runs.pop(), last))
            # a stable sort of two sorted halves is a merge
            merged.sort(kind="stable")
            self._runs.append(merged)

    def has(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of the numbers are in."""
        found = np.zeros(len(numbers), np.bool_)
        for run in self._runs:
            places = np.minimum(np.searchsorted(run, numbers), len(run) - 1)
            found |= run[places] == numbers
        return found

    def between(self, low: Numbers, high: Numbers, *, most: int) -> Iterator[tuple[NDArray[np.intp], Numbers]]:
        """For each range, its number and what is in it: the first `most` of each array."""
        for run in self._runs:
            starts = np.searchsorted(run, low)
            counts = np.minimum(np.searchsorted(run, high, side="right") - starts, most)
            numbers = np.repeat(np.arange(len(low)), counts)
            offsets = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
            yield numbers, run[starts[numbers] + offsets]


def packed(keys: Numbers, rows: NDArray[np.intp]) -> Numbers:
    """Key and row in one number, so that sorting by it groups the rows of a key."""
    return (keys << _HALF) | rows.astype(np.uint64)


def key_range(keys: Numbers) -> tuple[Numbers, Numbers]:
    """The smallest and the largest number a key is packed into."""
    return keys << _HALF, (keys << _HALF) | _LOW


def rows_of(numbers: Numbers) -> NDArray[np.intp]:
    """The rows in packed numbers."""
    return (numbers & _LOW).astype(np.intp)
