"""Score pairs of texts with a pair model: tokenise them, sort them by length, and run them in batches of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.adapter import check_pairs, versions
from litotes.models.pair_tokens import Tokens, padded, pair_tokens, special_tokens

if TYPE_CHECKING:
    from litotes.models.pair.model import TextPairModel

LIBRARIES = ("transformers", "torch")
BATCH_TOKENS = 4096
"""the largest number of tokens in a batch, padding included"""
CHUNK = 2048
"""pairs that are tokenised at once: memory does not grow with the number of pairs"""


class PairScorer:
    """A loaded pair model. `longest` is the maximum number of tokens of a pair; `hashes` identify the weights."""

    def __init__(
        self, name: str, model: TextPairModel, tokenizer: Any, *, longest: int, hashes: dict[str, str]
    ) -> None:
        self.name, self.longest = name, longest
        self.model, self.tokenizer = model, tokenizer
        self._hashes = hashes

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def logits(
        self,
        first: Sequence[str],
        second: Sequence[str],
        *,
        head: str,
        batch_tokens: int = BATCH_TOKENS,
    ) -> np.ndarray:
        """Return one logit per pair. In a pair of more than `longest` tokens the longer text is cut."""
        left, right = check_pairs(first, second)
        if head not in self.model.heads:
            raise InputError(f"{self.name} has no head {head!r}; expected {', '.join(self.model.heads)}")
        pairs = list(dict.fromkeys(zip(left, right, strict=True)))
        # Sorted by length in characters, a chunk has texts of similar length.
        pairs.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        found: dict[tuple[str, str], float] = {}
        for start in range(0, len(pairs), CHUNK):
            chunk = pairs[start : start + CHUNK]
            found |= zip(chunk, self._chunk_logits(chunk, head, batch_tokens).tolist(), strict=True)
        return np.array([found[pair] for pair in zip(left, right, strict=True)], dtype=np.float64)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        if not texts:
            return []
        return [len(ids) for ids in self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]]

    def facts(self) -> dict[str, Any]:
        """Return what a signature needs: hashes of the weights and the base, and versions of the libraries."""
        return {**self._hashes, "longest": self.longest, "libraries": versions(LIBRARIES)}

    @property
    def base(self) -> str:
        """The name of the encoder that the model was trained on."""
        return self._hashes["base"]

    @cached_property
    def special_tokens(self) -> int:
        """The number of special tokens around the two texts."""
        return len(special_tokens(self.tokenizer))

    @property
    def padding(self) -> int:
        """The id of the padding token."""
        return int(self.tokenizer.pad_token_id or 0)

    def _chunk_logits(self, pairs: Sequence[tuple[str, str]], head: str, batch_tokens: int) -> np.ndarray:
        torch = require("torch", extra="models", why="pair models")
        tokens = pair_tokens(self.tokenizer, pairs, longest=self.longest)
        logits = np.zeros(len(pairs))
        self.model.eval()
        with torch.inference_mode():
            for rows in batches(tokens, batch_tokens):
                features = padded([tokens[row] for row in rows], self.padding, self.model.device)
                logits[rows] = self.model(*features, head=head).float().cpu().numpy()
        return logits


def batches(tokens: Sequence[Tokens], batch_tokens: int) -> Iterator[list[int]]:
    """Yield the indices of rows of similar length: as many as fit into `batch_tokens` when padded, at least one."""
    rows: list[int] = []
    for row in sorted(range(len(tokens)), key=lambda row: (len(tokens[row].ids), row)):
        if rows and (len(rows) + 1) * len(tokens[row].ids) > batch_tokens:
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows
