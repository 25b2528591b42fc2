"""The loss of a pair model: each query's positive against its other candidates, both queries of a contrast, and labels.

Labelled pairs train the head `verdict`, scored pairs the head `score`, and all other examples the head `relevance`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from litotes.models.pair.heads import RELEVANCE, SAME, SCORE, TOPIC, VERDICT, in_order
from litotes.models.pair.scorer import PairScorer
from litotes.models.pair_tokens import Tokens, padded, pair_tokens, text_ids
from litotes.training.examples import DIFFERENT, Example
from litotes.training.frozen_base import FrozenBaseLoss, process_count, process_number

PIECES = 3
"""Pieces of similar length that a batch is run in, so that little of it is padding. On a GPU, most of the time of a
piece is spent on starting its kernels, so few pieces are faster."""
TOKENIZED_AT_ONCE = 10_000
ABSENT = -1e4
"""The logit of a candidate that a query does not have."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """How many documents of other examples are added to the candidates of a query, on average."""

    hard: float
    """for a query with negatives of its own"""
    ordinary: float
    """for a query without"""


@dataclass(frozen=True, slots=True)
class Teacher:
    """A larger model whose distribution over the candidates of a query is learned beside the right answer."""

    scorer: PairScorer
    weight: float
    """its share of the loss"""


class PairLoss(FrozenBaseLoss):
    """A pair model with its loss. The processes share the queries of a batch."""

    def __init__(
        self,
        scorer: PairScorer,
        units: Sequence[Sequence[Example]],
        *,
        max_tokens: int,
        candidates: Candidates,
        mirror_weight: float,
        teacher: Teacher | None = None,
        seed: int,
    ) -> None:
        """A unit is one example, or two whose queries have each other's positive as a negative."""
        super().__init__(scorer.model)
        self._scorer, self._units = scorer, units
        self._candidates, self._mirror_weight, self._seed = candidates, mirror_weight, seed
        self._max_tokens = max_tokens
        ranked = [example for unit in units for example in unit if head_of(example) == RELEVANCE]
        self._documents = [example.positive for example in ranked]
        self._messages = [unit[0].positive for unit in units if unit[0].label]
        self._alike: dict[str, set[str]] = {}
        for example in (unit[0] for unit in units if unit[0].label):
            self._alike.setdefault(example.query, {example.query}).add(example.positive)
        self._ids = _token_ids(scorer, units, max_tokens)
        self._teacher = teacher
        self._teacher_ids = _token_ids(teacher.scorer, units, max_tokens) if teacher else {}
        self._taught: dict[str, dict[tuple[str, str], np.ndarray]] = {}

    def loss(self, indices: Sequence[int]) -> Tensor:
        """Return the mean loss over the queries and the labelled pairs of a batch."""
        # The same batch draws the same documents, also in a resumed run.
        rng = np.random.default_rng([self._seed, *indices])
        drawn = [self._units[index] for index in indices]
        # Groups of a unit of queries, labelled pairs of one message, or a scored pair: the processes share them.
        groups: list[Any] = [self._group(unit, rng) for unit in drawn]
        own = slice(process_number(), None, process_count())
        shared: dict[str, list[Any]] = {RELEVANCE: [], VERDICT: [], SCORE: []}
        for unit, group in zip(drawn[own], groups[own], strict=True):
            head = head_of(unit[0])
            shared[head] += [group] if head == RELEVANCE else group
        pairs = {head: [pair for pair, _ in shared[head]] for head in (VERDICT, SCORE)}
        pairs[RELEVANCE] = [pair for unit in shared[RELEVANCE] for group in unit for pair in group]
        logits = self._logits(self._scorer, self._ids, pairs)
        taught = self._teacher_logits(self._teacher.scorer, pairs) if self._teacher else {}
        # A head without pairs in this batch has a gradient of zero, so that its steps are the same in any number of
        # processes; and every process takes part in the backward pass with all parameters.
        idle = [
            value for name, value in self.model.own_parameters() if process_count() > 1 or name.startswith("heads.")
        ]
        loss = 0.0 * sum((value.sum() for value in idle), torch.zeros(()))
        if shared[RELEVANCE]:
            loss = loss + self._summed(shared[RELEVANCE], logits[RELEVANCE], taught.get(RELEVANCE))
        for head, summed in ((VERDICT, self._summed_verdicts), (SCORE, self._summed_scores)):
            if shared[head]:
                loss = loss + summed([target for _, target in shared[head]], logits[head], taught.get(head))
        return loss * process_count() / sum(len(group) for group in groups)

    @torch.no_grad()
    def _teacher_logits(self, teacher: PairScorer, pairs: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, Tensor]:
        """Return the teacher's logits of each head for its pairs. The teacher reads a pair once in a run."""
        known = {head: self._taught.setdefault(head, {}) for head in pairs if head in teacher.heads}
        new = {head: [pair for pair in dict.fromkeys(pairs[head]) if pair not in known[head]] for head in known}
        for head, logits in self._logits(teacher, self._teacher_ids, new).items():
            known[head].update(zip(new[head], logits.float().cpu().numpy(), strict=True))
        return {
            head: torch.from_numpy(np.stack([known[head][pair] for pair in pairs[head]])).to(self.model.device)
            for head in known
            if pairs[head]
        }

    def _group(self, unit: Sequence[Example], rng: np.random.Generator) -> list[Any]:
        """Return the pairs of each query of a unit, or pairs with their labels or scores."""
        head = head_of(unit[0])
        if head == VERDICT:
            return self._labelled(unit[0], rng)
        if head == SCORE:
            return [((unit[0].query, unit[0].positive), unit[0].score)]
        return [self._with_others(example, rng) for example in unit]

    def _summed(
        self, units: Sequence[Sequence[list[tuple[str, str]]]], logits: Tensor, taught: Tensor | None
    ) -> Tensor:
        """Return the summed cross-entropy of each query's positive; of two queries also that of each document's query.

        The first candidate of a query is its positive, and the second the positive of the other query of its unit.
        """
        sizes = [len(group) for unit in units for group in unit]
        rows = _rows(logits, sizes)
        targets = rows if taught is None else _rows(taught, sizes)
        share = 0.0 if taught is None else self._share
        loss = (1 - share) * (rows.logsumexp(dim=1) - rows[:, 0]).sum()
        if share:
            loss = loss - share * (targets.softmax(dim=1) * rows.log_softmax(dim=1)).sum()
        starts = np.cumsum([0, *(len(unit) for unit in units)])[:-1]
        first = [int(start) for start, unit in zip(starts, units, strict=True) if len(unit) == 2]
        if not first or not self._mirror_weight:
            return loss
        expected = (1 - share) + share * torch.sigmoid(_mirrored(targets, first)).detach()
        return loss + self._mirror_weight * nn.functional.binary_cross_entropy_with_logits(
            _mirrored(rows, first), expected, reduction="sum"
        )

    def _summed_verdicts(self, labels: Sequence[str], logits: Tensor, taught: Tensor | None) -> Tensor:
        """Return the summed cross-entropy of the labels of some pairs. "different" is any label but "same"."""
        known = self._scorer.heads[VERDICT]
        fits = [[name == label or (label == DIFFERENT and name != SAME) for name in known] for label in labels]
        right = logits.masked_fill(~torch.tensor(fits, device=logits.device), -math.inf).logsumexp(dim=1)
        loss = (logits.logsumexp(dim=1) - right).sum()
        if taught is None:
            return loss
        return (1 - self._share) * loss - self._share * (taught.softmax(dim=1) * logits.log_softmax(dim=1)).sum()

    def _summed_scores(self, scores: Sequence[float], logits: Tensor, taught: Tensor | None) -> Tensor:
        """Return the summed cross-entropy of the scores of some pairs."""
        expected = torch.tensor(scores, device=logits.device)
        if taught is not None:
            expected = (1 - self._share) * expected + self._share * taught.sigmoid()
        return nn.functional.binary_cross_entropy_with_logits(logits, expected, reduction="sum")

    @property
    def _share(self) -> float:
        """The share of the teacher in the loss."""
        return self._teacher.weight if self._teacher else 0.0

    def _labelled(self, example: Example, rng: np.random.Generator) -> list[tuple[tuple[str, str], str]]:
        """Return a labelled pair and sometimes one with a message of another example, which is another topic."""
        found = [(in_order(example.query, example.positive), example.label)]
        if rng.random() < self._candidates.hard:
            other = self._messages[int(rng.integers(len(self._messages)))]
            if other not in self._alike[example.query]:
                found.append((in_order(example.query, other), TOPIC))
        return found

    def _with_others(self, example: Example, rng: np.random.Generator) -> list[tuple[str, str]]:
        """Return the pairs of a query: its positive, its negatives, and documents of other examples."""
        expected = self._candidates.hard if example.negatives else self._candidates.ordinary
        count = int(expected) + int(rng.random() < expected % 1)
        drawn = [self._documents[at] for at in rng.integers(len(self._documents), size=count)]
        others = [text for text in drawn if text not in (example.positive, example.query, *example.negatives)]
        return [(example.query, text) for text in (example.positive, *example.negatives, *others)]

    def _logits(
        self, scorer: PairScorer, known: Mapping[str, np.ndarray], pairs: Mapping[str, Sequence[tuple[str, str]]]
    ) -> dict[str, Tensor]:
        """Return the logits of each head for its pairs. The pairs of all heads are read together."""
        asked = {head: some for head, some in pairs.items() if some and head in scorer.heads}
        if not asked:
            # A process may have no share of a small batch.
            return {}
        tokens = pair_tokens(
            scorer.tokenizer, [pair for some in asked.values() for pair in some], longest=self._max_tokens, known=known
        )
        order, vectors = [], []
        for rows in _pieces(tokens):
            features = padded([tokens[row] for row in rows], scorer.padding, scorer.model.device)
            with self.half_precision():
                vectors.append(scorer.model.pooled(*features))
            order += rows
        position = torch.empty(len(order), dtype=torch.long)
        position[torch.tensor(order)] = torch.arange(len(order))
        together = torch.cat(vectors)[position.to(vectors[0].device)]
        parts = torch.split(together, [len(some) for some in asked.values()])
        return {head: scorer.model.logits(part, head) for head, part in zip(asked, parts, strict=True)}


def head_of(example: Example) -> str:
    """Return the head that an example trains."""
    if example.label:
        return VERDICT
    return RELEVANCE if example.score is None else SCORE


def _rows(logits: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return the logits of each query as a row; a short row is filled with logits that are too low to count."""
    return nn.utils.rnn.pad_sequence(list(torch.split(logits, list(sizes))), batch_first=True, padding_value=ABSENT)


def _mirrored(rows: Tensor, first: Sequence[int]) -> Tensor:
    """Return how much higher each document scores with its own query than with the other query of its unit."""
    at, second = list(first), [row + 1 for row in first]
    return torch.cat([rows[at, 0] - rows[second, 1], rows[second, 0] - rows[at, 1]])


def mirrored_units(examples: Sequence[Example]) -> list[tuple[Example, ...]]:
    """Group examples that mirror each other: the positive of each is the first negative of the other."""
    waiting: dict[tuple[str, str], list[int]] = {}
    units: dict[int, tuple[Example, ...]] = {}
    for at, example in enumerate(examples):
        key = (example.negatives[0], example.positive) if example.negatives else None
        if key and waiting.get(key):
            units[waiting[key].pop()] += (example,)
            continue
        units[at] = (example,)
        if example.negatives:
            waiting.setdefault((example.positive, example.negatives[0]), []).append(at)
    return list(units.values())


def _pieces(tokens: Sequence[Tokens]) -> Iterator[list[int]]:
    ordered = sorted(range(len(tokens)), key=lambda row: (len(tokens[row].ids), row))
    size = math.ceil(len(ordered) / PIECES)
    return (ordered[start : start + size] for start in range(0, len(ordered), size))


def _token_ids(scorer: PairScorer, units: Sequence[Sequence[Example]], longest: int) -> Mapping[str, np.ndarray]:
    """Tokenise each distinct text once."""
    texts = list(
        dict.fromkeys(
            text for unit in units for example in unit for text in (example.query, example.positive, *example.negatives)
        )
    )
    ids: dict[str, np.ndarray] = {}
    for start in range(0, len(texts), TOKENIZED_AT_ONCE):
        piece = texts[start : start + TOKENIZED_AT_ONCE]
        ids |= text_ids(scorer.tokenizer, piece, longest=longest)
    return ids
