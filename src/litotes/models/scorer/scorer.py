"""Pairs of texts to scores: cut into tokens, sorted by length, run in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.adapter import pairs_of, versions
from litotes.models.silence import by_definition

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.scorer.model import PairModel

LIBRARIES = ("transformers", "torch")


class Scorer:
    """A loaded model: how much of the reference a candidate keeps, from 0 to 1.

    The reference is read first, so the two orders of a pair may differ a little.
    """

    def __init__(self, name: str, model: PairModel, tokenizer: Any, *, longest: int, known_by: dict[str, str]) -> None:
        self.name, self.longest = name, longest
        self.model, self.tokenizer = model, tokenizer
        self._known_by = known_by

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def score(
        self, references: Sequence[str], candidates: Sequence[str], *, batch: int = 32, cut: bool = False
    ) -> np.ndarray:
        """One score a pair, whatever else is scored beside it; of texts that say nothing by definition.

        A pair of more than `longest` tokens is an InputError, or cut where that is asked for, the longer side first.
        """
        torch = require("torch", extra="models", why="litotes-score")
        left, right = pairs_of(references, candidates)
        if not left:
            return np.zeros(0)
        known = {pair: value for pair in zip(left, right, strict=True) if (value := by_definition(*pair)) is not None}
        pairs = [pair for pair in dict.fromkeys(zip(left, right, strict=True)) if pair not in known]
        tokens = pair_tokens(self.tokenizer, pairs, longest=self.longest) if cut else self._tokens(pairs)
        order = sorted(range(len(pairs)), key=lambda at: (len(tokens[at].ids), at))
        found = np.zeros(len(pairs))
        self.model.eval()
        with torch.inference_mode():
            for start in range(0, len(order), batch):
                rows = order[start : start + batch]
                logits = self.model(*padded([tokens[at] for at in rows], self._padding, self.model.device))
                found[rows] = torch.sigmoid(logits.double()).cpu().numpy()
        known |= dict(zip(pairs, found.tolist(), strict=True))
        return np.array([known[pair] for pair in zip(left, right, strict=True)])

    def counts(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has, without special ones."""
        if not texts:
            return []
        return [len(ids) for ids in self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def facts(self) -> dict[str, Any]:
        """What a signature needs: the weights', the base's, the libraries'."""
        return {**self._known_by, "libraries": versions(LIBRARIES)}

    @property
    def _padding(self) -> int:
        return int(self.tokenizer.pad_token_id or 0)

    def _tokens(self, pairs: Sequence[tuple[str, str]]) -> list[Tokens]:
        found = pair_tokens(self.tokenizer, pairs)
        for (reference, candidate), row in zip(pairs, found, strict=True):
            if len(row.ids) > self.longest:
                raise InputError(
                    f"a pair has {len(row.ids)} tokens and {self.name} reads {self.longest}: {reference[:40]!r}… with "
                    f"{candidate[:40]!r}…. Score it in parts, as litotes.Metric does"
                )
        return found


@dataclass(frozen=True, slots=True)
class Tokens:
    """A pair as one row of ids; the candidate's stand from `start` to `end`."""

    ids: np.ndarray
    start: int
    end: int


def pair_tokens(tokenizer: Any, pairs: Sequence[tuple[str, str]], *, longest: int | None = None) -> list[Tokens]:
    """Both sides of each pair as one row, each distinct text cut into tokens once.

    With `longest` the longer side is cut until they fit.
    """
    if not pairs:
        return []
    before, between, after = _specials(tokenizer)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    ids = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    known = dict(zip(texts, ids, strict=True))
    room = None if longest is None else longest - len(before) - len(between) - len(after)
    found = []
    for one, other in pairs:
        reference, candidate = _fitted(known[one], known[other], room)
        start = len(before) + len(reference) + len(between)
        row = np.array([*before, *reference, *between, *candidate, *after], dtype=np.int64)
        found.append(Tokens(row, start, start + len(candidate)))
    return found


def _specials(tokenizer: Any) -> tuple[list[int], list[int], list[int]]:
    """The special ids before the first text, between the two and after the second, as the tokenizer sets them."""
    found = tokenizer("a", "b")
    sides = found.sequence_ids(0)
    ids = found["input_ids"]
    first, second = sides.index(0), sides.index(1)
    return ids[:first], ids[first + 1 : second], ids[second + 1 :]


def framing(tokenizer: Any) -> list[int]:
    """The ids that stand around the texts of a pair."""
    return [token for part in _specials(tokenizer) for token in part]


def _fitted(reference: list[int], candidate: list[int], room: int | None) -> tuple[list[int], list[int]]:
    """Both sides within the room: the longer one is cut first, and then both alike."""
    if room is None or len(reference) + len(candidate) <= room:
        return reference, candidate
    half = room // 2
    if len(reference) <= half:
        return reference, candidate[: room - len(reference)]
    if len(candidate) <= half:
        return reference[: room - len(candidate)], candidate
    return reference[: room - half], candidate[:half]


def padded(rows: Sequence[Tokens], padding: int, device: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, the mask and the sides as tensors of one width."""
    torch = require("torch", extra="models", why="litotes-score")
    width = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), width), padding, dtype=np.int64)
    mask, sides = np.zeros((2, len(rows), width), dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        sides[at, row.start : row.end] = 1
    return tuple(torch.from_numpy(one).to(device) for one in (ids, mask, sides))
