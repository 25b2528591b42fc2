"""The metric's loss: the cross-entropy of each pair's score and, if configured, of its tokens' surprisal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from litotes.models.pair_tokens import Tokens, padded, pair_tokens, special_tokens
from litotes.models.scorer import MetricScorer
from litotes.training.frozen_base import FrozenBaseLoss, process_count, process_number
from litotes.training.surprisal import surprisal_loss

PIECES = 2
"""Pieces of similar length that a batch is run in, so that little of it is padding."""
TOKENIZED_AT_ONCE = 10_000
UNKNOWN = np.zeros((0, 2), dtype=np.float16)
"""The log-probabilities of a pair that a language model did not read."""


class MetricLoss(FrozenBaseLoss):
    """A metric with its loss. The processes share the pairs of a batch."""

    def __init__(
        self,
        scorer: MetricScorer,
        pairs: Sequence[tuple[str, str, float]],
        *,
        max_tokens: int,
        surprisal_weight: float,
        log_probabilities: Mapping[tuple[str, str], np.ndarray],
    ) -> None:
        """`pairs` are references, candidates and scores; a score of NaN has no loss."""
        super().__init__(scorer.model)
        self._scorer, self._weight = scorer, surprisal_weight
        texts = [(reference, candidate) for reference, candidate, _ in pairs]
        self._tokens: list[Tokens] = []
        for start in range(0, len(texts), TOKENIZED_AT_ONCE):
            piece = texts[start : start + TOKENIZED_AT_ONCE]
            self._tokens += pair_tokens(scorer.tokenizer, piece, longest=max_tokens)
        self._scores = [score for *_, score in pairs]
        self._log_probabilities = self._aligned([log_probabilities.get(pair, UNKNOWN) for pair in texts])

    def loss(self, indices: Sequence[int]) -> Tensor:
        """Return the mean loss over the pairs of a batch."""
        own = indices[process_number() :: process_count()]
        if not own:
            # Every process must take part in the backward pass.
            return 0.0 * self._summed(indices[:1])
        total = torch.stack([self._summed(rows) for rows in self._pieces(own)]).sum()
        return total * process_count() / len(indices)

    def _pieces(self, indices: Sequence[int]) -> Iterator[list[int]]:
        ordered = sorted(indices, key=lambda index: (len(self._tokens[index].ids), index))
        size = math.ceil(len(ordered) / PIECES)
        return (ordered[start : start + size] for start in range(0, len(ordered), size))

    def _summed(self, indices: Sequence[int]) -> Tensor:
        """Return the summed loss; a score counts as the probability that the candidate keeps the message."""
        padding = int(self._scorer.tokenizer.pad_token_id or 0)
        model = self._scorer.model
        ids, mask, sides = padded([self._tokens[index] for index in indices], padding, model.device)
        scores = torch.tensor([self._scores[index] for index in indices], device=model.device)
        with self.half_precision():
            logits, levels = model.read(ids, mask, sides)
            guesses = None if model.surprise is None else model.surprise(levels, mask)
        known = ~scores.isnan()
        loss: Tensor = torch.nn.functional.binary_cross_entropy_with_logits(
            logits.float()[known], scores[known], reduction="sum"
        )
        if guesses is None:
            return loss
        expected = [self._log_probabilities[index] for index in indices]
        surprisal = surprisal_loss(guesses.float(), expected, model.words(ids, mask), sides)
        return loss + self._weight * surprisal.sum()

    def _aligned(self, log_probabilities: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return each pair's log-probabilities if there is one row per word; a long pair was cut and has none."""
        special = special_tokens(self._scorer.tokenizer)
        words = (len(row.ids) - int(np.isin(row.ids, special).sum()) for row in self._tokens)
        return [rows if len(rows) == count else UNKNOWN for rows, count in zip(log_probabilities, words, strict=True)]
