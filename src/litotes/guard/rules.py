"""The tier `rules`: a small model of aligned words with what the lexicon knows about them, without torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from litotes.errors import InputError
from litotes.guard.operating_point import OperatingPoint, point_from
from litotes.guard.word_features import MOST, words_of
from litotes.guard.word_model import WordModel
from litotes.models.pair.heads import LABELS, in_order

FOLDER = "words"
MODEL, CARD = "model.safetensors", "card.json"


class RulesTier:
    """The shipped model of aligned words, or one in a folder."""

    name = "rules"
    labels: tuple[str, ...] = LABELS

    def __init__(self, folder: Path | None = None) -> None:
        with as_file(files("litotes.guard").joinpath(FOLDER)) as shipped:
            home = folder or shipped
            self._model = WordModel.load(home / MODEL)
            self._card = json.loads((home / CARD).read_text(encoding="utf-8"))
            self._content = (home / MODEL).read_bytes()

    @cached_property
    def model(self) -> str:
        """The sha256 of the weights."""
        return hashlib.sha256(self._content).hexdigest()

    @property
    def operating_point(self) -> OperatingPoint:
        """The point in the card."""
        if "guard" not in self._card:
            raise InputError("the card of the tier rules has no threshold; pass one as threshold=")
        return point_from({**self._card["guard"], "tier": self.name, "model": self.model})

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        """Return a row of probabilities for each pair, one per label."""
        rows = np.array([self._model.logits(*in_order(one, other)) for one, other in zip(new, cached, strict=True)])
        shifted = np.exp(rows - rows.max(axis=1, keepdims=True, initial=-np.inf)) if len(rows) else rows
        result: np.ndarray = shifted / shifted.sum(axis=1, keepdims=True) if len(rows) else rows
        return result.reshape(len(new), len(self.labels))

    def refusal(self, new: str, cached: str) -> str:
        """Return why a pair cannot be read whole, or ""."""
        sizes = [len(words_of(text)) for text in (new, cached)]
        if not min(sizes):
            return "a text has no words"
        return "" if max(sizes) < MOST else f"a text has {MOST} words or more; the tier rules reads at most {MOST - 1}"
