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
_AT_ONCE = {"cpu": 32, "cuda": 256}


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
        # the lower layers' output of all texts, one token a row, and the row at which each text begins
        self._at_fork: Tensor | None = None
        self._starts = np.concatenate([[0], np.cumsum(self._lengths)[:-1]]) if tokens else np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._tokens)

    def number(self, text: str) -> int:
        """The number of a text of the examples."""
        return self._numbers[text]

    def prepare(self, *, remember: bool = False) -> Tensor:
        """The base's block of every text, in full precision; and, if asked, the lower layers' output of every text.

        What is remembered lies beside the model, in half precision: on a GPU it is what makes training quick.
        """
        import torch

        width = self._tower.config.base["hidden_size"]
        self._base = torch.empty(len(self), width, device=self._device)
        if remember:
            self._at_fork = torch.empty(int(self._lengths.sum()), width, device=self._device, dtype=torch.float16)
        for numbers in self._pieces(range(len(self))):
            ids, mask = self._padded(numbers)
            at_fork = self._tower.at_fork(ids, mask)
            self._base[numbers] = self._tower.base_block(at_fork, mask)
            if self._at_fork is not None:
                self._at_fork[self._rows(numbers, ids.shape[1])[mask.bool()]] = at_fork[mask.bool()].half()
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
        if self._at_fork is None:
            ids, mask = self._padded(numbers)
            return self._tower.at_fork(ids, mask), mask
        width = int(self._lengths[list(numbers)].max())
        mask = self._mask(numbers, width)
        return self._at_fork[self._rows(numbers, width)].float() * mask.unsqueeze(-1), mask

    def _rows(self, numbers: Sequence[int], width: int) -> Tensor:
        """Which remembered rows some texts have, in a rectangle; what is past a text's end is some other text's row."""
        import torch

        starts = torch.from_numpy(self._starts[list(numbers)]).to(self._device)
        rows = starts.unsqueeze(1) + torch.arange(width, device=self._device)
        return rows.clamp(max=int(self._lengths.sum()) - 1)
