"""Encode texts with the graph of a tower."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from litotes.errors import InputError
from litotes.models.adapter import check_texts, distinct
from litotes.models.onnx.encoder_graph import DIAL, VECTOR
from litotes.models.onnx.making import ENCODER
from litotes.models.onnx.session import OnnxModel, padded_ids
from litotes.models.token_batches import batches

BATCH_TOKENS = 1024
"""the largest number of tokens in a batch, padding included: a CPU is fastest while a batch fits into its cache"""
CHUNK = 2048
"""texts that are tokenised at once: memory does not grow with the number of texts"""


class OnnxTower:
    """The graph of a tower, as a function from texts to vectors."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.model = OnnxModel(folder, threads=threads)
        self.card = self.model.card
        if self.card.kind != ENCODER:
            raise InputError(f"{folder} has a {self.card.kind}; expected an encoder")

    @property
    def columns(self) -> int:
        """The number of columns of a vector."""
        return self.card.base_columns + self.card.tower_columns

    def vectors(self, texts: Sequence[str], *, dial: float | None = None) -> np.ndarray:
        """Return the vectors of documents, or those of queries at `dial`. A repeated text is encoded once."""
        unique, places = distinct(check_texts(texts))
        found = np.zeros((len(unique), self.columns), dtype=np.float32)
        # Sorted by length in characters, a chunk has texts of similar length.
        order = sorted(range(len(unique)), key=lambda number: len(unique[number]))
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            found[chunk] = self._chunk([unique[number] for number in chunk], dial)
        rows: np.ndarray = found[places]
        return rows

    def _chunk(self, texts: list[str], dial: float | None) -> np.ndarray:
        ids = [encoding.ids for encoding in self.model.tokenizer.encode_batch(texts)]
        found = np.zeros((len(texts), self.columns), dtype=np.float32)
        extra = {} if dial is None else {DIAL: np.array([[dial]], dtype=np.float32)}
        for rows in batches([len(row) for row in ids], BATCH_TOKENS):
            input_ids, mask = padded_ids([ids[row] for row in rows], self.card.padding)
            found[rows] = self.model.run({"input_ids": input_ids, "attention_mask": mask, **extra})[VECTOR]
        return found
