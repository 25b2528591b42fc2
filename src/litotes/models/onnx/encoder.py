"""Encode texts with the graph of an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from litotes.errors import InputError
from litotes.models.adapter import check_texts, distinct
from litotes.models.onnx.encoder_graph import VECTOR
from litotes.models.onnx.making import ENCODER
from litotes.models.onnx.making_once import made
from litotes.models.onnx.session import OnnxModel, padded_ids
from litotes.models.token_batches import batches
from litotes.models.tower.scaling import block_weights, check_default_dial
from litotes.models.tower.shape import TowerShape

BATCH_TOKENS = 1024
"""the largest number of tokens in a batch, padding included: a CPU is fastest while a batch fits into its cache"""
CHUNK = 2048
"""texts that are tokenised at once: memory does not grow with the number of texts"""


class OnnxVectors:
    """The graph of an encoder as a function from texts to vectors. `dial` is another default dial of its tower."""

    def __init__(self, folder: Path, *, dial: float | None = None, threads: int | None = None) -> None:
        self.model = OnnxModel(folder, threads=threads)
        self.card = self.model.card
        if self.card.kind != ENCODER:
            raise InputError(f"{folder} has a {self.card.kind}; expected an encoder")
        if dial is not None and not self.card.tower_columns:
            raise InputError(f"{self.card.model} has no tower, so it has no dial; expected litotes-mini")
        self.default_dial = self.card.default_dial if dial is None else check_default_dial(dial)

    @property
    def columns(self) -> int:
        """The number of columns of a vector."""
        return self.card.base_columns + self.card.tower_columns

    @property
    def shape(self) -> TowerShape | None:
        """The default dial and the columns of the tower's block; None without a tower."""
        return TowerShape(self.default_dial, self.card.tower_columns) if self.card.tower_columns else None

    def vectors(self, texts: Sequence[str], *, dial: float | None = None) -> np.ndarray:
        """Return the vectors of documents, or those of queries at `dial`. A repeated text is encoded once."""
        if dial is not None and self.shape is None:
            raise InputError(f"the dial is {dial}, but {self.card.model} has no tower; expected no dial")
        unique, places = distinct(check_texts(texts))
        found = np.zeros((len(unique), self.columns), dtype=np.float32)
        # Sorted by length in characters, a chunk has texts of similar length.
        order = sorted(range(len(unique)), key=lambda number: len(unique[number]))
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            found[chunk] = self._chunk([unique[number] for number in chunk])
        rows: np.ndarray = (found * self._factors(dial))[places]
        return rows

    def _chunk(self, texts: Sequence[str]) -> np.ndarray:
        ids = [encoding.ids for encoding in self.model.tokenizer.encode_batch(texts)]
        found = np.zeros((len(texts), self.columns), dtype=np.float32)
        for rows in batches([len(row) for row in ids], BATCH_TOKENS):
            found[rows] = self.model.run_tokens(*padded_ids([ids[row] for row in rows], self.card.padding))[VECTOR]
        return found

    def _factors(self, dial: float | None) -> np.ndarray:
        """Return what each column of the graph's vectors is multiplied by."""
        factors = np.ones(self.columns, dtype=np.float32)
        if self.shape is not None:
            wanted, graph = block_weights(dial, self.default_dial), block_weights(None, self.card.default_dial)
            split = self.card.base_columns
            factors[:split], factors[split:] = wanted[0] / graph[0], wanted[1] / graph[1]
        return factors


def onnx_vectors(target: str, *, dial: float | None = None, int8: bool = False) -> OnnxVectors:
    """Load an encoder by its name or folder. Its graph is made if necessary."""
    return OnnxVectors(made(target, int8=int8), dial=dial)
