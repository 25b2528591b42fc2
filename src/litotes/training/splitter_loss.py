"""The splitter's loss: the tag of every token, and whether the query excludes anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from litotes.data.marked_queries import MarkedQuery
from litotes.models.splitter.tagger import Tagger
from litotes.query_marks import CUE, INSIDE, ITEM, KEPT
from litotes.training.frozen_base import FrozenBaseLoss, process_count, process_share

_IGNORED = -100
_PARTS = 4
"""Into how many parts a batch is divided on a CPU."""


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
        # Short and long queries apart: a CPU would spend most of its time on padding.
        own.sort(key=lambda index: len(self._ids[index]))
        parts = 1 if self.model.device.type == "cuda" else _PARTS
        size = math.ceil(len(own) / parts)
        logits, judged = zip(*(self._read(own[at : at + size]) for at in range(0, len(own), size)), strict=True)
        tags = torch.cat([self._tags[index] for index in own]).to(self.model.device)
        of_tokens = nn.functional.cross_entropy(torch.cat(logits), tags, ignore_index=_IGNORED)
        excludes = self._excludes[own].to(self.model.device)
        of_queries = nn.functional.binary_cross_entropy_with_logits(torch.cat(judged), excludes)
        total: Tensor = of_tokens + self._judgement_weight * of_queries
        return total

    def _read(self, indices: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return the logits of all tokens of some queries, one after the other, and the logit of each query."""
        device = self.model.device
        ids = nn.utils.rnn.pad_sequence(
            [self._ids[index] for index in indices], batch_first=True, padding_value=self._padding
        )
        mask = torch.arange(ids.shape[1]) < torch.tensor([[len(self._ids[index])] for index in indices])
        with self.half_precision():
            logits, judged = self.model(ids.to(device), mask.long().to(device))
        return logits.float()[mask.to(device)], judged.float()


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
