"""A language model's log-probability of each token of a pair, which a metric learns to predict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.pair_tokens import padded, pair_tokens

if TYPE_CHECKING:
    from torch import Tensor

    from litotes.models.scorer import MetricScorer

BRIDGE = "\nIn other words:\n"
"""The text between the two sides, where a language model reads the second after the first."""
LOWEST = -12.0
"""The lowest log-probability of a token; lower ones are clipped."""
SIDE_WEIGHT = 2.0
"""The weight of a side's numbers, by which a pair is judged, relative to its tokens."""
BATCH_TOKENS = 4096


def surprisal_loss(guessed: Tensor, log_probabilities: Sequence[np.ndarray], words: Tensor, sides: Tensor) -> Tensor:
    """Return the error of each pair's guesses: the mean over its tokens, plus that of the numbers of its sides.

    `log_probabilities` has one row per word of a pair, or none; a pair without them has no loss.
    """
    torch = require("torch", extra="train", why="training")
    from litotes.models.scorer.surprise import expected

    known = torch.tensor([len(values) > 0 for values in log_probabilities], device=words.device)
    words = words * known.unsqueeze(-1).long()
    targets = torch.zeros_like(guessed)
    values = np.concatenate([np.zeros((0, 2)), *log_probabilities]).astype(np.float32)
    targets[words.bool()] = torch.from_numpy(values).to(words.device)
    errors = torch.nn.functional.smooth_l1_loss(guessed, targets, reduction="none").sum(dim=-1) * words
    reference, candidate = words * (1 - sides), words * sides
    numbers = expected(guessed, reference, candidate) - expected(targets, reference, candidate)
    per_token = errors.sum(dim=-1) / (2 * words.sum(dim=-1).clamp(min=1))
    loss: Tensor = per_token + SIDE_WEIGHT * numbers.square().mean(dim=-1)
    return loss.masked_fill(~known, 0.0)


def guesses(scorer: MetricScorer, pairs: Sequence[tuple[str, str]]) -> list[np.ndarray]:
    """Return a metric's predictions for each pair, in the shape of `log_probabilities`."""
    torch = require("torch", extra="train", why="training")
    model, padding = scorer.model, int(scorer.tokenizer.pad_token_id or 0)
    if model.surprise is None:
        raise InputError(f"{scorer.name} has no surprisal head; expected a metric trained with surprisal_weight")
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
    """Return two numbers per token for each pair, the reference's tokens first; `pieces` is the metric's tokenizer.

    They are natural logarithms: of the token in its text alone, and in its text after the other side. The language
    model has other tokens; their values are spread over their characters and summed over those of the metric's tokens.
    """
    torch = require("torch", extra="train", why="training")
    known = {
        text: _Spans.of(text, tokenizer, pieces) for text in dict.fromkeys(text for pair in pairs for text in pair)
    }
    bridge = tokenizer(BRIDGE, add_special_tokens=False)["input_ids"]
    begin = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    lengths = [1 + len(bridge) + sum(len(known[text].ids) for text in pair) for pair in pairs]
    found: dict[int, np.ndarray] = {}
    for rows in _batches(lengths, batch_tokens // 2):
        orders = [(known[pairs[at][side]], known[pairs[at][1 - side]]) for side in (0, 1) for at in rows]
        sequences = [[begin, *first.ids, *bridge, *second.ids] for first, second in orders]
        values = _token_log_probabilities(model, sequences, torch)
        results = [
            (first.per_token(row[: len(first.ids)]), second.per_token(row[len(row) - len(second.ids) :]))
            for (first, second), row in zip(orders, values, strict=True)
        ]
        for place, at in enumerate(rows):
            (reference, candidate_after), (candidate, reference_after) = results[place], results[place + len(rows)]
            alone, after = np.concatenate([reference, candidate]), np.concatenate([reference_after, candidate_after])
            found[at] = np.stack([alone, after], axis=-1).clip(min=LOWEST)
    return [found[at] for at in range(len(pairs))]


class _Spans:
    """A text as the tokens of a language model, and the character spans of the metric's tokens."""

    def __init__(self, ids: list[int], spans: Sequence[tuple[int, int]], target: Sequence[tuple[int, int]], text: str):
        self.ids = ids
        self._spans, self._target, self._text = spans, target, text

    @classmethod
    def of(cls, text: str, tokenizer: Any, pieces: Any) -> _Spans:
        here = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        there = pieces(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return cls(here["input_ids"], here["offset_mapping"], there["offset_mapping"], text)

    def per_token(self, values: np.ndarray) -> np.ndarray:
        """Return one value per token of the metric, from one value per token of the language model."""
        letters = np.zeros(len(self._text) + 1)
        for (start, end), value in zip(self._spans, values, strict=True):
            visible = [at for at in range(start, end) if not self._text[at].isspace()]
            letters[visible] += value / max(len(visible), 1)
        total = np.concatenate([[0.0], np.cumsum(letters)])
        return np.array([total[end] - total[start] for start, end in self._target])


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield indices by length in batches of at most `most` tokens, padding included, and at least one index."""
    rows: list[int] = []
    for at in sorted(range(len(lengths)), key=lambda at: lengths[at]):
        if rows and (len(rows) + 1) * lengths[at] > most:
            yield rows
            rows = []
        rows.append(at)
    if rows:
        yield rows


def _token_log_probabilities(model: Any, texts: Sequence[list[int]], torch: Any) -> list[np.ndarray]:
    """Return the log-probability of each token except the first."""
    width = max(map(len, texts))
    ids = torch.tensor([text + [0] * (width - len(text)) for text in texts], device=model.device)
    mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in texts], device=model.device)
    with torch.inference_mode():
        logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        found = logits.gather(-1, ids[:, 1:, None]).squeeze(-1) - logits.logsumexp(-1)
    return [row[: len(text) - 1] for row, text in zip(found.cpu().numpy(), texts, strict=True)]
