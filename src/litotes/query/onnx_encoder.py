"""An encoder on onnxruntime whose queries respect exclusions: `litotes.load(…)` where torch is not installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from litotes.errors import InputError
from litotes.models.onnx.encoder import OnnxVectors, onnx_vectors
from litotes.models.tower.shape import TowerShape
from litotes.query.exclusion import (
    BETA,
    EXCLUSION_DIAL_SHARE,
    WHOLE_QUERY_WEIGHT,
    Exclude,
    check_exclude,
    combine_parts,
    split_queries,
    text_of,
)
from litotes.types import Exclusion


class OnnxEncoder:
    """An encoder with the methods of `litotes.query.encoder.Encoder` that search needs. Vectors are float32 arrays.

    It fills its batches by tokens, so `batch_size` has no effect; like `show_progress_bar`, it is accepted because code
    for a SentenceTransformer passes it.
    """

    similarity_fn_name = "dot"
    """vectors have unit length"""

    def __init__(self, vectors: OnnxVectors) -> None:
        self._vectors = vectors

    def __repr__(self) -> str:
        return f"<{self._vectors.card.model} on onnxruntime, {self._vectors.columns} columns>"

    @property
    def shape(self) -> TowerShape | None:
        """The default dial and the columns of the tower's block, for `litotes.dial`; None without a tower."""
        return self._vectors.shape

    @property
    def max_seq_length(self) -> int:
        """The number of tokens of a text that are read."""
        return self._vectors.card.max_tokens

    def get_embedding_dimension(self) -> int:
        """Return the number of columns of a vector."""
        return self._vectors.columns

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens that are read of each text."""
        return [len(encoding.ids) for encoding in self._vectors.model.tokenizer.encode_batch(texts)]

    def encode(
        self, inputs: str | Sequence[str], *, batch_size: int | None = None, show_progress_bar: bool | None = None
    ) -> np.ndarray:
        """Return one vector per text, or one vector for a single text."""
        rows = self._vectors.vectors([inputs] if isinstance(inputs, str) else inputs)
        found: np.ndarray = rows[0] if isinstance(inputs, str) else rows
        return found

    def encode_document(
        self, inputs: str | Sequence[str], *, batch_size: int | None = None, show_progress_bar: bool | None = None
    ) -> np.ndarray:
        """Return one vector per document."""
        return self.encode(inputs)

    def encode_query(
        self,
        inputs: str | Exclusion | Sequence[str | Exclusion],
        *,
        dial: float | None = None,
        exclude: Exclude = "auto",
        beta: float = BETA,
        batch_size: int | None = None,
        show_progress_bar: bool | None = None,
    ) -> np.ndarray:
        """Encode queries for a search in documents. The first three options are those of `Encoder.encode_query`."""
        check_exclude(exclude)
        single = isinstance(inputs, (str, Exclusion))
        queries: list[str | Exclusion] = [inputs] if isinstance(inputs, (str, Exclusion)) else list(inputs)
        rows = self._vectors.vectors(list(map(text_of, queries)), dial=dial)
        parts = split_queries(queries, exclude=exclude, whole=WHOLE_QUERY_WEIGHT > 0)
        excluding = [number for number, excluded in enumerate(parts.excluded) if excluded]
        if excluding:
            part_rows = self._vectors.vectors(parts.texts, dial=self._part_dial(dial))
            combined = combine_parts(parts, part_rows, beta=beta, whole=WHOLE_QUERY_WEIGHT)
            for number in excluding:
                rows[number] = _with_length(combined[number], float(np.linalg.norm(rows[number])))
        found: np.ndarray = rows[0] if single else rows
        return found

    def similarity(self, first: Any, second: Any) -> np.ndarray:
        """Return the dot product of each row of the first with each of the second."""
        found: np.ndarray = np.atleast_2d(np.asarray(first)) @ np.atleast_2d(np.asarray(second)).T
        return found

    def _part_dial(self, dial: float | None) -> float | None:
        """Return the dial for the parts of a query that excludes something."""
        if dial is not None or self.shape is None:
            return dial
        return EXCLUSION_DIAL_SHARE * self.shape.default_dial


def load_onnx(parts: Sequence[str], *, name: str, dial: float | None) -> OnnxEncoder:
    """Load the encoder of a parsed name."""
    if len(parts) > 1:
        raise InputError(f"{name!r} names two encoders, which needs torch; expected one, such as litotes-mini")
    return OnnxEncoder(onnx_vectors(parts[0], dial=dial))


def _with_length(row: np.ndarray, wanted: float) -> np.ndarray:
    length = float(np.linalg.norm(row))
    return row * (wanted / length) if length > 0 else row
