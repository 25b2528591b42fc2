"""The tower's loss: contrast on the similarity of both blocks together, replay, and the distance to the base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from litotes.models.tower.model import TowerModel
from litotes.training.batches import split_batch
from litotes.training.config import TowerTraining
from litotes.training.examples import Example
from litotes.training.frozen_base import FrozenBaseLoss, gather_rows, process_share
from litotes.training.losses import (
    combined_similarity,
    contrastive_loss,
    distance_to_base,
    negatives,
    unrelated_pairs,
)
from litotes.training.tower_texts import TowerTexts


class TowerLoss(FrozenBaseLoss):
    """A tower with its loss. The processes encode a batch's texts together, so all of them are in-batch negatives."""

    def __init__(
        self,
        config: TowerTraining,
        tower: TowerModel,
        texts: TowerTexts,
        examples: Sequence[Example],
        replay: Sequence[Example],
    ) -> None:
        super().__init__(tower)
        self._config, self._texts, self._examples, self._replay = config, texts, examples, replay

    def loss(self, indices: Sequence[int]) -> Tensor:
        """Return the loss of a batch of examples and replayed examples."""
        config = self._config
        examples, replayed = split_batch(indices, self._examples, self._replay)
        loss, base, tower = self._contrast(examples, in_batch=config.in_batch)
        if config.unrelated_weight:
            unrelated = self._unrelated(examples).to(base.device)
            loss = loss + config.unrelated_weight * distance_to_base(base, tower, unrelated)
        if replayed:
            replay_loss, base, tower = self._contrast(replayed, in_batch=True)
            loss = loss + config.replay_weight * replay_loss
            if config.distance_weight:
                loss = loss + config.distance_weight * distance_to_base(base, tower)
        return loss

    def _contrast(self, examples: Sequence[Example], *, in_batch: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Return the contrastive loss of some examples, and the blocks f and g of their texts."""
        number = self._texts.number
        queries = [number(example.query) for example in examples]
        positives = [number(example.positive) for example in examples]
        hard_pairs = [(row, number(text)) for row, example in enumerate(examples) for text in example.negatives]
        documents = list(dict.fromkeys([*positives, *(text for _, text in hard_pairs)]))
        numbers = self._numbers(examples)
        f, g = self._blocks(numbers)
        row = {text: index for index, text in enumerate(numbers)}
        query_rows, document_rows = [row[text] for text in queries], [row[text] for text in documents]
        similarity = combined_similarity(
            (f[query_rows], g[query_rows]), (f[document_rows], g[document_rows]), self._config.train_w
        )
        as_tensor: Any = {"device": f.device, "dtype": torch.long}
        hard, easy = negatives(
            torch.tensor(queries, **as_tensor),
            torch.tensor(positives, **as_tensor),
            torch.tensor(hard_pairs, **as_tensor).reshape(-1, 2),
            torch.tensor(documents, **as_tensor),
        )
        column = {text: index for index, text in enumerate(documents)}
        loss = contrastive_loss(
            similarity,
            torch.tensor([column[text] for text in positives], **as_tensor),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            scale=self._config.scale,
            hard_weight=self._config.hard_weight,
        )
        return loss, f, g

    def _blocks(self, numbers: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return f and g of some texts; each process encodes its share of g."""
        f = self._texts.base_blocks(numbers)
        with self.half_precision():
            g = self._texts.tower_blocks(process_share(numbers))
        return f, gather_rows(g, len(numbers))

    def _unrelated(self, examples: Sequence[Example]) -> Tensor:
        """Mark the pairs of texts that have no example in common, in the order of `_numbers`."""
        column = {text: index for index, text in enumerate(self._numbers(examples))}
        members = torch.zeros(len(examples), len(column))
        for row, example in enumerate(examples):
            for text in (example.query, example.positive, *example.negatives):
                members[row, column[self._texts.number(text)]] = 1
        return unrelated_pairs(members)

    def _numbers(self, examples: Sequence[Example]) -> list[int]:
        """Return the numbers of the examples' distinct texts: the queries, the positives, the negatives."""
        queries, positives = [example.query for example in examples], [example.positive for example in examples]
        hard = [text for example in examples for text in example.negatives]
        return list(dict.fromkeys(map(self._texts.number, (*queries, *positives, *hard))))
