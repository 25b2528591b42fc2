"""Score pairs of texts: tokenise them, sort them by length, and run the model in batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.adapter import check_texts, versions
from litotes.models.empty_texts import score_without_model
from litotes.models.pair_tokens import Tokens, padded, pair_tokens

if TYPE_CHECKING:
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
