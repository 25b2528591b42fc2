"""The query splitter on onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.models.loading import fingerprint
from litotes.models.onnx.adapted_graphs import EXCLUDES, TAGS
from litotes.models.onnx.making_once import made
from litotes.models.onnx.session import OnnxModel, padded_ids
from litotes.models.splitter.tagger import Tagger


class OnnxTagger(Tagger):
    """A splitter whose probabilities onnxruntime computes; `model` is an `OnnxModel`."""

    def read(self, texts: Sequence[str]) -> Iterator[tuple[float, list[tuple[int, int]], np.ndarray]]:
        """Yield for each text the probability that it excludes anything, its tokens, and the tags of each token."""
        encodings = self.tokenizer.encode_batch(texts)
        ids, mask = padded_ids([encoding.ids for encoding in encodings], self.model.card.padding)
        found = self.model.run_tokens(ids, mask)
        tags = np.exp(found[TAGS] - found[TAGS].max(axis=-1, keepdims=True))
        tags /= tags.sum(axis=-1, keepdims=True)
        # The logistic function, without overflow.
        judged = 0.5 * (1 + np.tanh(found[EXCLUDES][:, 0] / 2))
        for encoding, excluding, row in zip(encodings, judged, tags, strict=True):
            # special tokens have empty offsets
            real = [number for number, (start, end) in enumerate(encoding.offsets) if start < end]
            yield float(excluding), [encoding.offsets[number] for number in real], row[real]


def load_onnx_splitter(home: Path, card: Mapping[str, Any]) -> OnnxTagger:
    """Load a splitter, whose graph is made if necessary."""
    base = card["base"]
    facts = {"weights sha256": fingerprint(card["files"]), "base": base["name"], "base sha256": base["sha256"]}
    return onnx_tagger(made(str(home)), facts=facts)


def onnx_tagger(folder: Path, *, facts: dict[str, str]) -> OnnxTagger:
    """Load the graph of a splitter."""
    model = OnnxModel(folder)
    threshold = float(model.card.settings["threshold"])
    return OnnxTagger(model, model.tokenizer, longest=model.card.max_tokens, threshold=threshold, facts=facts)
