"""The pair model: an encoder that reads two texts together, with low-rank updates and one head per task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from litotes.models.encoder_layers import last_layers, masked_mean
from litotes.models.updates import OWN, add_updates, merge_updates


class TextPairModel(nn.Module):
    """A cross-encoder on a frozen base. Each head returns one logit per pair, or one per label.

    The input of a head is the mean of all token vectors of the last layer.
    """

    def __init__(self, base: Any, *, rank: int, scale: float, layers: int, heads: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        base.pooler = None
        self.base = base.requires_grad_(False)
        self.dropout = False
        self._segments = int(getattr(base.config, "type_vocab_size", 1)) > 1 and base.config.model_type == "bert"
        add_updates(last_layers(base, layers), rank=rank, scale=scale)
        width = base.config.hidden_size
        self.heads = nn.ModuleDict({name: new_head(width, len(labels) or 1) for name, labels in heads.items()})

    @property
    def device(self) -> torch.device:
        return next(self.heads.parameters()).device

    def train(self, mode: bool = True) -> TextPairModel:
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

    def forward(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor, head: str) -> Tensor:
        """Return one logit per pair, or a row of them. `sides` is 0 for tokens of the first text, 1 for the second."""
        return self.logits(self.pooled(input_ids, attention_mask, sides), head)

    def logits(self, pooled: Tensor, head: str) -> Tensor:
        """Return a head's logits for mean token vectors."""
        logits: Tensor = self.heads[head](pooled)
        return logits.squeeze(-1) if logits.shape[-1] == 1 else logits

    def pooled(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """Return the mean token vector of each pair."""
        features = {"input_ids": input_ids, "attention_mask": attention_mask}
        if self._segments:
            # As the base's own tokenizer numbers them: the special token after the second text belongs to it.
            features["token_type_ids"] = (sides.cumsum(dim=1) > 0).long() * attention_mask
        hidden = self.base(**features).last_hidden_state
        return masked_mean(hidden.float(), attention_mask)


def new_head(width: int, outputs: int = 1) -> nn.Module:
    """Return an untrained head: two linear layers, from the mean token vector to the logits."""
    return nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, outputs))
