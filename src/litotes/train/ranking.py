"""The losses of rankers, as modules a sentence-transformers trainer calls: contrast over documents, and replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from sentence_transformers.multi_vector_encoder.scoring import colbert_scores
from sentence_transformers.util import batch_to_device
from torch import Tensor, nn

from litotes.train.losses import contrastive_loss, negatives

if TYPE_CHECKING:
    from litotes.train.cross import CrossTraining
    from litotes.train.late import LateTraining


class LateObjective(nn.Module):
    """ColBERT's loss on a batch of `RoleBatches`: a softmax over the documents' scores, each a sum of best matches."""

    def __init__(self, model: Any, config: LateTraining) -> None:
        super().__init__()
        # Under this name the trainer finds the model, and puts its wrapped form where several processes train.
        self.model = model
        self._config = config
        self._mean = str(model.similarity_fn_name) == "meanmaxsim"

    def forward(self, features: Sequence[dict[str, Any]], labels: Mapping[str, Mapping[str, Tensor]]) -> Tensor:
        """`features` are queries and documents of the examples and, where there is replay, of the replayed ones."""
        loss = self._contrast(features[0], features[1], labels["examples"], in_batch=self._config.in_batch)
        if "replay" in labels:
            again = self._contrast(features[2], features[3], labels["replay"], in_batch=True)
            loss = loss + self._config.replay_weight * again
        return loss

    def _contrast(
        self, queries: dict[str, Any], documents: dict[str, Any], related: Mapping[str, Tensor], *, in_batch: bool
    ) -> Tensor:
        hard, easy = negatives(related["queries"], related["positives"], related["hard"], related["documents"])
        return contrastive_loss(
            self._scores(queries, documents),
            torch.searchsorted(related["documents"], related["positives"]),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            scale=self._config.scale,
            hard_weight=self._config.hard_weight,
        )

    def _scores(self, queries: dict[str, Any], documents: dict[str, Any]) -> Tensor:
        """Every query with every document, as the model's own similarity has it, in float32."""
        asked, offered = self.model(dict(queries), task="query"), self.model(dict(documents), task="document")
        asked_mask, offered_mask = asked["attention_mask"].bool(), offered["attention_mask"].bool()
        found: Tensor = colbert_scores(
            asked["token_embeddings"].float(),
            offered["token_embeddings"].float().unsqueeze(1),
            queries_mask=asked_mask,
            documents_mask=offered_mask.unsqueeze(1),
        )
        return found / asked_mask.sum(dim=1, keepdim=True).clamp(min=1) if self._mean else found


class CrossObjective(nn.Module):
    """Each pair judged alone, or a query's documents against each other; on the log-odds of the head's label."""

    def __init__(self, model: Any, config: CrossTraining, *, label: int | None, prompt: str | None) -> None:
        """`label` is the one of the head's that is the score; None where it has but one."""
        super().__init__()
        self.model = model
        self._config, self._label, self._prompt = config, label, prompt
        self._loss = judged_alone if config.loss == "binary" else judged_together

    def forward(self, features: Sequence[Any], labels: Tensor, prompt: Any = None, task: Any = None) -> Tensor:
        """`features` are the queries and each one's documents, its positive first; `labels` say which are replayed."""
        queries, documents = features
        pairs = [(query, text) for query, texts in zip(queries, documents, strict=True) for text in texts]
        device = next(self.model.parameters()).device
        # A plain dictionary: several processes look for the scores' gradient in what the model returns.
        tokens = dict(batch_to_device(self.model.preprocess(pairs, prompt=self._prompt, task=task), device))
        scores = log_odds(self.model(tokens)["scores"].float(), self._label)
        each = self._loss(torch.split(scores, [len(texts) for texts in documents]))
        replayed = labels.to(device).bool()
        loss = each[~replayed].mean()
        return loss + self._config.replay_weight * each[replayed].mean() if replayed.any() else loss


def log_odds(logits: Tensor, label: int | None) -> Tensor:
    """How likely the label is against all others; one logit, without others, is that already."""
    if label is None:
        return logits.reshape(-1)
    others = [at for at in range(logits.shape[1]) if at != label]
    return logits[:, label] - logits[:, others].logsumexp(dim=1)


def judged_alone(scores: Sequence[Tensor]) -> Tensor:
    """Binary cross-entropy, one value a query: its positive counts as much as its negatives together."""
    lost = [nn.functional.softplus(-row[:1]).sum() + nn.functional.softplus(row[1:]).mean() for row in scores]
    return torch.stack(lost) / 2


def judged_together(scores: Sequence[Tensor]) -> Tensor:
    """How surprising the positive, which is first, is among the documents of its query; one value a query."""
    return torch.stack([row.logsumexp(dim=0) - row[0] for row in scores])
