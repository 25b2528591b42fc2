"""The metric's neural network: the frozen lower layers of a base, trained upper layers, and one output."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from litotes.models.encoder_layers import last_layers, masked_mean, run_layers
from litotes.models.scorer.likeness import A_LEVEL, Likeness, likenesses
from litotes.models.scorer.surprise import NUMBERS, Surprise, expected

HEAD_WIDTH = 128


class PairModel(nn.Module):
    """A cross-encoder with one output, before the sigmoid. The base and its embeddings are frozen.

    The input of the head is the vector of the first token, and the product and the absolute difference of the mean
    vectors of the two texts. A correction for dissimilar or clumsy texts can be fitted afterwards (`Likeness`).
    `framing` are the ids of the special tokens.
    """

    framing: Tensor

    def __init__(self, base: Any, *, shared_layers: int, own_layers: int, framing: Sequence[int] = ()) -> None:
        super().__init__()
        self.own = nn.ModuleList(copy.deepcopy(layer) for layer in last_layers(base, own_layers))
        base.encoder.layer = base.encoder.layer[:shared_layers]
        base.pooler = None
        self.base = base.requires_grad_(False)
        width = base.config.hidden_size
        # Not all bases have segment embeddings, so the two sides are marked at the input of the own layers.
        self.side = nn.Embedding(2, width)
        nn.init.zeros_(self.side.weight)
        self.inner = nn.Linear(3 * width, HEAD_WIDTH)
        self.outer = nn.Linear(HEAD_WIDTH, 1)
        self.register_buffer("framing", torch.tensor(sorted(set(framing)), dtype=torch.long), persistent=False)
        self.surprise: Surprise | None = None
        self.likeness: Likeness | None = None

    def with_surprise(self) -> Surprise:
        """Add an untrained head that predicts how unlikely each token is for a language model."""
        self.surprise = Surprise(len(self.base.encoder.layer) + 2, self.base.config.hidden_size).to(self.device)
        return self.surprise

    @property
    def numbers(self) -> int:
        """Return how many features of a pair the correction is fitted to."""
        return A_LEVEL * (len(self.base.encoder.layer) + 1) + (NUMBERS if self.surprise is not None else 0)

    @property
    def device(self) -> torch.device:
        return self.outer.weight.device

    def train(self, mode: bool = True) -> PairModel:
        """Set the mode of the trained layers; the base stays in evaluation mode, without dropout."""
        super().train(mode)
        self.base.eval()
        return self

    def own_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Return the trained parameters by name."""
        return ((name, value) for name, value in self.named_parameters() if not name.startswith("base."))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """Return one score per pair. `sides` is 0 for tokens of the reference and 1 for tokens of the candidate."""
        score, levels = self.read(input_ids, attention_mask, sides)
        if self.training or self.likeness is None:
            return score
        seen = self.seen(levels, input_ids, attention_mask, sides)
        return self.likeness.applied(score, seen, (attention_mask * (1 - sides)).sum(dim=-1))

    def read(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return the score before the correction, and the token vectors of every level."""
        below = self.below(input_ids, attention_mask)
        hidden = run_layers(self.base, self.own, below[-1] + self.side(sides), attention_mask).float()
        one, other = masked_mean(hidden, attention_mask * (1 - sides)), masked_mean(hidden, attention_mask * sides)
        features = torch.cat([hidden[:, 0], one * other, (one - other).abs()], dim=-1)
        score: Tensor = self.outer(nn.functional.gelu(self.inner(features))).squeeze(-1)
        return score, [*below, hidden]

    def seen(self, levels: list[Tensor], input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """Return the features of the correction: similarities of the texts, and surprises if that head was trained."""
        alike = likenesses(levels[:-1], attention_mask * (1 - sides), attention_mask * sides)
        if self.surprise is None:
            return alike
        words = self.words(input_ids, attention_mask)
        guessed = self.surprise(levels, attention_mask)
        return torch.cat([alike, expected(guessed, words * (1 - sides), words * sides)], dim=-1)

    def words(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return a mask that is 1 for tokens of the two texts and 0 for special tokens and padding."""
        return attention_mask * (~torch.isin(input_ids, self.framing)).long()

    @torch.no_grad()
    def below(self, input_ids: Tensor, attention_mask: Tensor) -> list[Tensor]:
        """Return the token vectors of the embeddings and of each frozen layer."""
        levels = [self.base.embeddings(input_ids=input_ids)]
        for layer in self.base.encoder.layer:
            levels.append(run_layers(self.base, [layer], levels[-1], attention_mask))
        return levels
