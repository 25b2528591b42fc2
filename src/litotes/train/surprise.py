"""A metric's sense of what reads oddly, learnt from a language model: how likely it holds each token of a pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.scorer.scorer import padded, pair_tokens

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.scorer import Scorer

BRIDGE = "\nIn other words:\n"
"""between the two sides, where a language model reads the second after the first"""
LEAST = -12.0
"""a token's log-probability at least: how odd nonsense is says little"""
SIDES = 2.0
"""how much a side's numbers count beside its tokens: a pair is judged by those"""
BATCH_TOKENS = 4096


def surprise_loss(guessed: Tensor, heard: Sequence[np.ndarray], words: Tensor, sides: Tensor) -> Tensor:
    """How far guesses are off, a pair: of its tokens in the mean, and of its sides' numbers; of those that were heard.

    `heard` has a row for each word of its pair, or none.
    """
    torch = require("torch", extra="train", why="training")
    from litotes.models.scorer.surprise import expected

    known = torch.tensor([len(values) > 0 for values in heard], device=words.device)
    words = words * known.unsqueeze(-1).long()
    wanted = torch.zeros_like(guessed)
    values = np.concatenate([np.zeros((0, 2)), *heard]).astype(np.float32)
    wanted[words.bool()] = torch.from_numpy(values).to(words.device)
    off = torch.nn.functional.smooth_l1_loss(guessed, wanted, reduction="none").sum(dim=-1) * words
    reference, candidate = words * (1 - sides), words * sides
    numbers = expected(guessed, reference, candidate) - expected(wanted, reference, candidate)
    loss: Tensor = off.sum(dim=-1) / (2 * words.sum(dim=-1).clamp(min=1)) + SIDES * numbers.square().mean(dim=-1)
    return loss.masked_fill(~known, 0.0)


def guesses(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> list[np.ndarray]:
    """What a metric that was taught it makes of each pair, as `log_probabilities` has it: a teacher at little cost."""
    torch = require("torch", extra="train", why="training")
    model, padding = scorer.model, int(scorer.tokenizer.pad_token_id or 0)
    if model.surprise is None:
        raise InputError(f"{scorer.name} has not been taught to guess a language model")
    tokens = pair_tokens(scorer.tokenizer, pairs, longest=scorer.longest)
    found: dict[int, np.ndarray] = {}
    with torch.inference_mode():
        for rows in _batches([len(row.ids) for row in tokens], BATCH_TOKENS):
            ids, mask, sides = padded([tokens[at] for at in rows], padding, model.device)
            guessed = model.surprise(model.read(ids, mask, sides)[1], mask)
            words = model.words(ids, mask).bool()
            for at, row, kept in zip(rows, guessed.cpu(), words.cpu(), strict=True):
                found[at] = row[kept].half().numpy()
    return [found[at] for at in range(len(pairs))]


def log_probabilities(
    model: Any, tokenizer: Any, pairs: Sequence[tuple[str, str]], pieces: Any, *, batch_tokens: int = BATCH_TOKENS
) -> list[np.ndarray]:
    """For each pair two numbers a token of `pieces`, the metric's tokenizer, the reference's first.

    They are natural logarithms: in the text by itself, and after the other side. The language model cuts words
    elsewhere, so its own tokens' are spread over their letters and gathered again.
    """
    torch = require("torch", extra="train", why="training")
    known = {text: _Cut.of(text, tokenizer, pieces) for text in dict.fromkeys(text for pair in pairs for text in pair)}
    bridge = tokenizer(BRIDGE, add_special_tokens=False)["input_ids"]
    begin = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    lengths = [1 + len(bridge) + sum(len(known[text].ids) for text in pair) for pair in pairs]
    found: dict[int, np.ndarray] = {}
    for rows in _batches(lengths, batch_tokens // 2):
        ways = [(known[pairs[at][way]], known[pairs[at][1 - way]]) for way in (0, 1) for at in rows]
        values = _followed(model, [[begin, *one.ids, *bridge, *other.ids] for one, other in ways], torch)
        told = [
            (one.gathered(told[: len(one.ids)]), other.gathered(told[len(told) - len(other.ids) :]))
            for (one, other), told in zip(ways, values, strict=True)
        ]
        for place, at in enumerate(rows):
            (reference, candidate_after), (candidate, reference_after) = told[place], told[place + len(rows)]
            alone, after = np.concatenate([reference, candidate]), np.concatenate([reference_after, candidate_after])
            found[at] = np.stack([alone, after], axis=-1).clip(min=LEAST)
    return [found[at] for at in range(len(pairs))]


class _Cut:
    """A text as a language model cuts it, and which shares of its tokens belong to which of the metric's."""

    def __init__(self, ids: list[int], spans: Sequence[tuple[int, int]], wanted: Sequence[tuple[int, int]], text: str):
        self.ids = ids
        self._spans, self._wanted, self._text = spans, wanted, text

    @classmethod
    def of(cls, text: str, tokenizer: Any, pieces: Any) -> _Cut:
        here = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        there = pieces(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return cls(here["input_ids"], here["offset_mapping"], there["offset_mapping"], text)

    def gathered(self, values: np.ndarray) -> np.ndarray:
        """What the metric's tokens have of these values, one for each of the language model's."""
        letters = np.zeros(len(self._text) + 1)
        for (start, end), value in zip(self._spans, values, strict=True):
            inked = [at for at in range(start, end) if not self._text[at].isspace()]
            letters[inked] += value / max(len(inked), 1)
        total = np.concatenate([[0.0], np.cumsum(letters)])
        return np.array([total[end] - total[start] for start, end in self._wanted])


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Places by length, as many at once as have `most` tokens in all; one at least."""
    rows: list[int] = []
    for at in sorted(range(len(lengths)), key=lambda at: lengths[at]):
        if rows and (len(rows) + 1) * lengths[at] > most:
            yield rows
            rows = []
        rows.append(at)
    if rows:
        yield rows


def _followed(model: Any, texts: Sequence[list[int]], torch: Any) -> list[np.ndarray]:
    """The log-probability of each token but the first."""
    width = max(map(len, texts))
    ids = torch.tensor([text + [0] * (width - len(text)) for text in texts], device=model.device)
    mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in texts], device=model.device)
    with torch.inference_mode():
        logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        found = logits.gather(-1, ids[:, 1:, None]).squeeze(-1) - logits.logsumexp(-1)
    return [row[: len(text) - 1] for row, text in zip(found.cpu().numpy(), texts, strict=True)]
