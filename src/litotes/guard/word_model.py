"""A small model of two texts as aligned words, in NumPy.

Each word has a vector and a few flags; a layer reads it with its two neighbours. Every word of a text is aligned with
the words of the other text, softly, by the vectors and by how the words fit (equal, another form, opposite, another
number). Each word is compared with what it is aligned with; sums and maxima over the words of both texts give the
verdict. The order of the two texts does not matter. scripts/train_guard_rules.py trains it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from litotes.arrays import read_arrays
from litotes.detection.word_alignment import Word
from litotes.errors import require
from litotes.guard.word_features import KINDS, fits, flags, words_of

Weights = Mapping[str, np.ndarray]


class WordModel:
    """The vocabulary and the weights of a model."""

    def __init__(self, vocabulary: Sequence[str], weights: Weights) -> None:
        # Place 0 is that of unknown words.
        self._places = {word: place for place, word in enumerate(vocabulary, start=1)}
        self._weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}

    @classmethod
    def load(cls, path: Path) -> WordModel:
        """Load a model that `save` wrote."""
        stored = read_arrays(path)
        vocabulary = stored.pop("vocabulary").tobytes().decode("utf-8").split("\n")
        vectors = stored.pop("vectors").astype(np.float32) * stored.pop("step")
        return cls(vocabulary, {**stored, "vectors": vectors})

    def save(self, path: Path) -> None:
        """Write the model: the vectors in eight bits, the other weights in sixteen."""
        vectors = self._weights["vectors"]
        step = np.abs(vectors).max(keepdims=True) / 127
        others = {name: value.astype(np.float16) for name, value in self._weights.items() if name != "vectors"}
        vocabulary = np.frombuffer("\n".join(self._places).encode("utf-8"), dtype=np.uint8)
        stored = {"vocabulary": vocabulary, "vectors": np.round(vectors / step).astype(np.int8), "step": step}
        library = require("safetensors.numpy", extra="train", why="saving a model of words")
        library.save_file({name: np.ascontiguousarray(value) for name, value in {**stored, **others}.items()}, path)

    def logits(self, one: str, other: str) -> np.ndarray:
        """Return one logit per label. Each text must have a word."""
        left, right = words_of(one), words_of(other)
        a, b = self._read(left), self._read(right)
        kinds = fits(left, right)
        places = [np.arange(len(side)) / len(side) for side in (left, right)]
        scores = self._linear(a, "align") @ self._linear(b, "align").T / math.sqrt(len(self._weights["align.bias"]))
        scores += self._weights["kinds"][kinds] - self._weights["near"] * np.abs(places[0][:, None] - places[1])
        first = self._summary(a, b, scores, kinds, *places)
        second = self._summary(b, a, scores.T, kinds.T, *places[::-1])
        joined = np.concatenate([first + second, np.abs(first - second)])
        return self._linear(_relu(self._linear(joined, "out.0")), "out.1")

    def inputs(self, words: Sequence[Word]) -> tuple[list[int], list[tuple[bool, ...]]]:
        """Return the place of each word in the vocabulary, and its flags."""
        places = [self._places.get(word.lower, 0) for word in words]
        return places, [flags(word, place > 0) for word, place in zip(words, places, strict=True)]

    def _read(self, words: Sequence[Word]) -> np.ndarray:
        """Return a row per word: its vector, its flags, and what its neighbours add."""
        places, marks = self.inputs(words)
        own = np.concatenate([self._weights["vectors"][places], np.array(marks, dtype=np.float32)], axis=1)
        framed = np.pad(own, ((1, 1), (0, 0)))
        beside = np.concatenate([framed[:-2], framed[1:-1], framed[2:]], axis=1)
        return np.concatenate([own, _relu(self._linear(beside, "context"))], axis=1)

    def _summary(
        self,
        own: np.ndarray,
        other: np.ndarray,
        scores: np.ndarray,
        kinds: np.ndarray,
        at: np.ndarray,
        there: np.ndarray,
    ) -> np.ndarray:
        """Compare each word with what it is aligned with; return the sum and the maximum over the words."""
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        mine, others = (np.tanh(self._linear(side, "view")) for side in (own, other))
        aligned = weights @ others
        kind = np.stack([(weights * (kinds == number)).sum(axis=1) for number in range(1, len(KINDS))], axis=1)
        place = weights @ there
        step = np.append(np.diff(place), 0.0)
        parts = [mine, aligned, mine - aligned, mine * aligned, kind, (place - at)[:, None], step[:, None]]
        hidden = _relu(self._linear(np.concatenate(parts, axis=1), "compare.0"))
        compared = _relu(self._linear(hidden, "compare.1"))
        return np.concatenate([compared.sum(axis=0) / math.sqrt(len(own)), compared.max(axis=0)])

    def _linear(self, rows: np.ndarray, name: str) -> np.ndarray:
        result: np.ndarray = rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result


def _relu(values: np.ndarray) -> np.ndarray:
    result: np.ndarray = np.maximum(values, 0)
    return result
