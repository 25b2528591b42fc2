"""What judges a pair: the metric's own model, or the cosine of an encoder as a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import InputError
from litotes.metric.windows import Room

if TYPE_CHECKING:
    import numpy as np

COSINE = "cosine:"
SPECIAL_TOKENS = 3
"""of a pair read together: one before, one between, one after"""


class PairScorer(Protocol):
    """Anything that scores pairs: a score in [0, 1] a pair, whatever is scored beside it."""

    name: str
    longest: int
    """tokens a pair may have, special ones included"""

    def score(self, references: Sequence[str], candidates: Sequence[str], *, batch: int = 32) -> np.ndarray: ...

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special ones."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """What goes into the signature: texts by name; a name that ends in " sha256" is a hash."""
        ...


class Cosine:
    """The cosine of two texts' vectors; what points away from the reference scores 0."""

    def __init__(self, encoder: Any, *, name: str) -> None:
        self.name = name
        self._encoder = encoder
        self._tokenizer = encoder.inner.tokenizer
        self.longest = int(encoder.inner.max_seq_length)

    def score(self, references: Sequence[str], candidates: Sequence[str], *, batch: int = 32) -> np.ndarray:
        """`batch` was set when the encoder was loaded."""
        import numpy as np

        rows = self._encoder.encode([*references, *candidates]).astype(np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        left, right = rows[: len(references)], rows[len(references) :]
        found: np.ndarray = np.clip((left * right).sum(axis=1), 0.0, 1.0)
        return found

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special ones."""
        found = self._tokenizer(list(texts), add_special_tokens=False, verbose=False) if texts else {"input_ids": []}
        return [len(ids) for ids in found["input_ids"]]

    def facts(self) -> dict[str, str]:
        """One hash over weights, vocabulary, dial and how the encoder is run."""
        return {"weights sha256": self._encoder.fingerprint}

    @property
    def special_tokens(self) -> int:
        """Those an encoder puts around one text."""
        return int(self._tokenizer.num_special_tokens_to_add())


def open_scorer(name: str, *, device: str | None, batch: int) -> PairScorer:
    """`litotes-score`, a folder that training wrote, or `cosine:` and the name of an encoder."""
    if not name.startswith(COSINE):
        from litotes.models.scorer import load_scorer

        return load_scorer(str(Path(name).expanduser()), device=device)
    from litotes.models import load

    encoder = load(name.removeprefix(COSINE), device=device, batch=batch)
    if not hasattr(encoder, "encode"):
        raise InputError(f"{name}: that model gives no vectors. Expected an encoder, such as cosine:dense:minilm")
    return Cosine(encoder, name=name)


def check_name(name: str) -> str:
    """A name that may be a metric's; whether it is one shows when it is loaded."""
    example = "Expected litotes-score, a folder that training wrote, or cosine:dense:minilm"
    if not name.strip() or name == COSINE:
        raise InputError(f"{name!r} names no metric. {example}")
    if not name.startswith(COSINE) and name != "litotes-score" and not Path(name).expanduser().is_dir():
        raise InputError(f"{name!r} is no metric and no folder. {example}")
    return name


def room_of(scorer: PairScorer) -> Room:
    """What fits into one reading of the scorer: an encoder reads the two texts apart."""
    if isinstance(scorer, Cosine):
        return Room(scorer.longest - scorer.special_tokens, together=False)
    return Room(scorer.longest - SPECIAL_TOKENS, together=True)
