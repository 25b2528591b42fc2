"""Which examples are in which batch, and a batch of them as tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.training.examples import Example

if TYPE_CHECKING:
    from torch import Tensor

Preprocess = Callable[[list[str]], Mapping[str, Any]]


def batch_indices(count: int, size: int, step: int, *, seed: int, shuffle: bool, together: int = 1) -> list[int]:
    """Return the indices of batch `step`, counted from 0 through all epochs; each epoch has an order of its own.

    With `together`, runs of that many consecutive indices stay together, and the runs are shuffled.
    """
    if together > 1:
        runs = batch_indices(math.ceil(count / together), max(1, size // together), step, seed=seed, shuffle=shuffle)
        return [index for run in runs for index in range(run * together, min(count, (run + 1) * together))]
    epoch, number = divmod(step, math.ceil(count / size))
    order = _order(count, seed, epoch) if shuffle else np.arange(count)
    return [int(index) for index in order[number * size : (number + 1) * size]]


def full_batch_indices(count: int, size: int, step: int, *, seed: int) -> list[int]:
    """Return the indices of batch `step` in an endless sequence of shuffled epochs; every batch is full."""
    positions = range(step * size, (step + 1) * size)
    return [int(_order(count, seed, position // count)[position % count]) for position in positions]


class EpochSampler:
    """A batch sampler: each epoch has every example once, in an order of its own, and replayed examples beside them.

    Indices from `count` on are replayed examples. Like any batch sampler of torch it yields lists of indices, so a
    trainer can skip the batches of a resumed run and split the others between processes.
    """

    def __init__(
        self,
        count: int,
        batch: int,
        *,
        replay: int = 0,
        replay_batch: int = 0,
        replay_together: int = 0,
        seed: int,
        shuffle: bool,
    ) -> None:
        """With `replay_together`, replayed neighbours stay together and the last batch of a round may be short."""
        self._count, self._batch, self._seed, self._shuffle = count, batch, seed, shuffle
        self._replay, self._replay_batch, self._together = replay, replay_batch, replay_together
        self._epoch = 0
        self.drop_last = False

    def for_trainer(self, dataset: Any, *, drop_last: bool = False, **_: Any) -> EpochSampler:
        """Return itself, as a sentence-transformers trainer requests it; `drop_last` leaves out the short batch."""
        self.drop_last = drop_last
        return self

    @property
    def batch_size(self) -> int:
        """The size of a full batch, replay included."""
        return self._batch + min(self._replay, self._replay_batch)

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch, counted from 0, that is iterated next."""
        self._epoch = epoch

    def __len__(self) -> int:
        return self._count // self._batch if self.drop_last else math.ceil(self._count / self._batch)

    def __iter__(self) -> Iterator[list[int]]:
        first = self._epoch * math.ceil(self._count / self._batch)
        for step in range(first, first + len(self)):
            indices = batch_indices(self._count, self._batch, step, seed=self._seed, shuffle=self._shuffle)
            yield indices + [self._count + index for index in self._replayed(step)]

    def _replayed(self, step: int) -> list[int]:
        if not self._replay:
            return []
        if self._together:
            size, together = self._replay_batch, self._together
            return batch_indices(self._replay, size, step, seed=self._seed, shuffle=True, together=together)
        return full_batch_indices(self._replay, min(self._replay, self._replay_batch), step, seed=self._seed)


def split_batch(
    indices: Sequence[int], examples: Sequence[Example], replay: Sequence[Example]
) -> tuple[list[Example], list[Example]]:
    """Return the examples and the replayed examples of a batch."""
    count = len(examples)
    return [examples[at] for at in indices if at < count], [replay[at - count] for at in indices if at >= count]


def named_parts(
    rows: Sequence[Mapping[str, int]], examples: Sequence[Example], replay: Sequence[Example]
) -> dict[str, list[Example]]:
    """Return the examples and the replayed examples of a batch by name, without empty parts."""
    parts = split_batch([row["at"] for row in rows], examples, replay)
    return {name: part for name, part in zip(("examples", "replay"), parts, strict=True) if part}


class TextCollator:
    """Collator that turns examples into tensors: each distinct text of a batch once, and the texts' relations."""

    # A sentence-transformers trainer reads this from its collator.
    valid_label_columns = ("label",)

    def __init__(
        self,
        preprocess: Preprocess,
        examples: Sequence[Example],
        replay: Sequence[Example] = (),
        *,
        prompts: tuple[str, str] = ("", ""),
    ) -> None:
        """`prompts` are put before queries and before documents."""
        self._preprocess, self._examples, self._replay, self._prompts = preprocess, examples, replay, prompts
        self.base_vectors: Mapping[str, Tensor] = {}
        """The base's vectors of the replayed texts, if the distance to the base is part of the loss."""

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Return a batch as a sentence-transformers trainer takes it: tensors by prefix, relations as the label."""
        import torch

        batch: dict[str, Any] = {}
        label: dict[str, Any] = {}
        for name, examples in named_parts(rows, self._examples, self._replay).items():
            texts, label[name] = self._relations(examples)
            batch |= {f"{name}_{key}": value for key, value in self._preprocess(texts).items()}
            if name == "replay" and self.base_vectors:
                label[name]["base"] = torch.stack([self.base_vectors[text] for text in texts])
        return batch | {"label": label}

    def replayed_texts(self) -> list[str]:
        """Return every distinct text of the replayed examples, with its prompt."""
        return self._relations(self._replay)[0]

    def _relations(self, examples: Sequence[Example]) -> tuple[list[str], dict[str, Tensor]]:
        """Return the distinct texts, and the examples as indices of texts."""
        import torch

        query_prompt, document_prompt = self._prompts
        indices: dict[str, int] = {}

        def index(text: str) -> int:
            return indices.setdefault(text, len(indices))

        queries = [index(query_prompt + example.query) for example in examples]
        positives = [index(document_prompt + example.positive) for example in examples]
        hard = [
            (row, index(document_prompt + text)) for row, example in enumerate(examples) for text in example.negatives
        ]
        relations = {
            "queries": torch.tensor(queries),
            "positives": torch.tensor(positives),
            "hard": torch.tensor(hard, dtype=torch.long).reshape(-1, 2),
        }
        return list(indices), relations


@lru_cache(maxsize=4)
def _order(count: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, epoch]).permutation(count)
