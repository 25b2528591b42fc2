"""Score pairs of texts with a pair model: tokenise them, sort them by length, and run them in batches of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.adapter import check_pairs, versions
from litotes.models.pair.heads import HEADS, VERDICT, in_order
from litotes.models.pair_tokens import Tokens, padded, pair_tokens, special_tokens
from litotes.models.token_batches import batches

BATCH_TOKENS = {"cpu": 2048}
"""the largest number of tokens in a batch, padding included: a CPU is fastest while a batch fits into its cache"""
GPU_BATCH_TOKENS = 32_768
WEIGHT = 0.1
"""the weight of the logit beside a first stage, for a model whose card has none (docs/history/reranker.md)"""
CHUNK = 2048
"""pairs that are tokenised at once: memory does not grow with the number of pairs"""


class PairScorer:
    """A loaded pair model. `longest` is the maximum number of tokens of a pair; `hashes` identify the weights.

    `weight` is that of its logit beside a first stage, in spreads of the first stage's scores. `calibration` is the
    slope and the offset that turn a logit into a probability, if they were fitted. `guard` is the operating point
    of its verdicts, as the card has it.
    """

    libraries: tuple[str, ...] = ("transformers", "torch")
    """the packages that run it"""

    def __init__(
        self,
        name: str,
        model: Any,
        tokenizer: Any,
        *,
        longest: int,
        hashes: dict[str, str],
        heads: Mapping[str, tuple[str, ...]] = HEADS,
        weight: float = WEIGHT,
        calibration: tuple[float, float] | None = None,
        guard: Mapping[str, Any] | None = None,
    ) -> None:
        self.name, self.longest = name, longest
        self.heads = dict(heads)
        """the labels of each head; a head without labels has one logit"""
        self.weight, self.calibration = weight, calibration
        self.guard = dict(guard or {})
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
        batch_tokens: int | None = None,
        known: Mapping[str, np.ndarray] | None = None,
    ) -> np.ndarray:
        """Return one logit per pair, or a row of logits for a head with labels.

        In a pair of more than `longest` tokens the longer text is cut. `batch_tokens` is the largest number of tokens
        in a batch; the default depends on the device. `known` are the token ids of all texts, if they were tokenised
        before.
        """
        limit = batch_tokens or BATCH_TOKENS.get(self.device.partition(":")[0], GPU_BATCH_TOKENS)
        left, right = check_pairs(first, second)
        if head not in self.heads:
            raise InputError(f"{self.name} has no head {head!r}; expected {', '.join(self.heads)}")
        pairs = list(dict.fromkeys(zip(left, right, strict=True)))
        # Sorted by length in characters, a chunk has texts of similar length.
        pairs.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        found: dict[tuple[str, str], Any] = {}
        for start in range(0, len(pairs), CHUNK):
            chunk = pairs[start : start + CHUNK]
            found |= zip(chunk, self._chunk_logits(chunk, head, limit, known).tolist(), strict=True)
        shape = (-1, len(self.heads[head])) if self.heads[head] else (-1,)
        return np.array([found[pair] for pair in zip(left, right, strict=True)], dtype=np.float64).reshape(shape)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the first character of each token of a text and the one after its last, without special tokens."""
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return [(start, end) for start, end in encoded["offset_mapping"]]

    def unreadable(self, text: str) -> list[str]:
        """Return the parts of a text that the tokenizer does not know, such as emoji. All of them are one token."""
        if text.isascii():
            return []
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        tokens = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return [text[start:end] for token, (start, end) in tokens if token == self.tokenizer.unk_token_id]

    def verdicts(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return the probability of each label of the head `verdict`. The order of the two texts does not matter."""
        pairs = [in_order(one, other) for one, other in zip(*check_pairs(first, second), strict=True)]
        logits = self.logits([one for one, _ in pairs], [other for _, other in pairs], head=VERDICT)
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        probabilities: np.ndarray = shifted / shifted.sum(axis=1, keepdims=True)
        return probabilities

    def probabilities(self, logits: np.ndarray) -> np.ndarray:
        """Return the probability that the second text answers the first, for logits of the head `relevance`."""
        if self.calibration is None:
            raise InputError(
                f"{self.name} is not calibrated: its card has no slope and offset under reranking.calibration. Fit "
                "them on judged pairs, or leave calibrated out"
            )
        slope, offset = self.calibration
        # The logistic function, without overflow.
        probabilities: np.ndarray = 0.5 * (1 + np.tanh((slope * np.asarray(logits) + offset) / 2))
        return probabilities

    def facts(self) -> dict[str, Any]:
        """Return what a signature needs: hashes of the weights and the base, and versions of the libraries."""
        return {**self._hashes, "longest": self.longest, "libraries": versions(self.libraries)}

    @property
    def device(self) -> str:
        """Where the model runs, as torch names it."""
        return str(self.model.device)

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

    def _chunk_logits(
        self, pairs: Sequence[tuple[str, str]], head: str, batch_tokens: int, known: Mapping[str, np.ndarray] | None
    ) -> np.ndarray:
        tokens = pair_tokens(self.tokenizer, pairs, longest=self.longest, known=known)
        logits = np.zeros((len(pairs), len(self.heads[head])) if self.heads[head] else len(pairs))
        for rows in batches([len(row.ids) for row in tokens], batch_tokens):
            logits[rows] = self._batch_logits([tokens[row] for row in rows], head)
        return logits

    def _batch_logits(self, rows: Sequence[Tokens], head: str) -> np.ndarray:
        """Return the logits of one batch. A scorer without torch replaces this method and `device`."""
        torch = require("torch", extra="models", why="pair models")
        self.model.eval()
        with torch.inference_mode():
            logits: Any = self.model(*padded(rows, self.padding, self.model.device), head=head)
        found: np.ndarray = logits.float().cpu().numpy()
        return found
