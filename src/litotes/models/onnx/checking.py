"""Compare a graph with the model it was made from, and a graph in eight bits with that in full precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.models.loading import Settings
from litotes.models.onnx.encoder import OnnxVectors
from litotes.models.onnx.making import ENCODER, PAIR, model_folder
from litotes.models.onnx.pair import exported_pair_scorer
from litotes.models.onnx.splitter import onnx_tagger
from litotes.models.pair.scorer import PairScorer
from litotes.models.splitter.tagger import Tagger

TOLERANCE = {ENCODER: 1e-4, PAIR: 1e-3}
"""how much a number of a graph in full precision may differ from that of the model; logits of pairs go up to 15"""
LEAST_COSINE = 0.99
"""the least mean cosine of vectors in eight bits with those in full precision"""
LEAST_CORRELATION = 0.99
"""the least correlation of logits or probabilities in eight bits with those in full precision"""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a graph agrees with what it is compared with."""

    reference: str
    """"torch" or "full precision" """
    texts: int
    measure: str
    """"largest difference", "mean cosine" or "correlation" """
    value: float
    limit: float
    passed: bool

    def line(self) -> dict[str, Any]:
        """Return the JSON object of this comparison."""
        return asdict(self)

    def __str__(self) -> str:
        verdict = "" if self.passed else ", which is not enough"
        return (
            f"{self.measure} with {self.reference} on {self.texts} texts: {self.value:.4g} "
            f"(limit {self.limit:g}){verdict}"
        )


def with_full_precision(folder: Path, full: Path, kind: str, texts: Sequence[str]) -> Agreement:
    """Compare a graph in eight bits with that in full precision."""
    found, expected = (_graph_numbers(one, kind, texts) for one in (folder, full))
    if kind == ENCODER:
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(expected, axis=1)
        cosine = float(((found * expected).sum(axis=1) / lengths).mean())
        return Agreement("full precision", len(texts), "mean cosine", cosine, LEAST_COSINE, cosine >= LEAST_COSINE)
    same = float(np.corrcoef(found.ravel(), expected.ravel())[0, 1])
    return Agreement("full precision", len(texts), "correlation", same, LEAST_CORRELATION, same >= LEAST_CORRELATION)


def with_torch(folder: Path, name: str, kind: str, texts: Sequence[str]) -> Agreement:
    """Compare a graph in full precision with the model. It needs torch."""
    difference = float(np.abs(_graph_numbers(folder, kind, texts) - _torch_numbers(name, kind, texts)).max())
    limit = TOLERANCE.get(kind, TOLERANCE[ENCODER])
    return Agreement("torch", len(texts), "largest difference", difference, limit, difference <= limit)


def _graph_numbers(folder: Path, kind: str, texts: Sequence[str]) -> np.ndarray:
    if kind == ENCODER:
        return OnnxVectors(folder).vectors(texts)
    if kind != PAIR:
        return _tags(onnx_tagger(folder, facts={}), texts)
    return _logits(exported_pair_scorer(folder), texts)


def _torch_numbers(name: str, kind: str, texts: Sequence[str]) -> np.ndarray:
    from litotes.models.dense import build
    from litotes.models.pair.build import load_pair_scorer
    from litotes.models.splitter.build import load_splitter

    if kind == ENCODER:
        return build(f"dense:{name}", Settings(device="cpu")).encode(texts)
    if kind == PAIR:
        return _logits(load_pair_scorer(name, device="cpu"), texts)
    return _tags(load_splitter(model_folder(name), device="cpu"), texts)


def _logits(scorer: PairScorer, texts: Sequence[str]) -> np.ndarray:
    """Return the logits of each text with the next one and with its own first half, by all heads."""
    first = [*texts, *texts]
    second = [*texts[1:], texts[0], *(text[: len(text) // 2] for text in texts)]
    return np.concatenate([scorer.logits(first, second, head=head).ravel() for head in scorer.heads])


def _tags(tagger: Tagger, texts: Sequence[str]) -> np.ndarray:
    """Return all probabilities of a splitter."""
    return np.concatenate([np.append(tags.ravel(), excludes) for excludes, _, tags in tagger.read(texts)])
