"""Run a graph with onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.loading import sha256
from litotes.models.onnx.adapted_graphs import SIDES
from litotes.models.onnx.artefact import CARD, OnnxCard, read_card
from litotes.models.onnx.encoder_graph import DIAL
from litotes.models.onnx.tokenizer import Tokenizer

LIBRARIES = ("onnxruntime", "tokenizers")
ERRORS_ONLY = 3
"""the level of onnxruntime's log: it warns of optional inputs, which are meant"""


class OnnxModel:
    """An exported model: its card, its tokenizer and its session. `threads` is the number of cores it may use."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.folder, self.card = folder, read_card(folder)
        self.session = _session(folder, self.card, threads)
        self.tokenizer = Tokenizer(folder, padding=self.card.padding)
        self._inputs = {one.name for one in self.session.get_inputs()}
        self._outputs = [one.name for one in self.session.get_outputs()]

    def run_tokens(
        self, ids: np.ndarray, mask: np.ndarray, sides: np.ndarray | None = None, *, dial: float | None = None
    ) -> dict[str, np.ndarray]:
        """Return the outputs by name. Without `sides`, all tokens are of the first text."""
        inputs = {"input_ids": ids, "attention_mask": mask}
        if SIDES in self._inputs:
            inputs[SIDES] = np.zeros_like(ids) if sides is None else sides
        if dial is not None:
            inputs[DIAL] = np.array([[dial]], dtype=np.float32)
        return dict(zip(self._outputs, self.session.run(self._outputs, inputs), strict=True))


def padded_ids(rows: Sequence[Sequence[int]], padding: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of token ids as one array, padded to the longest, and the attention mask."""
    ids = np.full((len(rows), max(map(len, rows))), padding, dtype=np.int64)
    mask = np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    return ids, mask


def _session(folder: Path, card: OnnxCard, threads: int | None) -> Any:
    runtime = require("onnxruntime", extra="onnx", why=f"{card.model} without torch")
    path = folder / Path(card.graph).name
    found = sha256(path) if path.is_file() else "no file"
    if found != card.graph_sha256:
        raise InputError(f"{path} is not the graph of its {CARD}: expected sha256 {card.graph_sha256}, got {found}")
    options = runtime.SessionOptions()
    options.log_severity_level = ERRORS_ONLY
    if threads is not None:
        options.intra_op_num_threads = threads
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
