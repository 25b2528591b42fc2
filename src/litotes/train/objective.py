"""The loss of fine-tuning as a sentence-transformers trainer calls it: contrast, replay, distance to the base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from litotes.train.losses import contrastive_loss, distance_to_base, negatives

if TYPE_CHECKING:
    from litotes.train.config import FinetuneTraining


PIECES = 4
"""a batch is run in so many pieces of like length: little of it is padding"""


class Objective(nn.Module):
    """HedgeTriple's Eq. 1 on a batch of `Batches`, over cosines or, for a base that compares so, dot products."""

    def __init__(self, model: Any, config: FinetuneTraining) -> None:
        super().__init__()
        # Under this name the trainer finds the model, and puts its wrapped form where several processes train.
        self.model = model
        self._config = config
        self._cosine = str(model.similarity_fn_name) != "dot"

    def forward(self, features: Sequence[dict[str, Tensor]], labels: Mapping[str, Mapping[str, Tensor]]) -> Tensor:
        """`features` are the texts of the examples and, where there is replay, of the replayed ones."""
        config = self._config
        vectors = self._vectors(features[0])
        loss = self._contrast(vectors, labels["examples"], in_batch=config.in_batch)
        if "replay" in labels:
            again = self._vectors(features[1])
            loss = loss + config.replay_weight * self._contrast(again, labels["replay"], in_batch=True)
            if config.distance_weight:
                now = nn.functional.normalize(again, dim=-1)
                loss = loss + config.distance_weight * distance_to_base(labels["replay"]["base"], now)
        return loss

    def _vectors(self, features: dict[str, Tensor]) -> Tensor:
        """The losses are worked out in float32 everywhere."""
        mask = features.get("attention_mask")
        if mask is None or len(mask) < PIECES:
            found: Tensor = self.model(features)["sentence_embedding"].float()
        else:
            # As many pieces in every process: they must call their models equally often.
            order = torch.argsort(mask.sum(dim=1), stable=True)
            pieces = [self.model(_some(features, rows)) for rows in order.tensor_split(PIECES)]
            found = torch.cat([piece["sentence_embedding"] for piece in pieces]).float()[torch.argsort(order)]
        return nn.functional.normalize(found, dim=-1) if self._cosine else found

    def _contrast(self, vectors: Tensor, related: Mapping[str, Tensor], *, in_batch: bool) -> Tensor:
        """The loss over all documents of the batch; a row's own negatives are hard and the others', if asked, easy."""
        queries, positives = related["queries"], related["positives"]
        documents = torch.unique(torch.cat([positives, related["hard"][:, 1]]))
        hard, easy = negatives(queries, positives, related["hard"], documents)
        return contrastive_loss(
            vectors[queries] @ vectors[documents].T,
            torch.searchsorted(documents, positives),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            scale=self._config.scale,
            hard_weight=self._config.hard_weight,
        )


def _some(features: Mapping[str, Tensor], rows: Tensor) -> dict[str, Tensor]:
    """Some texts of a batch, without the columns that are padding in all of them."""
    mask = features["attention_mask"]
    there = mask[rows].any(dim=0).nonzero()
    columns = slice(int(there[0]), int(there[-1]) + 1) if len(there) else slice(0, 1)
    return {
        name: value[rows][:, columns] if torch.is_tensor(value) and value.shape == mask.shape else value
        for name, value in features.items()
    }
