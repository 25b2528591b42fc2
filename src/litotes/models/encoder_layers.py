"""Run single layers of a frozen encoder, and average token vectors: shared by the tower and pair models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn

BASE_TYPES = ("bert", "roberta", "xlm-roberta", "camembert", "mpnet")
"""Supported architectures: embeddings, then encoder.layer, where each layer takes the output of the one before."""


def last_layers(base: Any, count: int) -> list[nn.Module]:
    """Return the last `count` layers of an encoder."""
    layers: list[nn.Module] = list(base.encoder.layer)
    return layers[len(layers) - count :]


def run_layers(base: Any, layers: Iterable[nn.Module], hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """Run some layers over token vectors, with the arguments that the base's own encoder would pass to them."""
    from transformers.masking_utils import create_bidirectional_mask

    context: list[Any] = [create_bidirectional_mask(base.config, hidden, attention_mask)]
    if hasattr(base.encoder, "compute_position_bias"):
        context.append(base.encoder.compute_position_bias(hidden))
    for layer in layers:
        output = layer(hidden, *context)
        hidden = output[0] if isinstance(output, tuple) else output
    return hidden


def masked_mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of the token vectors under the mask; zeros if the mask is empty."""
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
