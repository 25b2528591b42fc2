"""A head that predicts the log-probability of each token of a pair under a language model.

A language model finds a clumsy translation unlikely, even more so after the reference. Running one would cost many
times as much as the metric, but its log-probabilities can be learned from text without ratings.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from litotes.models.scorer.likeness import worst

ALONE, AFTER = 0, 1
"""the two predictions per token: its log-probability in its own text, and after the other text"""
NUMBERS = 8
"""features of a pair: both predictions for each text, as the mean and in the worst quarter"""
WIDTH, KERNEL, CONVOLUTIONS = 128, 5, 2


class Surprise(nn.Module):
    """Predicts log-probabilities of tokens from their vectors at all levels and from their neighbours."""

    def __init__(self, levels: int, width: int) -> None:
        super().__init__()
        self.narrow = nn.Linear(levels * width, WIDTH)
        self.near = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2) for _ in range(CONVOLUTIONS))
        self.out = nn.Linear(WIDTH, 2)

    def forward(self, levels: list[Tensor], attention_mask: Tensor) -> Tensor:
        """Return two predictions per token. Padding has no effect."""
        kept = attention_mask.unsqueeze(-1).to(levels[-1].dtype)
        hidden = nn.functional.gelu(self.narrow(torch.cat([level.float() for level in levels], dim=-1))) * kept
        for near in self.near:
            hidden = (hidden + nn.functional.gelu(near(hidden.mT).mT)) * kept
        predicted: Tensor = self.out(hidden)
        return predicted


def expected(guessed: Tensor, reference: Tensor, candidate: Tensor) -> Tensor:
    """Return the features of each pair from the predictions of its tokens. The masks are 1 for the tokens of a text."""
    numbers = []
    for side in (reference, candidate):
        count = side.sum(dim=-1).clamp(min=1)
        for one in (ALONE, AFTER):
            values = guessed[..., one].float()
            numbers += [(values * side).sum(dim=-1) / count, worst(values, side)[0]]
    return torch.stack(numbers, dim=-1)
