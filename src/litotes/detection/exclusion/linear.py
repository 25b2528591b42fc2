"""A linear model that marks what a query excludes. It needs only NumPy.

Each word has a score per tag, the sum of the weights of its features, and each step from one tag to the next has a
score. The tags of a query are those with the highest sum. scripts/train_linear_splitter.py trains the weights.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from litotes.arrays import read_arrays
from litotes.detection.exclusion.words import CONNECTIVES, features, words_of
from litotes.query_marks import CUE, INSIDE, ITEM, KEPT, TAGS, Marks, joined

START = len(TAGS)
"""The row of the steps from the start of a query to its first tag."""
_IMPOSSIBLE = -1e9


class LinearTagger:
    """The weights of a model. `caution` is added to the score of every word that is kept."""

    def __init__(
        self, weights: Mapping[int, np.ndarray], steps: np.ndarray, cue_words: frozenset[str], *, caution: float = 0.0
    ) -> None:
        self._weights, self.cue_words = weights, cue_words
        self.fingerprint = ""
        """a hash of the weights, if they were loaded"""
        self._steps = np.array(steps, dtype=np.float64)
        # Nothing but an item goes on.
        self._steps[[KEPT, CUE, START], INSIDE] = _IMPOSSIBLE
        self._caution = np.array([caution if tag == KEPT else 0.0 for tag in range(len(TAGS))])

    @classmethod
    def load(cls, path: Path) -> LinearTagger:
        """Load weights that the training script wrote."""
        stored = read_arrays(path)
        rows = stored["weights"].astype(np.float64) * float(stored["step"][0])
        weights = dict(zip(stored["features"].tolist(), rows, strict=True))
        cue_words = frozenset(stored["cue_words"].tobytes().decode("utf-8").split("\n"))
        tagger = cls(weights, stored["steps"], cue_words, caution=float(stored["caution"][0]))
        tagger.fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()
        return tagger

    def marks(self, text: str) -> Marks:
        """Return the marks on a query; none if it excludes nothing, or if nothing would be left."""
        words = words_of(text)
        # Without a cue word there is nothing to find.
        if not any(word.form in self.cue_words for word in words):
            return Marks()
        tags = self.tags(features(text, words, self.cue_words))
        # The connectives of a list have the tag of a cue, too.
        cues = {word.form for word, tag in zip(words, tags, strict=True) if tag == CUE}
        excludes = ITEM in tags and KEPT in tags and bool(cues - CONNECTIVES)
        return joined(zip((word.span for word in words), tags, strict=True)) if excludes else Marks()

    def tags(self, rows: Sequence[Sequence[str]]) -> list[int]:
        """Return the best tags of a query from the features of its words (Viterbi)."""
        if not rows:
            return []
        best = self._scores(rows[0]) + self._steps[START]
        came_from = []
        for row in rows[1:]:
            sums = best[:, None] + self._steps[:START]
            came_from.append(sums.argmax(axis=0))
            best = sums.max(axis=0) + self._scores(row)
        tags = [int(best.argmax())]
        for origins in reversed(came_from):
            tags.append(int(origins[tags[-1]]))
        return tags[::-1]

    def _scores(self, names: Sequence[str]) -> np.ndarray:
        found = (self._weights.get(feature_number(name)) for name in names)
        total: np.ndarray = sum((row for row in found if row is not None), self._caution)
        return total


def feature_number(name: str) -> int:
    """Return the number under which the weights of a feature are stored."""
    return zlib.crc32(name.encode("utf-8"))
