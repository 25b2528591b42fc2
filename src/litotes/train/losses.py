"""The losses, on the similarity of both blocks together: the tower learns only what the base lacks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def combined_similarity(queries: tuple[Tensor, Tensor], documents: tuple[Tensor, Tensor], w: float) -> Tensor:
    """(1-w)·cos f + w·cos g of every query with every document, from their unit blocks (f, g)."""
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
    """HedgeTriple's Eq. 1 with a temperature: how surprising the positive is among the negatives, on average.

    `similarity` has a row a query and a column a document; `positive` is each row's right column; `hard` and `easy` say
    which columns are a row's negatives. Eq. 1 itself has hard ones only, scale 1 and weight 1.
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
    """The mean squared difference of all pairwise similarities, or of those that `pairs` names by rows and columns.

    0 where the tower arranges texts as the base does.
    """
    apart = (base @ base.T - tower @ tower.T).square()
    if pairs is None:
        return apart.mean()
    return (apart * pairs).sum() / pairs.sum().clamp(min=1)


def strangers(members: Tensor) -> Tensor:
    """Which texts have no example in common, from a matrix with a row an example and a column a text it holds."""
    return (members.T @ members == 0).float()


def negatives(queries: Tensor, positives: Tensor, hard_pairs: Tensor, documents: Tensor) -> tuple[Tensor, Tensor]:
    """Which documents are hard and which easy negatives of which query, as two boolean matrices.

    All arguments are numbers of texts: a query's own and its positive's, (row, text) for every hard negative, and the
    columns. What says the same is no easy negative: the query itself, and every positive of the same query.
    """
    import torch

    rows, columns = queries.shape[0], documents.shape[0]
    named = (hard_pairs[:, 1:] == documents).float()
    hard = torch.zeros(rows, columns, device=queries.device).index_add(0, hard_pairs[:, 0], named) > 0
    same_query = (queries.unsqueeze(1) == queries.unsqueeze(0)).float()
    its_positive = (positives.unsqueeze(1) == documents.unsqueeze(0)).float()
    friends = (same_query @ its_positive > 0) | (queries.unsqueeze(1) == documents.unsqueeze(0))
    return hard, ~friends & ~hard
