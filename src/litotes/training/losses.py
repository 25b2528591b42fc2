"""The losses, as functions of tensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def combined_similarity(queries: tuple[Tensor, Tensor], documents: tuple[Tensor, Tensor], w: float) -> Tensor:
    """Return (1-w)·cos f + w·cos g of every query with every document, from their unit blocks (f, g)."""
    (query_base, query_tower), (document_base, document_tower) = queries, documents
    return (1 - w) * query_base @ document_base.T + w * query_tower @ document_tower.T


def contrastive_loss(
    similarity: Tensor,
    positive: Tensor,
    hard: Tensor,
    easy: Tensor,
    *,
    scale: float = 20.0,
    hard_weight: float = 1.0,
) -> Tensor:
    """Return HedgeTriple's Eq. 1 with a temperature: the mean cross-entropy of the positive among the negatives.

    `similarity` has one row per query and one column per document; `positive` is the right column of each row; `hard`
    and `easy` say which columns are negatives of a row. Eq. 1 itself has hard negatives only, scale 1 and weight 1.
    """
    import torch

    logits = scale * similarity
    if hard_weight != 1:
        logits = logits + math.log(hard_weight) * hard
    counted = hard | easy
    counted = counted.scatter(1, positive.unsqueeze(1), True)
    logits = logits.masked_fill(~counted, -math.inf)
    return torch.nn.functional.cross_entropy(logits, positive)


def distance_to_base(base: Tensor, tower: Tensor, pairs: Tensor | None = None) -> Tensor:
    """Return the mean squared difference of the pairwise similarities, of all pairs or of those that `pairs` marks.

    It is 0 if the tower arranges the texts as the base does.
    """
    difference = (base @ base.T - tower @ tower.T).square()
    if pairs is None:
        return difference.mean()
    return (difference * pairs).sum() / pairs.sum().clamp(min=1)


def unrelated_pairs(members: Tensor) -> Tensor:
    """Mark the pairs of texts that have no example in common, from a matrix of examples (rows) and texts (columns)."""
    return (members.T @ members == 0).float()


def negatives(queries: Tensor, positives: Tensor, hard_pairs: Tensor, documents: Tensor) -> tuple[Tensor, Tensor]:
    """Return which documents are hard and which are easy negatives of which query, as two boolean matrices.

    All arguments are indices of texts: each query, its positive, (row, text) of every hard negative, and the columns.
    The query itself and every positive of the same query are not easy negatives.
    """
    import torch

    rows, columns = queries.shape[0], documents.shape[0]
    matches = (hard_pairs[:, 1:] == documents).float()
    hard = torch.zeros(rows, columns, device=queries.device).index_add(0, hard_pairs[:, 0], matches) > 0
    same_query = (queries.unsqueeze(1) == queries.unsqueeze(0)).float()
    is_positive = (positives.unsqueeze(1) == documents.unsqueeze(0)).float()
    same_meaning = (same_query @ is_positive > 0) | (queries.unsqueeze(1) == documents.unsqueeze(0))
    return hard, ~same_meaning & ~hard
