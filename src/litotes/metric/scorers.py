"""Scorers of pairs: the metric's own model, or the cosine of an encoder as a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import InputError, did_you_mean
from litotes.metric.windows import TokenLimit
from litotes.models.bases import METRICS

if TYPE_CHECKING:
    import numpy as np

COSINE = "cosine:"
SPECIAL_TOKENS = 3
"""special tokens of a pair that is read together: before, between and after the texts"""


class PairScorer(Protocol):
    """Anything that scores pairs from 0 to 1. A score must not depend on the other pairs of a call."""

    name: str
    longest: int
    """the maximum number of tokens of a pair, including special tokens"""

    def score(self, candidates: Sequence[str], references: Sequence[str], *, batch: int = 32) -> np.ndarray: ...

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """Return what goes into the signature, as strings by name. A name that ends in " sha256" is a hash."""
        ...


class CosineScorer:
    """The cosine of the vectors of two texts; a negative cosine scores 0."""

    def __init__(self, encoder: Any, *, name: str) -> None:
        self.name = name
        self._encoder = encoder
        self._tokenizer = encoder.model.tokenizer
        self.longest = int(encoder.model.max_seq_length)

    def score(self, candidates: Sequence[str], references: Sequence[str], *, batch: int = 32) -> np.ndarray:
        """Return one score per pair. `batch` has no effect: it was set when the encoder was loaded."""
        import numpy as np

        rows = self._encoder.encode([*candidates, *references]).astype(np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        left, right = rows[: len(candidates)], rows[len(candidates) :]
        scores: np.ndarray = np.clip((left * right).sum(axis=1), 0.0, 1.0)
        return scores

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        if not texts:
            return []
        tokens = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return [len(ids) for ids in tokens["input_ids"]]

    def facts(self) -> dict[str, str]:
        """Return the encoder's fingerprint: one hash over its weights, vocabulary, dial and settings."""
        return {"weights sha256": self._encoder.fingerprint}

    @property
    def special_tokens(self) -> int:
        """Return the number of special tokens around one text."""
        return int(self._tokenizer.num_special_tokens_to_add())


def open_scorer(name: str, *, device: str | None, batch: int) -> PairScorer:
    """Load a shipped metric, a folder that training wrote, or `cosine:` and the name of an encoder."""
    if not name.startswith(COSINE):
        from litotes.models.pair.metric import load_metric

        return load_metric(name, device=device)
    from litotes.models import load

    encoder = load(name.removeprefix(COSINE), device=device, batch=batch)
    if not hasattr(encoder, "encode"):
        raise InputError(f"{name}: that model is not an encoder; expected one, such as cosine:dense:minilm")
    return CosineScorer(encoder, name=name)


def check_name(name: str) -> str:
    """Return the name if it can be that of a metric, without loading it."""
    if name != COSINE and name.startswith(COSINE):
        return name
    if name not in METRICS and (not name.strip() or not Path(name).expanduser().is_dir()):
        examples = f"{', '.join(METRICS)}, a folder that training wrote, or cosine:dense:minilm"
        raise InputError(f"unknown metric {name!r}.{did_you_mean(name, METRICS)} Expected {examples}")
    return name


def token_limit(scorer: PairScorer) -> TokenLimit:
    """Return the token limit of a scorer. An encoder reads the two texts separately."""
    if isinstance(scorer, CosineScorer):
        return TokenLimit(scorer.longest - scorer.special_tokens, together=False)
    special = int(getattr(scorer, "special_tokens", SPECIAL_TOKENS))
    return TokenLimit(scorer.longest - special, together=True)
