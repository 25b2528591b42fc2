"""The texts of a run: each once, cut into tokens once, with the base's vector, in batches of like length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.train.examples import Example

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.tower.model import TowerModel

# Texts that go through the model together: enough to fill it, few enough that little is padding.
_AT_ONCE = {"cpu": 32, "cuda": 1024}


class Texts:
    """Every distinct text of some examples by a number; what the frozen part makes of it is worked out once."""

    def __init__(self, examples: Iterable[Example], tower: TowerModel, tokenizer: Any, *, max_tokens: int) -> None:
        self._tower = tower
        self._numbers: dict[str, int] = {}
        for example in examples:
            for text in (example.query, example.positive, *example.negatives):
                self._numbers.setdefault(text, len(self._numbers))
        words = list(self._numbers)
        tokens: list[list[int]] = []
        for start in range(0, len(words), 10_000):
            tokens += tokenizer(words[start : start + 10_000], truncation=True, max_length=max_tokens)["input_ids"]
        self._tokens = [np.array(ids, dtype=np.int64) for ids in tokens]
        self._lengths = np.array([len(ids) for ids in tokens], dtype=np.int64)
        self._padding = int(tokenizer.pad_token_id or 0)
        self._base: Tensor | None = None
        self._at_fork: list[Tensor] = []

    def __len__(self) -> int:
        return len(self._tokens)

    def number(self, text: str) -> int:
        """The number of a text of the examples."""
        return self._numbers[text]

    def prepare(self, *, remember: bool = False) -> Tensor:
        """The base's block of every text, in full precision; and, if asked, the lower layers' output of every text."""
        import torch

        hidden: list[Tensor | None] = [None] * len(self)
        self._base = torch.empty(len(self), self._tower.config.base["hidden_size"], device=self._device)
        for numbers in self._pieces(range(len(self))):
            ids, mask = self._padded(numbers)
            at_fork = self._tower.at_fork(ids, mask)
            self._base[numbers] = self._tower.base_block(at_fork, mask)
            if remember:
                for number, states in zip(numbers, at_fork.to("cpu", torch.float16), strict=True):
                    hidden[number] = states[: self._lengths[number]].clone()
        self._at_fork = [states for states in hidden if states is not None]
        return self._base

    def blocks(self, numbers: Sequence[int]) -> tuple[Tensor, Tensor]:
        """f and g of some texts, in that order; g carries a gradient."""
        import torch

        base = self.prepare() if self._base is None else self._base
        order, found = [], []
        for piece in self._pieces(numbers):
            order += piece
            found.append(self._tower.tower_block(*self._forked(piece)).float())
        place = {number: row for row, number in enumerate(order)}
        g = torch.cat(found)[torch.tensor([place[number] for number in numbers], device=self._device)]
        return base[torch.tensor(list(numbers), device=self._device)], g

    @property
    def _device(self) -> Any:
        return self._tower.device

    def _pieces(self, numbers: Iterable[int]) -> Iterator[list[int]]:
        """Texts of like length together, longest first; the same numbers give the same pieces."""
        size = _AT_ONCE.get(self._device.type, _AT_ONCE["cuda"])
        ordered = sorted(numbers, key=lambda number: (-self._lengths[number], number))
        return (ordered[start : start + size] for start in range(0, len(ordered), size))

    def _padded(self, numbers: Sequence[int]) -> tuple[Tensor, Tensor]:
        import torch

        width = int(self._lengths[list(numbers)].max())
        ids = np.full((len(numbers), width), self._padding, dtype=np.int64)
        for row, number in enumerate(numbers):
            ids[row, : self._lengths[number]] = self._tokens[number]
        return torch.from_numpy(ids).to(self._device), self._mask(numbers, width)

    def _mask(self, numbers: Sequence[int], width: int) -> Tensor:
        import torch

        lengths = torch.from_numpy(self._lengths[list(numbers)])
        return (torch.arange(width) < lengths.unsqueeze(1)).long().to(self._device)

    def _forked(self, numbers: Sequence[int]) -> tuple[Tensor, Tensor]:
        """The token vectors where the tower begins, and which of them are text."""
        import torch

        if not self._at_fork:
            ids, mask = self._padded(numbers)
            return self._tower.at_fork(ids, mask), mask
        states = [self._at_fork[number].float() for number in numbers]
        hidden = torch.nn.utils.rnn.pad_sequence(states, batch_first=True).to(self._device)
        return hidden, self._mask(numbers, hidden.shape[1])
