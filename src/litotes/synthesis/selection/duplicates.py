"""Duplicates among anchors: equal texts, near-duplicates, and texts that occur in a given set such as a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.data.normalised_text import is_long, normalise
from litotes.data.overlap import Hashes, OverlapIndex, Positions
from litotes.data.samples import read_samples
from litotes.detection import split_sentences
from litotes.errors import InputError
from litotes.synthesis.selection import minhash
from litotes.synthesis.selection.polarity_marks import expanded, polarity_marks

DUPLICATE = "duplicate of an earlier text"
NEAR = "near-duplicate of an earlier text"
GIVEN = "occurs in the given set"
NEAR_GIVEN = "near-duplicate of a text in the given set"

THRESHOLD = 0.8
BATCH = 1024
CANDIDATES = 16
"""Candidates per band of a text. Texts from one template share bands by the thousand; the first ones are enough."""


class SeenTexts:
    """The texts so far, in about 125 bytes per text. The texts themselves are not kept.

    Two texts are equal if their words are, regardless of case, spacing and punctuation. They are near-duplicates if the
    Jaccard index of their character 5-grams reaches the threshold (estimated to within 0.04) and their negating,
    hedging and quantifying words agree. A threshold of None finds equal texts only. Only texts that were new when they
    were added are compared with. The sentences of the given texts are compared with too.
    """

    def __init__(self, *, threshold: float | None = THRESHOLD, given: Iterable[str] = ()) -> None:
        if threshold is not None and not 0 < threshold <= 1:
            raise InputError(f"the duplicate threshold is {threshold}; expected a share above 0 and up to 1")
        self.threshold = threshold
        self._digests = minhash.NumberSet()
        self._near = None if threshold is None else _NearIndex(threshold)
        texts = list(dict.fromkeys(given))
        self._given = OverlapIndex([normalise(text) for text in texts])
        self._given_rows = 0
        if self._near is not None:
            parts = dict.fromkeys(normalise(part) for text in texts for part in (text, *split_sentences(text)))
            long = [part for part in parts if is_long(part)]
            for at in range(0, len(long), BATCH):
                self._near.add(_sketch(long[at : at + BATCH], self._near.threshold))
            self._given_rows = self._near.count

    @classmethod
    def from_files(cls, names: Iterable[str], *, threshold: float | None = THRESHOLD) -> SeenTexts:
        """Return an index that refuses the texts of some files: every text of five words in any of their fields."""
        texts = (text for name in names for sample in read_samples(name) for _, text in sample.texts)
        return cls(threshold=threshold, given=(text for text in texts if is_long(normalise(text))))

    def add(self, texts: Sequence[str]) -> list[str]:
        """Add texts. Return for each text the reason why it is not new, or ""."""
        reasons: list[str] = []
        for at in range(0, len(texts), BATCH):
            reasons += self.add_fingerprints(fingerprint(texts[at : at + BATCH], threshold=self.threshold))
        return reasons

    def check_given(self, texts: Sequence[str]) -> list[str]:
        """Return for each text how it occurs in the given set, or "". Nothing is added."""
        words = [normalise(text) for text in texts]
        reasons = self._in_given(words)
        if self._near is not None and self._given_rows:
            nearest = self._near.nearest(_sketch(words, self._near.threshold))
            near = (nearest >= 0) & (nearest < self._given_rows)
            reasons = [reason or (NEAR_GIVEN if is_near else "") for reason, is_near in zip(reasons, near, strict=True)]
        return reasons

    def _in_given(self, words: Sequence[str]) -> list[str]:
        """Return GIVEN for each text that contains a given text, or is contained in one, word for word."""
        matched = {match.streamed for match in self._given.matches(words)}
        return [GIVEN if number in matched else "" for number in range(len(words))]

    def add_fingerprints(self, batch: Fingerprints) -> list[str]:
        """Do the same as `add` for a batch whose fingerprints were computed elsewhere."""
        reasons = self._in_given(batch.words)
        first = np.zeros(len(batch.words), np.bool_)
        first[np.unique(batch.digests, return_index=True)[1]] = True
        new = first & ~self._digests.has(batch.digests)
        self._digests.add(batch.digests[new])
        reasons = [reason or ("" if is_new else DUPLICATE) for reason, is_new in zip(reasons, new, strict=True)]
        remaining = [number for number, reason in enumerate(reasons) if not reason]
        if self._near is None or batch.sketches is None or not remaining:
            return reasons
        near = self._add_near(self._near, batch.sketches.only(remaining))
        for number, reason in zip(remaining, near, strict=True):
            reasons[number] = reason
        return reasons

    def _add_near(self, index: _NearIndex, sketches: _Sketches) -> list[str]:
        """Return NEAR_GIVEN, NEAR or "" for texts that are not equal to an earlier one, and add the new ones."""
        nearest = index.nearest(sketches)
        reasons = ["" if row < 0 else NEAR_GIVEN if row < self._given_rows else NEAR for row in nearest.tolist()]
        for later, earlier in index.within(sketches):
            # The pairs are sorted by the later text, so it is known whether the earlier one is new.
            if not reasons[later] and not reasons[earlier]:
                reasons[later] = NEAR
        index.add(sketches.only([number for number, reason in enumerate(reasons) if not reason]))
        return reasons


def _digest(words: str) -> int:
    return int.from_bytes(hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """What is compared of a batch of texts. This is the expensive part, and any process can compute it."""

    words: list[str]
    digests: Hashes
    sketches: _Sketches | None


def fingerprint(texts: Sequence[str], *, threshold: float | None = THRESHOLD) -> Fingerprints:
    """Return the fingerprints of at most BATCH texts, for a `SeenTexts` with this threshold."""
    words = [normalise(text) or text.strip() for text in texts]
    digests = np.fromiter(map(_digest, words), np.uint64, len(words))
    return Fingerprints(words, digests, None if threshold is None else _sketch(words, threshold))


@dataclass(frozen=True, slots=True)
class _Sketches:
    """The MinHash sketches and band keys of some texts, one row per text."""

    sketches: NDArray[np.uint8]
    keys: Hashes

    def only(self, rows: Sequence[int]) -> _Sketches:
        return _Sketches(self.sketches[rows], self.keys[rows])


def _sketch(words: Sequence[str], threshold: float) -> _Sketches:
    """Return the sketches of texts. The polarity marks are the salt, so that texts with other marks share nothing."""
    full = [expanded(text) for text in words]
    salts = np.fromiter((_digest(polarity_marks(text)) for text in full), np.uint64, len(full))
    minima = minhash.minima(full, salts)
    return _Sketches(minhash.sketches(minima), minhash.band_keys(minima, minhash.depth(threshold)))


class _NearIndex:
    """The sketches of new texts, and for each band of each text the row that it belongs to."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self._enough = minhash.agreement(threshold)
        # One set per band, so that only one of them is copied at a time while its arrays are merged.
        self._bands = [minhash.NumberSet() for _ in range(minhash.BANDS)]
        self._sketches = np.empty((0, minhash.SKETCH), np.uint8)
        self.count = 0

    def add(self, texts: _Sketches) -> None:
        """Add texts, in order."""
        end = self.count + len(texts.sketches)
        if end > len(self._sketches):
            # In place, and by an eighth at a time, so that nothing is copied and little stays empty.
            self._sketches.resize((max(end, len(self._sketches) * 9 // 8), minhash.SKETCH), refcheck=False)
        self._sketches[self.count : end] = texts.sketches
        for band, keys in zip(self._bands, texts.keys.T, strict=True):
            band.add(minhash.packed(keys, np.arange(self.count, end)))
        self.count = end

    def nearest(self, texts: _Sketches) -> Positions:
        """Return for each text the first row that is a near-duplicate, or -1."""
        best = np.full(len(texts.sketches), self.count, np.intp)
        for band, keys in zip(self._bands, texts.keys.T, strict=True):
            for places, packed in band.between(*minhash.key_range(keys), most=CANDIDATES):
                rows = minhash.rows_of(packed)
                near = self._agree(texts.sketches[places], self._sketches[rows])
                np.minimum.at(best, places[near], rows[near])
        return np.where(best < self.count, best, -1)

    def within(self, texts: _Sketches) -> list[tuple[int, int]]:
        """Return the pairs of near-duplicates among these texts, the later text first, sorted."""
        pairs: set[tuple[int, int]] = set()
        for keys in texts.keys.T:
            band = minhash.NumberSet()
            packed = minhash.packed(keys, np.arange(len(keys)))
            band.add(packed)
            for later, candidates in band.between(minhash.key_range(keys)[0], packed, most=CANDIDATES):
                earlier = minhash.rows_of(candidates)
                near = self._agree(texts.sketches[later], texts.sketches[earlier]) & (earlier < later)
                pairs.update(zip(later[near].tolist(), earlier[near].tolist(), strict=True))
        return sorted(pairs)

    def _agree(self, first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return minhash.agreeing(first, second) >= self._enough
