"""Trained updates of the linear layers of an encoder, whose own weights stay frozen.

An update of a given rank (LoRA) is W + scale · up · down. An update of full rank is W + change. A loaded model has its
updates merged into W, so it costs what the encoder costs and needs no other library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor, nn

OWN = (".down", ".up", ".change")
"""What the names of the trained parameters of an update end with."""
SCALE = 2.0
"""What an update of low rank is multiplied by."""


class LowRankLinear(nn.Module):
    """A frozen linear layer with a trained update of low rank; the update starts at zero."""

    def __init__(self, linear: nn.Linear, *, rank: int, scale: float) -> None:
        super().__init__()
        self.linear, self.scale = linear, scale
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the layer's output plus that of the update."""
        update = nn.functional.linear(nn.functional.linear(hidden, self.down), self.up)
        output: Tensor = self.linear(hidden) + self.scale * update
        return output

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Return the layer with the update added to its weight."""
        self.linear.weight += self.scale * (self.up.float() @ self.down.float()).to(self.linear.weight.dtype)
        return self.linear


class FullRankLinear(nn.Module):
    """A frozen linear layer with a trained update of every weight; the update starts at zero."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear = linear
        self.change = nn.Parameter(torch.zeros_like(linear.weight))

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the output of the layer with its update."""
        return nn.functional.linear(hidden, self.linear.weight + self.change, self.linear.bias)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Return the layer with the update added to its weight."""
        self.linear.weight += self.change.to(self.linear.weight.dtype)
        return self.linear


def add_updates(layers: Iterable[nn.Module], *, rank: int, scale: float = SCALE) -> None:
    """Give every linear layer in some layers of an encoder an update; a rank of 0 means full rank."""
    for layer in layers:
        for parent, name, linear in list(_linear_layers(layer)):
            update = LowRankLinear(linear, rank=rank, scale=scale) if rank else FullRankLinear(linear)
            setattr(parent, name, update)


def merge_updates(layers: Iterable[nn.Module]) -> None:
    """Add every update to the weight of its linear layer; the layers then have their original structure."""
    for layer in layers:
        for parent in list(layer.modules()):
            for name, child in list(parent.named_children()):
                if isinstance(child, LowRankLinear | FullRankLinear):
                    setattr(parent, name, child.merged())


def _linear_layers(layer: nn.Module) -> Iterator[tuple[nn.Module, str, nn.Linear]]:
    for parent in layer.modules():
        for name, child in parent.named_children():
            if isinstance(child, nn.Linear):
                yield parent, name, child
