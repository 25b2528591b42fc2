"""What stands on a frozen encoder shares: running some of its layers as it would itself, and the mean over tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn

BASE_TYPES = ("bert", "roberta", "xlm-roberta", "camembert", "mpnet")
"""the architectures one can stand on: embeddings, then encoder.layer, each layer fed by the one below"""


def topmost(base: Any, count: int) -> list[nn.Module]:
    """The last layers of an encoder."""
    layers: list[nn.Module] = list(base.encoder.layer)
    return layers[len(layers) - count :]


def run_layers(base: Any, layers: Iterable[nn.Module], hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """Some layers over token vectors; each is given what the base's own encoder would give it."""
    from transformers.masking_utils import create_bidirectional_mask

    context: list[Any] = [create_bidirectional_mask(base.config, hidden, attention_mask)]
    if hasattr(base.encoder, "compute_position_bias"):
        context.append(base.encoder.compute_position_bias(hidden))
    for layer in layers:
        found = layer(hidden, *context)
        hidden = found[0] if isinstance(found, tuple) else found
    return hidden


def mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """The mean of the token vectors that the mask keeps; zeros where it keeps none."""
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1e-9)
