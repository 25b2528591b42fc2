"""A frozen encoder with trained updates and heads: shared by pair models and the query splitter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from litotes.models.encoder_layers import last_layers
from litotes.models.updates import OWN, add_updates, merge_updates


class AdaptedEncoder(nn.Module):
    """A frozen base with an update of each linear layer, and heads. A subclass says what the heads read."""

    def __init__(self, base: Any, *, rank: int, scale: float, layers: int) -> None:
        super().__init__()
        base.pooler = None
        self.base = base.requires_grad_(False)
        self.dropout = False
        self.heads = nn.ModuleDict()
        add_updates(last_layers(base, layers), rank=rank, scale=scale)

    @property
    def device(self) -> torch.device:
        return next(self.heads.parameters()).device

    def train(self, mode: bool = True) -> AdaptedEncoder:
        """Set the mode of the model; without `dropout`, the base stays in evaluation mode."""
        super().train(mode)
        self.base.train(mode and self.dropout)
        return self

    def own_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Return the trained parameters by name: the updates and the heads."""
        return (
            (name, value) for name, value in self.named_parameters() if name.startswith("heads.") or name.endswith(OWN)
        )

    def merge(self) -> None:
        """Merge the updates into the base: the model is as fast as its base, and cannot be trained further."""
        merge_updates(self.base.encoder.layer)
