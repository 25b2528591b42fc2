"""The pair model: an encoder that reads two texts together, with low-rank updates and one head per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from litotes.models.adapted import AdaptedEncoder
from litotes.models.encoder_layers import masked_mean


class TextPairModel(AdaptedEncoder):
    """A cross-encoder on a frozen base. Each head returns one logit per pair, or one per label.

    The input of a head is the mean of all token vectors of the last layer.
    """

    def __init__(self, base: Any, *, rank: int, scale: float, layers: int, heads: Mapping[str, Sequence[str]]) -> None:
        super().__init__(base, rank=rank, scale=scale, layers=layers)
        self._segments = int(getattr(base.config, "type_vocab_size", 1)) > 1 and base.config.model_type == "bert"
        width = base.config.hidden_size
        self.heads.update({name: new_head(width, len(labels) or 1) for name, labels in heads.items()})

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
