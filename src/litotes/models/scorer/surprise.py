"""How little a language model expects each token of a pair, guessed from what the layers hold of it.

A clumsy translation is one a language model stumbles over, and more so after the reference. To ask one would cost many
times what the metric does; but what it says can be learnt, since that takes no ratings, only text.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from litotes.models.scorer.likeness import worst

ALONE, AFTER = 0, 1
"""the two guesses of a token's log-probability: in its text by itself, and after the other side"""
NUMBERS = 8
"""of a pair: for either side both guesses, in the mean and in the worst quarter"""
NARROW, REACH, TURNS = 128, 5, 2


class Surprise(nn.Module):
    """A token's log-probabilities, from its vectors at all levels and from its neighbours: words are odd in a place."""

    def __init__(self, levels: int, width: int) -> None:
        super().__init__()
        self.narrow = nn.Linear(levels * width, NARROW)
        self.near = nn.ModuleList(nn.Conv1d(NARROW, NARROW, REACH, padding=REACH // 2) for _ in range(TURNS))
        self.out = nn.Linear(NARROW, 2)

    def forward(self, levels: list[Tensor], attention_mask: Tensor) -> Tensor:
        """Two numbers a token; padding changes nothing."""
        kept = attention_mask.unsqueeze(-1).to(levels[-1].dtype)
        found = nn.functional.gelu(self.narrow(torch.cat([level.float() for level in levels], dim=-1))) * kept
        for near in self.near:
            found = (found + nn.functional.gelu(near(found.mT).mT)) * kept
        guessed: Tensor = self.out(found)
        return guessed


def expected(guessed: Tensor, reference: Tensor, candidate: Tensor) -> Tensor:
    """A pair's numbers, of its tokens'; the masks are 1 at the words of a side."""
    numbers = []
    for side in (reference, candidate):
        count = side.sum(dim=-1).clamp(min=1)
        for one in (ALONE, AFTER):
            values = guessed[..., one].float()
            numbers += [(values * side).sum(dim=-1) / count, worst(values, side)[0]]
    return torch.stack(numbers, dim=-1)
