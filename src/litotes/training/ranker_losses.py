"""The losses of rankers, as modules that a sentence-transformers trainer calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from sentence_transformers.multi_vector_encoder.scoring import colbert_scores
from sentence_transformers.util import batch_to_device
from torch import Tensor, nn

from litotes.training.losses import contrastive_loss, negatives


class LateLoss(nn.Module):
    """ColBERT's loss on a batch of `RoleCollator`: a softmax over the documents' scores, each a sum of best matches."""

    def __init__(
        self, model: Any, *, scale: float, hard_weight: float, in_batch: bool, replay_weight: float = 1.0
    ) -> None:
        super().__init__()
        # The trainer looks the model up by this name, and puts its wrapped form here if several processes train.
        self.model = model
        self._in_batch, self._replay_weight = in_batch, replay_weight
        self._weights = {"scale": scale, "hard_weight": hard_weight}
        self._mean = str(model.similarity_fn_name) == "meanmaxsim"

    def forward(self, features: Sequence[dict[str, Any]], labels: Mapping[str, Mapping[str, Tensor]]) -> Tensor:
        """`features` are queries and documents of the examples and, if there is replay, of the replayed ones."""
        loss = self._contrast(features[0], features[1], labels["examples"], in_batch=self._in_batch)
        if "replay" in labels:
            replayed = self._contrast(features[2], features[3], labels["replay"], in_batch=True)
            loss = loss + self._replay_weight * replayed
        return loss

    def _contrast(
        self, queries: dict[str, Any], documents: dict[str, Any], relations: Mapping[str, Tensor], *, in_batch: bool
    ) -> Tensor:
        columns = relations["documents"]
        hard, easy = negatives(relations["queries"], relations["positives"], relations["hard"], columns)
        return contrastive_loss(
            self._scores(queries, documents),
            torch.searchsorted(columns, relations["positives"]),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            **self._weights,
        )

    def _scores(self, queries: dict[str, Any], documents: dict[str, Any]) -> Tensor:
        """Return the scores of every query with every document by the model's own similarity, in float32."""
        query, document = self.model(dict(queries), task="query"), self.model(dict(documents), task="document")
        query_mask, document_mask = query["attention_mask"].bool(), document["attention_mask"].bool()
        scores: Tensor = colbert_scores(
            query["token_embeddings"].float(),
            document["token_embeddings"].float().unsqueeze(1),
            queries_mask=query_mask,
            documents_mask=document_mask.unsqueeze(1),
        )
        return scores / query_mask.sum(dim=1, keepdim=True).clamp(min=1) if self._mean else scores


class CrossLoss(nn.Module):
    """Each pair judged alone, or the documents of a query against each other; on the log-odds of the head's label."""

    def __init__(
        self, model: Any, *, listwise: bool, label: int | None, prompt: str | None, replay_weight: float = 1.0
    ) -> None:
        """`label` is the head's label that is the score; None if the head has only one."""
        super().__init__()
        self.model = model
        self._label, self._prompt, self._replay_weight = label, prompt, replay_weight
        self._loss = listwise_losses if listwise else binary_losses

    def forward(self, features: Sequence[Any], labels: Tensor, prompt: Any = None, task: Any = None) -> Tensor:
        """`features` are the queries and the documents of each, its positive first; `labels` mark the replayed ones."""
        queries, documents = features
        pairs = [(query, text) for query, texts in zip(queries, documents, strict=True) for text in texts]
        device = next(self.model.parameters()).device
        # A plain dictionary: with several processes, the library looks for gradients in what the model returns.
        tokens = dict(batch_to_device(self.model.preprocess(pairs, prompt=self._prompt, task=task), device))
        scores = log_odds(self.model(tokens)["scores"].float(), self._label)
        losses = self._loss(torch.split(scores, [len(texts) for texts in documents]))
        replayed = labels.to(device).bool()
        loss = losses[~replayed].mean()
        return loss + self._replay_weight * losses[replayed].mean() if replayed.any() else loss


def log_odds(logits: Tensor, label: int | None) -> Tensor:
    """Return the log-odds of a label against all others; a single logit is already one."""
    if label is None:
        return logits.reshape(-1)
    others = [at for at in range(logits.shape[1]) if at != label]
    return logits[:, label] - logits[:, others].logsumexp(dim=1)


def binary_losses(scores: Sequence[Tensor]) -> Tensor:
    """Return the binary cross-entropy per query: its positive counts as much as its negatives together."""
    losses = [nn.functional.softplus(-row[:1]).sum() + nn.functional.softplus(row[1:]).mean() for row in scores]
    return torch.stack(losses) / 2


def listwise_losses(scores: Sequence[Tensor]) -> Tensor:
    """Return the cross-entropy per query of its positive, which comes first, among its documents."""
    return torch.stack([row.logsumexp(dim=0) - row[0] for row in scores])
