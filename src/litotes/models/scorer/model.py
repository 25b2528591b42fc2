"""A reference and a candidate read together: the frozen base's lower layers, own upper layers, one number."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from litotes.models.scorer.likeness import Likeness, likenesses
from litotes.models.trunk import mean, run_layers, topmost

HEAD = 128


class PairModel(nn.Module):
    """The score of a pair is one number before the sigmoid. Base and embeddings are frozen; all else is trained.

    The head sees the first token, and the two sides' means multiplied and subtracted: what the sides share, and where
    they part. What unlike sides cost is fitted afterwards, if at all, and taken off at the end (`Likeness`).
    """

    def __init__(self, base: Any, *, shared_layers: int, own_layers: int) -> None:
        super().__init__()
        self.own = nn.ModuleList(copy.deepcopy(layer) for layer in topmost(base, own_layers))
        base.encoder.layer = base.encoder.layer[:shared_layers]
        base.pooler = None
        self.base = base.requires_grad_(False)
        width = base.config.hidden_size
        # Bases differ in whether they know a second segment: so the sides are told apart where the own layers begin.
        self.side = nn.Embedding(2, width)
        nn.init.zeros_(self.side.weight)
        self.inner = nn.Linear(3 * width, HEAD)
        self.outer = nn.Linear(HEAD, 1)
        self.likeness: Likeness | None = None

    @property
    def device(self) -> torch.device:
        return self.outer.weight.device

    def train(self, mode: bool = True) -> PairModel:
        """Training mode for what is trained; the base knows no dropout."""
        super().train(mode)
        self.base.eval()
        return self

    def own_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """What is trained, by name."""
        return ((name, value) for name, value in self.named_parameters() if not name.startswith("base."))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """`sides` is 0 at the reference's tokens and 1 at the candidate's."""
        below = self.below(input_ids, attention_mask)
        hidden = run_layers(self.base, self.own, below[-1] + self.side(sides), attention_mask).float()
        reference, candidate = attention_mask * (1 - sides), attention_mask * sides
        one, other = mean(hidden, reference), mean(hidden, candidate)
        found = torch.cat([hidden[:, 0], one * other, (one - other).abs()], dim=-1)
        score: Tensor = self.outer(nn.functional.gelu(self.inner(found))).squeeze(-1)
        if self.training or self.likeness is None:
            return score
        return self.likeness.applied(score, likenesses(below, reference, candidate), reference.sum(dim=-1))

    @torch.no_grad()
    def below(self, input_ids: Tensor, attention_mask: Tensor) -> list[Tensor]:
        """The tokens' vectors as embedded, and after each frozen layer."""
        found = [self.base.embeddings(input_ids=input_ids)]
        for layer in self.base.encoder.layer:
            found.append(run_layers(self.base, [layer], found[-1], attention_mask))
        return found
