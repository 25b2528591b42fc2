"""Two texts as one row of token ids, and rows as a padded batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import require

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Tokens:
    """A pair as one row of token ids. The second text is between `start` and `end`."""

    ids: np.ndarray
    start: int
    end: int


def pair_tokens(
    tokenizer: Any,
    pairs: Sequence[tuple[str, str]],
    *,
    longest: int | None = None,
    known: Mapping[str, np.ndarray] | None = None,
) -> list[Tokens]:
    """Tokenise each pair as one row, and each distinct text once. With `longest`, the longer text is cut to fit.

    `known` are the token ids of all texts, if they were tokenised before.
    """
    if not pairs:
        return []
    before, between, after = (np.array(part, dtype=np.int32) for part in _special_parts(tokenizer))
    ids_of = known or text_ids(tokenizer, list(dict.fromkeys(text for pair in pairs for text in pair)))
    limit = None if longest is None else longest - len(before) - len(between) - len(after)
    rows = []
    for left, right in pairs:
        first, second = _truncate(ids_of[left], ids_of[right], limit)
        start = len(before) + len(first) + len(between)
        row = np.concatenate([before, first, between, second, after])
        rows.append(Tokens(row, start, start + len(second)))
    return rows


def text_ids(tokenizer: Any, texts: Sequence[str], *, longest: int | None = None) -> dict[str, np.ndarray]:
    """Return the token ids of each text, without special tokens, and not more than `longest`."""
    if not texts:
        return {}
    ids = tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
    return {text: np.array(row[:longest], dtype=np.int32) for text, row in zip(texts, ids, strict=True)}


def _special_parts(tokenizer: Any) -> tuple[list[int], list[int], list[int]]:
    """Return the special tokens before the first text, between the texts, and after the second."""
    encoding = tokenizer("a", "b")
    sides = encoding.sequence_ids(0)
    ids = encoding["input_ids"]
    first, second = sides.index(0), sides.index(1)
    return ids[:first], ids[first + 1 : second], ids[second + 1 :]


def special_tokens(tokenizer: Any) -> list[int]:
    """Return the ids of the special tokens around the texts of a pair."""
    return [token for part in _special_parts(tokenizer) for token in part]


def _truncate(first: np.ndarray, second: np.ndarray, limit: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Cut the longer text to fit the limit; cut both to half of it if both are too long."""
    if limit is None or len(first) + len(second) <= limit:
        return first, second
    half = limit // 2
    if len(first) <= half:
        return first, second[: limit - len(first)]
    if len(second) <= half:
        return first[: limit - len(second)], second
    return first[: limit - half], second[:half]


def padded(rows: Sequence[Tokens], padding: int, device: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Pad the rows; return the ids, the attention mask and the sides (1 for tokens of the second text) as tensors."""
    torch = require("torch", extra="models", why="pairs of texts")
    return tuple(torch.from_numpy(array).to(device) for array in padded_arrays(rows, padding))


def padded_arrays(rows: Sequence[Tokens], padding: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pad the rows; return the ids, the attention mask and the sides as arrays."""
    width = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), width), padding, dtype=np.int64)
    mask, sides = np.zeros((2, len(rows), width), dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        sides[at, row.start : row.end] = 1
    return ids, mask, sides
