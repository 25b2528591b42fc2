"""Score pairs of texts: tokenise them, sort them by length, and run the model in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.adapter import check_texts, versions
from litotes.models.empty_texts import score_without_model

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.scorer.model import PairModel

LIBRARIES = ("transformers", "torch")


class MetricScorer:
    """The loaded model of the metric. A score from 0 to 1 says how much of the reference a candidate keeps.

    `longest` is the maximum number of tokens of a pair; `hashes` identify the weights in signatures.
    """

    def __init__(self, name: str, model: PairModel, tokenizer: Any, *, longest: int, hashes: dict[str, str]) -> None:
        self.name, self.longest = name, longest
        self.model, self.tokenizer = model, tokenizer
        self._hashes = hashes

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def score(
        self, candidates: Sequence[str], references: Sequence[str], *, batch: int = 32, cut: bool = False
    ) -> np.ndarray:
        """Return one score per pair. A score does not depend on the other pairs of the call.

        A pair with more than `longest` tokens raises an InputError; with `cut`, its longer text is cut first.
        """
        torch = require("torch", extra="models", why="litotes-score")
        pairs = _pairs(candidates, references)
        if not pairs:
            return np.zeros(0)
        known = {pair: value for pair in pairs if (value := score_without_model(*pair)) is not None}
        to_score = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        tokens = pair_tokens(self.tokenizer, to_score, longest=self.longest) if cut else self._tokens(to_score)
        order = sorted(range(len(to_score)), key=lambda at: (len(tokens[at].ids), at))
        scores = np.zeros(len(to_score))
        self.model.eval()
        with torch.inference_mode():
            for start in range(0, len(order), batch):
                rows = order[start : start + batch]
                logits = self.model(*padded([tokens[at] for at in rows], self._padding, self.model.device))
                scores[rows] = torch.sigmoid(logits.double()).cpu().numpy()
        known |= dict(zip(to_score, scores.tolist(), strict=True))
        return np.array([known[pair] for pair in pairs])

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        if not texts:
            return []
        return [len(ids) for ids in self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def facts(self) -> dict[str, Any]:
        """Return what a signature needs: hashes of the weights and the base, and versions of the libraries."""
        return {**self._hashes, "libraries": versions(LIBRARIES)}

    @property
    def _padding(self) -> int:
        return int(self.tokenizer.pad_token_id or 0)

    def _tokens(self, pairs: Sequence[tuple[str, str]]) -> list[Tokens]:
        rows = pair_tokens(self.tokenizer, pairs)
        for (reference, candidate), row in zip(pairs, rows, strict=True):
            if len(row.ids) > self.longest:
                raise InputError(
                    f"a pair has {len(row.ids)} tokens, and {self.name} reads at most {self.longest}: "
                    f"{reference[:40]!r}… with {candidate[:40]!r}…. Score it in parts, as litotes.Metric does"
                )
        return rows


def _pairs(candidates: Sequence[str], references: Sequence[str]) -> list[tuple[str, str]]:
    """Return (reference, candidate) pairs, in the order in which the model reads the two texts."""
    left, right = check_texts(references, "references"), check_texts(candidates, "candidates")
    if len(left) != len(right):
        raise InputError(f"{len(right)} candidates and {len(left)} references; expected one reference per candidate")
    return list(zip(left, right, strict=True))


@dataclass(frozen=True, slots=True)
class Tokens:
    """A pair as one row of token ids. The candidate is between `start` and `end`."""

    ids: np.ndarray
    start: int
    end: int


def pair_tokens(tokenizer: Any, pairs: Sequence[tuple[str, str]], *, longest: int | None = None) -> list[Tokens]:
    """Tokenise each pair as one row, and each distinct text once. With `longest`, the longer text is cut to fit."""
    if not pairs:
        return []
    before, between, after = _special_parts(tokenizer)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    ids = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    ids_of = dict(zip(texts, ids, strict=True))
    limit = None if longest is None else longest - len(before) - len(between) - len(after)
    rows = []
    for first, second in pairs:
        reference, candidate = _truncate(ids_of[first], ids_of[second], limit)
        start = len(before) + len(reference) + len(between)
        row = np.array([*before, *reference, *between, *candidate, *after], dtype=np.int64)
        rows.append(Tokens(row, start, start + len(candidate)))
    return rows


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


def _truncate(reference: list[int], candidate: list[int], limit: int | None) -> tuple[list[int], list[int]]:
    """Cut the longer text to fit the limit; cut both to half of it if both are too long."""
    if limit is None or len(reference) + len(candidate) <= limit:
        return reference, candidate
    half = limit // 2
    if len(reference) <= half:
        return reference, candidate[: limit - len(reference)]
    if len(candidate) <= half:
        return reference[: limit - len(candidate)], candidate
    return reference[: limit - half], candidate[:half]


def padded(rows: Sequence[Tokens], padding: int, device: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Pad the rows; return the ids, the attention mask and the sides (0 reference, 1 candidate) as tensors."""
    torch = require("torch", extra="models", why="litotes-score")
    width = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), width), padding, dtype=np.int64)
    mask, sides = np.zeros((2, len(rows), width), dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        sides[at, row.start : row.end] = 1
    return tuple(torch.from_numpy(array).to(device) for array in (ids, mask, sides))
