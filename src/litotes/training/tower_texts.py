"""The texts of a tower's run: each tokenized once, with the base's vector, encoded in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.training.examples import Example

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.tower.model import TowerModel

TOKENIZED_AT_ONCE = 10_000
# Texts that are encoded together: enough to use the device well, few enough that little is padding.
_ENCODED_AT_ONCE = {"cpu": 32, "cuda": 256}


class TowerTexts:
    """Every distinct text of some examples by number; what the frozen layers compute for it is computed once."""

    def __init__(
        self, examples: Iterable[Example], tower: TowerModel, tokenizer: Any, *, max_tokens: int, remember: bool
    ) -> None:
        """`remember` stores the lower layers' output of every text on the model's device, in half precision."""
        self._tower, self._remember = tower, remember
        self._numbers: dict[str, int] = {}
        for example in examples:
            for text in (example.query, example.positive, *example.negatives):
                self._numbers.setdefault(text, len(self._numbers))
        texts = list(self._numbers)
        tokens: list[list[int]] = []
        for start in range(0, len(texts), TOKENIZED_AT_ONCE):
            piece = texts[start : start + TOKENIZED_AT_ONCE]
            tokens += tokenizer(piece, truncation=True, max_length=max_tokens)["input_ids"]
        self._tokens = [np.array(ids, dtype=np.int64) for ids in tokens]
        self._lengths = np.array([len(ids) for ids in tokens], dtype=np.int64)
        self._padding = int(tokenizer.pad_token_id or 0)
        self._base: Tensor | None = None
        # The lower layers' output of all texts, one row per token, and the first row of each text.
        self._lower: Tensor | None = None
        self._starts = np.concatenate([[0], np.cumsum(self._lengths)[:-1]]) if tokens else np.zeros(0, dtype=np.int64)

    def number(self, text: str) -> int:
        """Return the number of a text of the examples."""
        return self._numbers[text]

    def base_blocks(self, numbers: Sequence[int]) -> Tensor:
        """Return the base's blocks f of some texts, in full precision; the first call computes those of all texts."""
        import torch

        if self._base is None:
            self._base = self._prepare()
        return self._base[torch.tensor(list(numbers), device=self._device)]

    def tower_blocks(self, numbers: Sequence[int]) -> Tensor:
        """Return the tower's blocks g of some texts, in that order; they carry a gradient."""
        import torch

        order, blocks = [], []
        for piece in self._pieces(numbers):
            order += piece
            blocks.append(self._tower.tower_block(*self._lower_output(piece)).float())
        row = {number: index for index, number in enumerate(order)}
        return torch.cat(blocks)[torch.tensor([row[number] for number in numbers], device=self._device)]

    def _prepare(self) -> Tensor:
        """Compute the base's block of every text and, if configured, store the lower layers' output."""
        import torch

        width = self._tower.config.base["hidden_size"]
        base = torch.empty(len(self._tokens), width, device=self._device)
        if self._remember:
            self._lower = torch.empty(int(self._lengths.sum()), width, device=self._device, dtype=torch.float16)
        for numbers in self._pieces(range(len(self._tokens))):
            ids, mask = self._padded(numbers)
            lower = self._tower.at_fork(ids, mask)
            base[numbers] = self._tower.base_block(lower, mask)
            if self._lower is not None:
                self._lower[self._rows(numbers, ids.shape[1])[mask.bool()]] = lower[mask.bool()].half()
        return base

    @property
    def _device(self) -> Any:
        return self._tower.device

    def _pieces(self, numbers: Iterable[int]) -> Iterator[list[int]]:
        """Yield texts of similar length together, the longest first; the same numbers give the same pieces."""
        size = _ENCODED_AT_ONCE.get(self._device.type, _ENCODED_AT_ONCE["cuda"])
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

    def _lower_output(self, numbers: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return the token vectors at which the tower begins, and their mask."""
        if self._lower is None:
            ids, mask = self._padded(numbers)
            return self._tower.at_fork(ids, mask), mask
        width = int(self._lengths[list(numbers)].max())
        mask = self._mask(numbers, width)
        return self._lower[self._rows(numbers, width)].float() * mask.unsqueeze(-1), mask

    def _rows(self, numbers: Sequence[int], width: int) -> Tensor:
        """Return the stored rows of some texts as a rectangle; past the end of a text they belong to another text."""
        import torch

        starts = torch.from_numpy(self._starts[list(numbers)]).to(self._device)
        rows = starts.unsqueeze(1) + torch.arange(width, device=self._device)
        return rows.clamp(max=int(self._lengths.sum()) - 1)
