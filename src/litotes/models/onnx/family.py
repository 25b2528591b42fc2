"""The family `onnx`: encoders that run on onnxruntime, as models for the benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter
from litotes.models.dense import ROLES
from litotes.models.encoder_names import parse_encoder_name
from litotes.models.loading import Settings
from litotes.models.onnx.encoder import OnnxVectors, onnx_vectors
from litotes.models.onnx.session import LIBRARIES

if TYPE_CHECKING:
    import numpy as np


class OnnxEncoderModel(Adapter):
    """An encoder as a graph. It fills its batches by tokens and has a length of its own."""

    family = "onnx"
    libraries = LIBRARIES

    def __init__(self, name: str, vectors: OnnxVectors) -> None:
        super().__init__(name)
        self._vectors = vectors

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one float32 row per text. Queries and documents are encoded alike."""
        if role not in ROLES:
            raise InputError(f"role is {role!r}; expected 'query', 'document' or ''")
        return self._vectors.vectors(texts)

    def details(self) -> dict[str, Any]:
        card = self._vectors.card
        facts = {"graph": card.graph_sha256, "int8": card.int8, "max_tokens": card.max_tokens}
        dial = {"dial": self._vectors.default_dial} if card.tower_columns else {}
        return facts | {"similarity": "cosine", "dimensions": self._vectors.columns} | dial


def build(name: str, settings: Settings, *, int8: bool = False, dial: float | None = None) -> OnnxEncoderModel:
    """Load `NAME`, `NAME@DIAL`, or the folder of an exported encoder. `int8` makes the graph in eight bits."""
    if settings.device not in (None, "cpu") or settings.dtype != "float32":
        raise InputError(f"{name} runs on the CPU in float32; got {settings.device or 'cpu'} and {settings.dtype}")
    parsed = parse_encoder_name(name.partition(":")[2], dial)
    if len(parsed.parts) > 1:
        raise InputError(f"{name} names two encoders; expected one")
    return OnnxEncoderModel(name, onnx_vectors(parsed.parts[0], dial=parsed.dial, int8=int8))
