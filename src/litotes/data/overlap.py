"""Find out which texts of a set occur, in full or in part, in a stream of texts. Only the set is kept in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from litotes.data.normalised_text import MIN_WORDS

Hashes = NDArray[np.uint64]
Positions = NDArray[np.intp]

GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)
"""The increment of SplitMix64: 2**64 divided by the golden ratio."""
EQUAL, INSIDE, AROUND = "equal", "inside", "around"
"""How an indexed text relates to a streamed text: the same words, a part of it, or a text that contains it."""


@dataclass(frozen=True, slots=True)
class OverlapMatch:
    """An indexed text and a streamed text, one of which contains the other word for word."""

    indexed: int
    streamed: int
    relation: str
    """EQUAL, INSIDE or AROUND."""


class OverlapIndex:
    """An index of normalised texts by their n-grams. Texts of fewer than five words never match.

    Words are replaced by numbers, and all words that no indexed text has by 0, so the memory depends on the set alone.
    """

    def __init__(self, texts: Sequence[str], *, ngram: int = MIN_WORDS) -> None:
        self._texts = [f" {text} " for text in texts]
        self._vocabulary = {word: number for number, word in enumerate(_distinct(texts), start=1)}
        numbered = self._numbered(texts)
        self._probes = _Grams(numbered, MIN_WORDS)
        self._ngrams = self._probes if ngram == MIN_WORDS else _Grams(numbered, ngram)
        self._seen = np.zeros(len(self._ngrams.keys), np.bool_)
        self._by_rarest = self._texts_by_rarest_gram()
        self._is_rarest = np.isin(np.arange(len(self._probes.keys)), list(self._by_rarest))

    def add(self, texts: Sequence[str]) -> list[OverlapMatch]:
        """Add the next texts of the stream, in normalised form, and return their matches."""
        numbered = self._numbered(texts)
        _, numbers = self._ngrams.find(numbered)
        self._seen[numbers] = True
        return self._matches(texts, numbered)

    def matches(self, texts: Sequence[str]) -> list[OverlapMatch]:
        """Return the matches of some texts without adding them."""
        return self._matches(texts, self._numbered(texts))

    def ngram_counts(self) -> list[tuple[int, int]]:
        """Return for each indexed text how many of its n-grams have occurred in the stream, and how many it has."""
        owners, total = self._ngrams.owners, len(self._texts)
        seen = np.bincount(owners, weights=self._seen[self._ngrams.numbers], minlength=total)
        ngrams = np.bincount(owners, minlength=total)
        return [(int(some), int(every)) for some, every in zip(seen, ngrams, strict=True)]

    def longest_shared_run(self, indexed: int) -> str:
        """Return the longest run of words of an indexed text whose n-grams have all occurred in the stream, or ""."""
        start, end = np.searchsorted(self._ngrams.owners, (indexed, indexed + 1)).tolist()
        seen = self._seen[self._ngrams.numbers[start:end]]
        # Runs lie between the positions of unseen n-grams; the ends of the text count as such positions.
        bounds = np.concatenate(([-1], np.flatnonzero(~seen), [len(seen)]))
        longest = int(np.argmax(np.diff(bounds)))
        first, count = int(bounds[longest]) + 1, int(bounds[longest + 1] - bounds[longest]) - 1
        return " ".join(self._texts[indexed].split()[first : first + count + self._ngrams.size - 1]) if count else ""

    def _numbered(self, texts: Sequence[str]) -> _Numbered:
        split = [text.split() for text in texts]
        number_of = self._vocabulary.get
        # A 0 after each text keeps n-grams from crossing into the next text.
        words = np.fromiter(chain.from_iterable([*[number_of(word, 0) for word in text], 0] for text in split), np.intp)
        lengths = np.fromiter(map(len, split), np.intp, len(split))
        return _Numbered(words, lengths, np.repeat(np.arange(len(split)), lengths + 1))

    def _texts_by_rarest_gram(self) -> dict[int, list[int]]:
        """Map each 5-gram to the texts whose rarest 5-gram it is: whatever contains such a text contains the 5-gram."""
        frequency = np.bincount(self._probes.numbers, minlength=len(self._probes.keys))
        rarest: dict[int, int] = {}
        for text, number in zip(self._probes.owners.tolist(), self._probes.numbers.tolist(), strict=True):
            if text not in rarest or frequency[number] < frequency[rarest[text]]:
                rarest[text] = number
        texts_by_gram: dict[int, list[int]] = {}
        for text, number in rarest.items():
            texts_by_gram.setdefault(number, []).append(text)
        return texts_by_gram

    def _matches(self, texts: Sequence[str], numbered: _Numbered) -> list[OverlapMatch]:
        positions, numbers = self._probes.find(numbered)
        owners = numbered.owners[positions]
        matches: set[OverlapMatch] = set()
        rarest = self._is_rarest[numbers]
        for streamed, number in zip(owners[rarest].tolist(), numbers[rarest].tolist(), strict=True):
            padded = f" {texts[streamed]} "
            for indexed in self._by_rarest[number]:
                if self._texts[indexed] in padded:
                    relation = EQUAL if len(self._texts[indexed]) == len(padded) else INSIDE
                    matches.add(OverlapMatch(indexed, streamed, relation))
        hits = np.bincount(owners, minlength=len(texts))
        # Only a text whose 5-grams are all indexed can be part of an indexed text.
        complete = np.flatnonzero((hits > 0) & (hits == numbered.lengths - MIN_WORDS + 1))
        for streamed in complete.tolist():
            padded = f" {texts[streamed]} "
            grams = numbers[np.searchsorted(owners, streamed) : np.searchsorted(owners, streamed, side="right")]
            for indexed in self._probes.texts_with(grams):
                if padded in self._texts[indexed] and len(padded) < len(self._texts[indexed]):
                    matches.add(OverlapMatch(indexed, streamed, AROUND))
        return sorted(matches, key=lambda match: (match.streamed, match.indexed))


@dataclass(frozen=True, slots=True)
class _Numbered:
    """Texts as one array of word numbers, with a 0 after each text."""

    words: Positions
    lengths: Positions
    owners: Positions
    """The text that each position belongs to."""


class _Grams:
    """All n-grams of one size in the indexed texts."""

    def __init__(self, numbered: _Numbered, size: int) -> None:
        self.size = size
        positions, hashes = _hashes(numbered.words, size)
        self.keys, self.numbers = np.unique(hashes, return_inverse=True)
        """The distinct n-grams, sorted by hash; and for each n-gram in the texts, its number among these."""
        self.owners = numbered.owners[positions]
        self._order = np.argsort(self.numbers, kind="stable")
        self._starts = np.searchsorted(self.numbers[self._order], np.arange(len(self.keys) + 1))

    def find(self, numbered: _Numbered) -> tuple[Positions, Positions]:
        """Return the positions in other texts where an indexed n-gram begins, and the number of that n-gram."""
        positions, hashes = _hashes(numbered.words, self.size)
        if not len(self.keys):
            return positions[:0], positions[:0]
        nearest = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        known = self.keys[nearest] == hashes
        return positions[known], nearest[known]

    def texts_with(self, grams: Positions) -> list[int]:
        """Return the texts that contain the rarest of some n-grams."""
        counts = self._starts[grams + 1] - self._starts[grams]
        rarest = grams[int(np.argmin(counts))]
        texts = self.owners[self._order[self._starts[rarest] : self._starts[rarest + 1]]]
        return sorted(set(texts.tolist()))


def _hashes(words: Positions, size: int) -> tuple[Positions, Hashes]:
    """Return the position and the hash of each n-gram of known words."""
    count = max(len(words) - size + 1, 0)
    unknown = np.concatenate(([0], np.cumsum(words == 0)))
    positions = np.flatnonzero(unknown[size : size + count] == unknown[:count])
    hashes = np.zeros(len(positions), np.uint64)
    for offset in range(size):
        # Mix in one word at a time, so that the order of the words counts.
        hashes = mix_bits(hashes + words[positions + offset].astype(np.uint64) * GOLDEN_RATIO)
    return positions, hashes


def mix_bits(numbers: Hashes) -> Hashes:
    """Mix the bits of each number with SplitMix64's finaliser; the result is the same on every machine."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _distinct(texts: Sequence[str]) -> Iterator[str]:
    return iter(dict.fromkeys(chain.from_iterable(text.split() for text in texts)))
