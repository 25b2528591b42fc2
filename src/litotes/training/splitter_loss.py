"""The splitter's loss: the tag of every token, and whether the query excludes anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from litotes.data.marked_queries import MarkedQuery
from litotes.models.splitter.tagger import Tagger
from litotes.query_marks import CUE, INSIDE, ITEM, KEPT
from litotes.training.frozen_base import FrozenBaseLoss, process_count, process_share

_IGNORED = -100


class SplitterLoss(FrozenBaseLoss):
    """A splitter with its loss. The processes share the queries of a batch."""

    def __init__(self, splitter: Tagger, queries: Sequence[MarkedQuery], *, judgement_weight: float) -> None:
        super().__init__(splitter.model)
        self._judgement_weight = judgement_weight
        self._padding = int(splitter.tokenizer.pad_token_id or 0)
        encoded = splitter.tokenizer(
            [query.text for query in queries],
            truncation=True,
            max_length=splitter.longest,
            return_offsets_mapping=True,
        )
        self._ids = [torch.tensor(ids) for ids in encoded["input_ids"]]
        offsets = encoded["offset_mapping"]
        self._tags = [torch.from_numpy(token_tags(query, at)) for query, at in zip(queries, offsets, strict=True)]
        self._excludes = torch.tensor([float(bool(query.items)) for query in queries])

    def loss(self, indices: Sequence[int]) -> Tensor:
        """Return the mean loss over the tokens of a batch, plus that over its queries."""
        own = process_share(list(indices)) if process_count() > 1 else list(indices)
        device = self.model.device
        ids = self._padded([self._ids[index] for index in own], self._padding)
        tags = self._padded([self._tags[index] for index in own], _IGNORED)
        mask = (torch.arange(ids.shape[1]) < torch.tensor([[len(self._ids[index])] for index in own])).long()
        with self.half_precision():
            logits, judged = self.model(ids.to(device), mask.to(device))
        of_tokens = nn.functional.cross_entropy(
            logits.float().flatten(0, 1), tags.to(device).flatten(), ignore_index=_IGNORED
        )
        of_queries = nn.functional.binary_cross_entropy_with_logits(judged.float(), self._excludes[own].to(device))
        total: Tensor = of_tokens + self._judgement_weight * of_queries
        return total

    @staticmethod
    def _padded(rows: Sequence[Tensor], value: int) -> Tensor:
        return nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=value)


def token_tags(query: MarkedQuery, offsets: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the tag of each token of a query; special tokens have none."""
    tags = np.full(len(offsets), KEPT, dtype=np.int64)
    starts = np.array([start for start, _ in offsets])
    ends = np.array([end for _, end in offsets])
    for start, end in (*query.cues, *query.connectives):
        tags[(starts >= start) & (starts < end)] = CUE
    for start, end in query.items:
        inside = np.flatnonzero((starts >= start) & (starts < end))
        tags[inside] = INSIDE
        tags[inside[:1]] = ITEM
    tags[starts == ends] = _IGNORED
    return tags
