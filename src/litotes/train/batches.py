"""Which examples go together at which step, and a batch of them as tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.train.examples import Example

if TYPE_CHECKING:
    from torch import Tensor

Preprocess = Callable[[list[str]], Mapping[str, Any]]


def drawn(count: int, size: int, step: int, *, seed: int, shuffle: bool, together: int = 1) -> list[int]:
    """The places of batch `step`, the first being 0, in an endless row of epochs, each in an order of its own.

    With `together`, so many places that follow each other stay together, and what is shuffled are these runs.
    """
    if together > 1:
        runs = drawn(math.ceil(count / together), max(1, size // together), step, seed=seed, shuffle=shuffle)
        return [at for run in runs for at in range(run * together, min(count, (run + 1) * together))]
    batches = math.ceil(count / size)
    epoch, place = divmod(step, batches)
    order = _order(count, seed, epoch) if shuffle else np.arange(count)
    return [int(at) for at in order[place * size : (place + 1) * size]]


class Plan:
    """A batch sampler: every epoch shows each example once, in an order of its own, and full batches of replay beside.

    Places from `count` on are replayed examples. Like any sampler of torch it gives lists of places, so that a trainer
    can skip the batches a run has behind it and share the others out among processes.
    """

    def __init__(self, count: int, batch: int, *, replay: int = 0, replay_batch: int = 0, seed: int, shuffle: bool):
        self._count, self._batch, self._seed, self._shuffle = count, batch, seed, shuffle
        self._replay, self._replay_batch = replay, min(replay, replay_batch)
        self._epoch = 0
        self.drop_last = False

    def for_trainer(self, dataset: Any, *, drop_last: bool = False, **_: Any) -> Plan:
        """What a sentence-transformers trainer calls: several processes leave out the batch that is not full."""
        self.drop_last = drop_last
        return self

    @property
    def batch_size(self) -> int:
        """The places of a full batch, replay included."""
        return self._batch + self._replay_batch

    def set_epoch(self, epoch: int) -> None:
        """The epoch that is asked for next, the first being 0."""
        self._epoch = epoch

    def __len__(self) -> int:
        return self._count // self._batch if self.drop_last else math.ceil(self._count / self._batch)

    def __iter__(self) -> Iterator[list[int]]:
        whole = math.ceil(self._count / self._batch)
        for number in range(len(self)):
            place = self._epoch * whole + number
            chosen = drawn(self._count, self._batch, place, seed=self._seed, shuffle=self._shuffle)
            again = endless(self._replay, self._replay_batch, place, seed=self._seed)
            yield chosen + [self._count + at for at in again]


def endless(count: int, size: int, step: int, *, seed: int) -> list[int]:
    """The places of batch `step` in an endless row of shuffled epochs; every batch is full."""
    places = range(step * size, (step + 1) * size)
    return [int(_order(count, seed, place // count)[place % count]) for place in places]


class Batches:
    """Makes tensors of examples: each distinct text of a batch once, and which text is what to which."""

    # A sentence-transformers trainer asks its collator for this.
    valid_label_columns = ("label",)

    def __init__(
        self,
        preprocess: Preprocess,
        examples: Sequence[Example],
        replay: Sequence[Example] = (),
        *,
        prompts: tuple[str, str] = ("", ""),
    ) -> None:
        """`prompts` come before queries and before documents."""
        self._preprocess, self._examples, self._replay, self._prompts = preprocess, examples, replay, prompts
        self.vectors: Mapping[str, Tensor] = {}
        """the base's, of the replayed texts, where the distance to it counts"""

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """A batch as a sentence-transformers trainer takes it: the texts' tensors by prefix, the rest as its label."""
        import torch

        count = len(self._examples)
        places = [row["at"] for row in rows]
        parts = {
            "examples": [self._examples[at] for at in places if at < count],
            "replay": [self._replay[at - count] for at in places if at >= count],
        }
        batch: dict[str, Any] = {}
        label: dict[str, Any] = {}
        for name, examples in parts.items():
            if not examples:
                continue
            texts, label[name] = self._related(examples)
            batch |= {f"{name}_{key}": value for key, value in self._preprocess(texts).items()}
            if name == "replay" and self.vectors:
                label[name]["base"] = torch.stack([self.vectors[text] for text in texts])
        return batch | {"label": label}

    def replayed(self) -> list[str]:
        """Every distinct text of the replayed examples, with its prompt."""
        return self._related(self._replay)[0]

    def _related(self, examples: Sequence[Example]) -> tuple[list[str], dict[str, Tensor]]:
        """The distinct texts, and the examples as numbers of texts."""
        import torch

        asked, offered = self._prompts
        numbers: dict[str, int] = {}

        def number(text: str) -> int:
            return numbers.setdefault(text, len(numbers))

        queries = [number(asked + example.query) for example in examples]
        positives = [number(offered + example.positive) for example in examples]
        hard = [(row, number(offered + text)) for row, example in enumerate(examples) for text in example.negatives]
        related = {
            "queries": torch.tensor(queries),
            "positives": torch.tensor(positives),
            "hard": torch.tensor(hard, dtype=torch.long).reshape(-1, 2),
        }
        return list(numbers), related


@lru_cache(maxsize=4)
def _order(count: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, epoch]).permutation(count)
