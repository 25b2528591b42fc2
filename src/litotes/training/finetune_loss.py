"""The loss of fine-tuning, as a module that a sentence-transformers trainer calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from litotes.training.losses import contrastive_loss, distance_to_base, negatives

if TYPE_CHECKING:
    from litotes.training.config import FinetuneTraining


PIECES = 4
"""Pieces of similar text length that a batch is run in, so that little of it is padding."""


class FinetuneLoss(nn.Module):
    """HedgeTriple's Eq. 1, replay and distance to the base on a batch of `TextCollator`.

    Vectors are compared by cosine or, if the base's own similarity is the dot product, by that.
    """

    def __init__(self, model: Any, config: FinetuneTraining) -> None:
        super().__init__()
        # The trainer looks the model up by this name, and puts its wrapped form here if several processes train.
        self.model = model
        self._config = config
        self._cosine = str(model.similarity_fn_name) != "dot"

    def forward(self, features: Sequence[dict[str, Tensor]], labels: Mapping[str, Mapping[str, Tensor]]) -> Tensor:
        """`features` are the texts of the examples and, if there is replay, of the replayed ones."""
        config = self._config
        vectors = self._vectors(features[0])
        loss = self._contrast(vectors, labels["examples"], in_batch=config.in_batch)
        if "replay" in labels:
            replayed = self._vectors(features[1])
            loss = loss + config.replay_weight * self._contrast(replayed, labels["replay"], in_batch=True)
            if config.distance_weight:
                directions = nn.functional.normalize(replayed, dim=-1)
                loss = loss + config.distance_weight * distance_to_base(labels["replay"]["base"], directions)
        return loss

    def _vectors(self, features: dict[str, Tensor]) -> Tensor:
        """Return the vectors in float32, in which the losses are always computed."""
        mask = features.get("attention_mask")
        if mask is None or len(mask) < PIECES:
            vectors: Tensor = self.model(features)["sentence_embedding"].float()
        else:
            # The number of pieces is fixed, because all processes must call their models equally often.
            order = torch.argsort(mask.sum(dim=1), stable=True)
            pieces = [self.model(_rows_of(features, rows)) for rows in order.tensor_split(PIECES)]
            vectors = torch.cat([piece["sentence_embedding"] for piece in pieces]).float()[torch.argsort(order)]
        return nn.functional.normalize(vectors, dim=-1) if self._cosine else vectors

    def _contrast(self, vectors: Tensor, relations: Mapping[str, Tensor], *, in_batch: bool) -> Tensor:
        """Return the loss over the batch's documents; with `in_batch`, those of other queries are negatives too."""
        queries, positives = relations["queries"], relations["positives"]
        documents = torch.unique(torch.cat([positives, relations["hard"][:, 1]]))
        hard, easy = negatives(queries, positives, relations["hard"], documents)
        return contrastive_loss(
            vectors[queries] @ vectors[documents].T,
            torch.searchsorted(documents, positives),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            scale=self._config.scale,
            hard_weight=self._config.hard_weight,
        )


def _rows_of(features: Mapping[str, Tensor], rows: Tensor) -> dict[str, Tensor]:
    """Return some texts of a batch, without the columns that are padding in all of them."""
    mask = features["attention_mask"]
    used = mask[rows].any(dim=0).nonzero()
    columns = slice(int(used[0]), int(used[-1]) + 1) if len(used) else slice(0, 1)
    return {
        name: value[rows][:, columns] if torch.is_tensor(value) and value.shape == mask.shape else value
        for name, value in features.items()
    }
