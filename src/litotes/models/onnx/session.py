"""Run a graph with onnxruntime, and tokenise with tokenizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.loading import sha256
from litotes.models.onnx.artefact import CARD, TOKENIZER, OnnxCard, read_card

ERRORS_ONLY = 3
"""the level of onnxruntime's log: it warns of optional inputs, which are meant"""


class OnnxModel:
    """An exported model: its card, its tokenizer and its session."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.folder, self.card = folder, read_card(folder)
        self.session = _session(folder, self.card, threads)
        self.tokenizer = _tokenizer(folder)

    def run(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the outputs by name."""
        names = [output.name for output in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, dict(inputs)), strict=True))


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


def _tokenizer(folder: Path) -> Any:
    library = require("tokenizers", extra="onnx", why="a model without torch")
    return library.Tokenizer.from_file(str(folder / TOKENIZER))
