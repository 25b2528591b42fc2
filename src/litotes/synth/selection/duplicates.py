"""Each anchor once: which texts were there before, word for word or nearly, and which stand in a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.data.overlap import Index, Numbers, Places
from litotes.data.samples import samples
from litotes.data.words import is_long, normal, sentences
from litotes.errors import InputError
from litotes.synth.selection import minhash
from litotes.synth.selection.polarity import expanded, polarity

DUPLICATE = "duplicate of an earlier text"
NEAR = "near-duplicate of an earlier text"
GIVEN = "stands in the given set"
NEAR_GIVEN = "near-duplicate of a text in the given set"

THRESHOLD = 0.8
BATCH = 1024
CANDIDATES = 16
"""of one band of one text: texts of one mould share bands by the thousand, and the first ones will do"""


class Seen:
    """The texts so far, in about 125 bytes each: no text is kept.

    Two texts are the same when their words are, whatever their case, spacing and punctuation. They are near when their
    letters overlap by the threshold (the Jaccard index of five-letter stretches, estimated to within 0.04) and they
    deny, doubt and count alike; with None for a threshold, none are. What is near is looked for among texts that were
    new; the given set's sentences are texts of their own there.
    """

    def __init__(self, *, threshold: float | None = THRESHOLD, given: Iterable[str] = ()) -> None:
        if threshold is not None and not 0 < threshold <= 1:
            raise InputError(f"the threshold of near-duplicates is {threshold}; expected a share above 0 and up to 1")
        self.threshold = threshold
        self._digests = minhash.Runs()
        self._near = None if threshold is None else _Near(threshold)
        wholes = list(dict.fromkeys(given))
        self._given = Index([normal(text) for text in wholes])
        self._given_rows = 0
        if self._near is not None:
            parts = dict.fromkeys(normal(part) for text in wholes for part in (text, *sentences(text)))
            long = [part for part in parts if is_long(part)]
            for at in range(0, len(long), BATCH):
                self._near.add(_sketched(long[at : at + BATCH], self._near.threshold))
            self._given_rows = self._near.count

    def filter(self, texts: Sequence[str]) -> list[str]:
        """Of each text, why it is not new, or ""; afterwards all of them have been seen."""
        found: list[str] = []
        for at in range(0, len(texts), BATCH):
            found += self.decide(look(texts[at : at + BATCH], threshold=self.threshold))
        return found

    def reason(self, text: str) -> str:
        """The same for one text; a list at a time is many times as fast."""
        return self.filter([text])[0]

    def given(self, texts: Sequence[str]) -> list[str]:
        """Of each text, how it stands in the given set, or ""; they do not count as seen."""
        words = [normal(text) for text in texts]
        found = self._standing(words)
        if self._near is not None and self._given_rows:
            nearest = self._near.nearest(_sketched(words, self._near.threshold))
            near = (nearest >= 0) & (nearest < self._given_rows)
            found = [old or (NEAR_GIVEN if close else "") for old, close in zip(found, near, strict=True)]
        return found

    def _standing(self, words: Sequence[str]) -> list[str]:
        """GIVEN for a text that stands in one of the given set, or around one, word for word."""
        matched = {match.streamed for match in self._given.matches(words)}
        return [GIVEN if number in matched else "" for number in range(len(words))]

    def decide(self, seen: Look) -> list[str]:
        """`filter` of a batch that was looked at."""
        found = self._standing(seen.words)
        first = np.zeros(len(seen.words), np.bool_)
        first[np.unique(seen.digests, return_index=True)[1]] = True
        new = first & ~self._digests.has(seen.digests)
        self._digests.add(seen.digests[new])
        found = [reason or ("" if is_new else DUPLICATE) for reason, is_new in zip(found, new, strict=True)]
        fresh = [number for number, reason in enumerate(found) if not reason]
        if self._near is None or seen.sketched is None or not fresh:
            return found
        close = self._close(self._near, seen.sketched.only(fresh))
        for number, reason in zip(fresh, close, strict=True):
            found[number] = reason
        return found

    def _close(self, index: _Near, sketched: _Sketched) -> list[str]:
        """NEAR_GIVEN, NEAR or "" of texts that are not the same as any before; those that are new are remembered."""
        nearest = index.nearest(sketched)
        found = ["" if row < 0 else NEAR_GIVEN if row < self._given_rows else NEAR for row in nearest.tolist()]
        for later, earlier in index.within(sketched):
            # in order of the later one: by now it is known whether the earlier one is new
            if not found[later] and not found[earlier]:
                found[later] = NEAR
        index.add(sketched.only([number for number, reason in enumerate(found) if not reason]))
        return found


def against(names: Iterable[str], *, threshold: float | None = THRESHOLD) -> Seen:
    """An index that refuses what stands in some files: every text of five words in any of their fields, or near it."""
    given = (text for name in names for sample in samples(name) for _, text in sample.texts)
    return Seen(threshold=threshold, given=(text for text in given if is_long(normal(text))))


def _digest(words: str) -> int:
    return int.from_bytes(hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be known of a batch of texts whatever came before them: the costly part, for any process to do."""

    words: list[str]
    digests: Numbers
    sketched: _Sketched | None


def look(texts: Sequence[str], *, threshold: float | None = THRESHOLD) -> Look:
    """At a batch, for a `Seen` with that threshold to decide on; BATCH texts at most."""
    words = [normal(text) or text.strip() for text in texts]
    digests = np.fromiter(map(_digest, words), np.uint64, len(words))
    return Look(words, digests, None if threshold is None else _sketched(words, threshold))


@dataclass(frozen=True, slots=True)
class _Sketched:
    """Some texts as the near index sees them: one row a text."""

    sketches: NDArray[np.uint8]
    keys: Numbers

    def only(self, rows: Sequence[int]) -> _Sketched:
        return _Sketched(self.sketches[rows], self.keys[rows])


def _sketched(words: Sequence[str], threshold: float) -> _Sketched:
    """Texts whose marks differ have no stretch of letters in common, so that they are never near."""
    full = [expanded(text) for text in words]
    salts = np.fromiter((_digest(polarity(text)) for text in full), np.uint64, len(full))
    found = minhash.firsts(full, salts)
    return _Sketched(minhash.sketches(found), minhash.band_keys(found, minhash.depth(threshold)))


class _Near:
    """The sketches of new texts, and for each band of each the row it leads to."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self._enough = minhash.agreement(threshold)
        # an array a band, so that only one of them is ever there twice, while it is merged
        self._bands = [minhash.Runs() for _ in range(minhash.BANDS)]
        self._sketches = np.empty((0, minhash.SKETCH), np.uint8)
        self.count = 0

    def add(self, texts: _Sketched) -> None:
        """Remember texts, in order."""
        end = self.count + len(texts.sketches)
        if end > len(self._sketches):
            # in place, and by an eighth at a time: nothing is there twice, and little stays empty
            self._sketches.resize((max(end, len(self._sketches) * 9 // 8), minhash.SKETCH), refcheck=False)
        self._sketches[self.count : end] = texts.sketches
        for band, keys in zip(self._bands, texts.keys.T, strict=True):
            band.add(minhash.packed(keys, np.arange(self.count, end)))
        self.count = end

    def nearest(self, texts: _Sketched) -> Places:
        """Of each text, the first row it is near to, or -1."""
        best = np.full(len(texts.sketches), self.count, np.intp)
        for band, keys in zip(self._bands, texts.keys.T, strict=True):
            for places, found in band.between(*minhash.key_range(keys), most=CANDIDATES):
                rows = minhash.rows_of(found)
                near = self._agree(texts.sketches[places], self._sketches[rows])
                np.minimum.at(best, places[near], rows[near])
        return np.where(best < self.count, best, -1)

    def within(self, texts: _Sketched) -> list[tuple[int, int]]:
        """The pairs of near texts among these, the later one first, in order."""
        pairs: set[tuple[int, int]] = set()
        for keys in texts.keys.T:
            here = minhash.Runs()
            packed = minhash.packed(keys, np.arange(len(keys)))
            here.add(packed)
            for later, found in here.between(minhash.key_range(keys)[0], packed, most=CANDIDATES):
                earlier = minhash.rows_of(found)
                near = self._agree(texts.sketches[later], texts.sketches[earlier]) & (earlier < later)
                pairs.update(zip(later[near].tolist(), earlier[near].tolist(), strict=True))
        return sorted(pairs)

    def _agree(self, ours: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return minhash.agreeing(ours, theirs) >= self._enough
