"""Which of a set of texts stand, whole or in part, in texts that stream by: the set is indexed, the stream not kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from litotes.data.words import FEWEST

Numbers = NDArray[np.uint64]
Places = NDArray[np.intp]

STEP = np.uint64(0x9E3779B97F4A7C15)
EQUAL, INSIDE, AROUND = "equal", "inside", "around"


@dataclass(frozen=True, slots=True)
class Match:
    """A text of the set and a text of the stream of which one holds the other, word for word."""

    indexed: int
    streamed: int
    how: str
    """of the indexed text: equal, inside the streamed one, or around it"""


class Index:
    """Texts in normal form, by their runs of words; those of fewer than five words match nothing.

    Words are numbered, and a word of the stream that no indexed text has is 0: so memory depends on the set alone.
    """

    def __init__(self, texts: Sequence[str], *, ngram: int = FEWEST) -> None:
        self._texts = [f" {text} " for text in texts]
        self._vocabulary = {word: number for number, word in enumerate(_distinct(texts), start=1)}
        numbered = self._numbered(texts)
        self._probes = _Grams(numbered, FEWEST)
        self._ngrams = self._probes if ngram == FEWEST else _Grams(numbered, ngram)
        self._seen = np.zeros(len(self._ngrams.keys), np.bool_)
        self._by_rarest = self._rarest()
        self._is_rarest = np.isin(np.arange(len(self._probes.keys)), list(self._by_rarest))

    def add(self, texts: Sequence[str]) -> list[Match]:
        """Take note of the stream's next texts, in normal form; the matches among them."""
        numbered = self._numbered(texts)
        _, found = self._ngrams.found(numbered)
        self._seen[found] = True
        return self._matches(texts, numbered)

    def matches(self, texts: Sequence[str]) -> list[Match]:
        """The matches among some texts, without taking note of them."""
        return self._matches(texts, self._numbered(texts))

    def shares(self) -> list[tuple[int, int]]:
        """Of each indexed text: how many of its n-grams the stream had so far, and how many it has."""
        owners, total = self._ngrams.owners, len(self._texts)
        found = np.bincount(owners, weights=self._seen[self._ngrams.numbers], minlength=total)
        every = np.bincount(owners, minlength=total)
        return [(int(some), int(most)) for some, most in zip(found, every, strict=True)]

    def common(self, indexed: int) -> str:
        """The longest run of words of an indexed text whose n-grams the stream had, or ""."""
        start, end = np.searchsorted(self._ngrams.owners, (indexed, indexed + 1)).tolist()
        seen = self._seen[self._ngrams.numbers[start:end]]
        # the places where no n-gram was seen, with one before the first and one behind the last, bound the runs
        bounds = np.concatenate(([-1], np.flatnonzero(~seen), [len(seen)]))
        longest = int(np.argmax(np.diff(bounds)))
        first, count = int(bounds[longest]) + 1, int(bounds[longest + 1] - bounds[longest]) - 1
        return " ".join(self._texts[indexed].split()[first : first + count + self._ngrams.size - 1]) if count else ""

    def _numbered(self, texts: Sequence[str]) -> _Numbered:
        split = [text.split() for text in texts]
        get = self._vocabulary.get
        # a 0 behind each text, so that no run of words goes from one into the next
        words = np.fromiter(chain.from_iterable([*[get(w, 0) for w in text], 0] for text in split), np.intp)
        lengths = np.fromiter(map(len, split), np.intp, len(split))
        return _Numbered(words, lengths, np.repeat(np.arange(len(split)), lengths + 1))

    def _rarest(self) -> dict[int, list[int]]:
        """Five words → the texts whose rarest five these are: who contains a text contains those."""
        frequency = np.bincount(self._probes.numbers, minlength=len(self._probes.keys))
        best: dict[int, int] = {}
        for text, number in zip(self._probes.owners.tolist(), self._probes.numbers.tolist(), strict=True):
            if text not in best or frequency[number] < frequency[best[text]]:
                best[text] = number
        found: dict[int, list[int]] = {}
        for text, number in best.items():
            found.setdefault(number, []).append(text)
        return found

    def _matches(self, texts: Sequence[str], numbered: _Numbered) -> list[Match]:
        places, numbers = self._probes.found(numbered)
        owners = numbered.owners[places]
        made: set[Match] = set()
        rarest = self._is_rarest[numbers]
        for streamed, number in zip(owners[rarest].tolist(), numbers[rarest].tolist(), strict=True):
            whole = f" {texts[streamed]} "
            for indexed in self._by_rarest[number]:
                if self._texts[indexed] in whole:
                    how = EQUAL if len(self._texts[indexed]) == len(whole) else INSIDE
                    made.add(Match(indexed, streamed, how))
        hits = np.bincount(owners, minlength=len(texts))
        complete = np.flatnonzero((hits > 0) & (hits == numbered.lengths - FEWEST + 1))
        for streamed in complete.tolist():
            whole = f" {texts[streamed]} "
            runs = numbers[np.searchsorted(owners, streamed) : np.searchsorted(owners, streamed, side="right")]
            for indexed in self._probes.holders(runs):
                if whole in self._texts[indexed] and len(whole) < len(self._texts[indexed]):
                    made.add(Match(indexed, streamed, AROUND))
        return sorted(made, key=lambda match: (match.streamed, match.indexed))


@dataclass(frozen=True, slots=True)
class _Numbered:
    """Texts as one array of word numbers, with a 0 behind each."""

    words: Places
    lengths: Places
    owners: Places
    """of each place, the text it belongs to"""


class _Grams:
    """Every run of so many words in the indexed texts."""

    def __init__(self, numbered: _Numbered, size: int) -> None:
        self.size = size
        places, hashes = _hashes(numbered.words, size)
        self.keys, self.numbers = np.unique(hashes, return_inverse=True)
        """the different runs, sorted by hash; and of each run in the texts, which of these it is"""
        self.owners = numbered.owners[places]
        self._order = np.argsort(self.numbers, kind="stable")
        self._starts = np.searchsorted(self.numbers[self._order], np.arange(len(self.keys) + 1))

    def found(self, numbered: _Numbered) -> tuple[Places, Places]:
        """Where in other texts a run of ours begins, and which."""
        places, hashes = _hashes(numbered.words, self.size)
        if not len(self.keys):
            return places[:0], places[:0]
        at = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        known = self.keys[at] == hashes
        return places[known], at[known]

    def holders(self, runs: Places) -> list[int]:
        """The texts that hold the rarest of some runs."""
        counts = self._starts[runs + 1] - self._starts[runs]
        rarest = runs[int(np.argmin(counts))]
        texts = self.owners[self._order[self._starts[rarest] : self._starts[rarest + 1]]]
        return sorted(set(texts.tolist()))


def _hashes(words: Places, size: int) -> tuple[Places, Numbers]:
    """Where each run of known words begins, and its hash."""
    count = max(len(words) - size + 1, 0)
    unknown = np.concatenate(([0], np.cumsum(words == 0)))
    places = np.flatnonzero(unknown[size : size + count] == unknown[:count])
    hashes = np.zeros(len(places), np.uint64)
    for offset in range(size):
        # one word at a time, so that order counts
        hashes = mixed(hashes + words[places + offset].astype(np.uint64) * STEP)
    return places, hashes


def mixed(numbers: Numbers) -> Numbers:
    """Every bit depends on every bit (SplitMix64's finaliser); the same on every machine and in every process."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _distinct(texts: Sequence[str]) -> Iterator[str]:
    return iter(dict.fromkeys(chain.from_iterable(text.split() for text in texts)))
