"""A reference and a candidate read together: the frozen base's lower layers, own upper layers, one number."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from litotes.models.scorer.likeness import A_LEVEL, Likeness, likenesses
from litotes.models.scorer.surprise import NUMBERS, Surprise, expected
from litotes.models.trunk import mean, run_layers, topmost

HEAD = 128


class PairModel(nn.Module):
    """The score of a pair is one number before the sigmoid. Base and embeddings are frozen; all else is trained.

    The head sees the first token, and the two sides' means multiplied and subtracted: what the sides share, and where
    they part. What unlike or clumsy sides cost is fitted afterwards, if at all, and taken off at the end (`Likeness`).
    `framing` are the ids that stand around the two texts.
    """

    framing: Tensor

    def __init__(self, base: Any, *, shared_layers: int, own_layers: int, framing: Sequence[int] = ()) -> None:
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
        self.register_buffer("framing", torch.tensor(sorted(set(framing)), dtype=torch.long), persistent=False)
        self.surprise: Surprise | None = None
        self.likeness: Likeness | None = None

    def with_surprise(self) -> Surprise:
        """A head of its own for how little a language model would expect each token, untrained."""
        self.surprise = Surprise(len(self.base.encoder.layer) + 2, self.base.config.hidden_size).to(self.device)
        return self.surprise

    @property
    def numbers(self) -> int:
        """How many numbers of a pair its cost is fitted to."""
        return A_LEVEL * (len(self.base.encoder.layer) + 1) + (NUMBERS if self.surprise is not None else 0)

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
        score, levels = self.read(input_ids, attention_mask, sides)
        if self.training or self.likeness is None:
            return score
        seen = self.seen(levels, input_ids, attention_mask, sides)
        return self.likeness.applied(score, seen, (attention_mask * (1 - sides)).sum(dim=-1))

    def read(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> tuple[Tensor, list[Tensor]]:
        """The score before any cost, and the tokens' vectors at every frozen level and after the own layers."""
        below = self.below(input_ids, attention_mask)
        hidden = run_layers(self.base, self.own, below[-1] + self.side(sides), attention_mask).float()
        one, other = mean(hidden, attention_mask * (1 - sides)), mean(hidden, attention_mask * sides)
        found = torch.cat([hidden[:, 0], one * other, (one - other).abs()], dim=-1)
        score: Tensor = self.outer(nn.functional.gelu(self.inner(found))).squeeze(-1)
        return score, [*below, hidden]

    def seen(self, levels: list[Tensor], input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """What the cost is fitted to: how alike the sides are, and how expected, where that was learnt."""
        alike = likenesses(levels[:-1], attention_mask * (1 - sides), attention_mask * sides)
        if self.surprise is None:
            return alike
        words = self.words(input_ids, attention_mask)
        guessed = self.surprise(levels, attention_mask)
        return torch.cat([alike, expected(guessed, words * (1 - sides), words * sides)], dim=-1)

    def words(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """1 at the tokens of the two texts, 0 at what stands around them."""
        return attention_mask * (~torch.isin(input_ids, self.framing)).long()

    @torch.no_grad()
    def below(self, input_ids: Tensor, attention_mask: Tensor) -> list[Tensor]:
        """The tokens' vectors as embedded, and after each frozen layer."""
        found = [self.base.embeddings(input_ids=input_ids)]
        for layer in self.base.encoder.layer:
            found.append(run_layers(self.base, [layer], found[-1], attention_mask))
        return found
