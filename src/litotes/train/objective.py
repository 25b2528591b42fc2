"""The loss of fine-tuning as a sentence-transformers trainer calls it: contrast, replay, distance to the base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from litotes.train.losses import contrastive_loss, distance_to_base, negatives

if TYPE_CHECKING:
    from litotes.train.config import FinetuneTraining


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
        found: Tensor = self.model(features)["sentence_embedding"].float()
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
