"""Contrasts among other documents: the right document must be ranked above its contrast, and first in the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from litotes.data.contrast_lists import ListedContrast
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import ALL, Figure, average, share, slices
from litotes.evaluation.measures import RIGHT, TIED, UNREAD, outcome, preference
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask


@dataclass(frozen=True, slots=True)
class ContrastListTask(BaseTask):
    """Contrasts in lists as a task."""

    family = "contrast_lists"

    name: str
    split: str
    items: tuple[ListedContrast, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        queries = [query for item in self.items for query, _, _ in item.questions()]
        return {"query": queries, "document": [text for item in self.items for text in item.documents]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per contrast: whether each query ranks its own document above the other, and at which rank."""
        questions = [(query, item) for item in self.items for query, _, _ in item.questions()]
        # one call, so that a lexical model weighs its words over all lists
        scores = iter(scorer.lists([query for query, _ in questions], [item.documents for _, item in questions]))
        return [_row(item, [next(scores) for _ in item.questions()]) for item in self.items]


TASK = ContrastListTask


def _row(item: ListedContrast, scores_by_query: Sequence[np.ndarray]) -> ItemRow:
    margins, ranks = [], []
    for (_, own, other), scores in zip(item.questions(), scores_by_query, strict=True):
        right, wrong = scores[item.documents.index(own)], scores[item.documents.index(other)]
        margins.append(float(preference(right, wrong)))
        ranks.append(_rank(float(right), scores))
    result = outcome(*margins)
    numbers = {f"rank{number}": float(rank) for number, rank in enumerate(ranks, start=1) if rank}
    numbers |= {f"margin{number}": margin for number, margin in enumerate(margins, start=1) if not isnan(margin)}
    groups = {"kind": item.contrast.kind, "outcome": result, "queries": str(len(margins))}
    return ItemRow(
        item.contrast.id, float(result == RIGHT), {name: group for name, group in groups.items() if group}, numbers
    )


def _rank(right: float, scores: np.ndarray) -> int:
    """Return the rank of the right document, below all that score as high; 0 if its own score could not be read."""
    return 0 if isnan(right) else sum(preference(float(score), right) >= 0 for score in scores)


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the pairwise accuracy and the mean reciprocal rank of the right document, overall and by kind."""
    computed = [*_figures(rows), share("tied", [row.groups["outcome"] == TIED for row in rows])]
    unread = [row.groups["outcome"] == UNREAD for row in rows]
    computed += [share("unread", unread)] if any(unread) else []
    for name, part in sorted(slices(rows, "kind").items()):
        computed += _figures(part, name)
    return computed


def _figures(rows: Sequence[ItemRow], slice: str = ALL) -> list[Figure]:
    return [
        share("pairwise accuracy", [row.value == 1 for row in rows], slice=slice),
        average("MRR", [_reciprocal(row) for row in rows], slice=slice, scale=100),
    ]


def _reciprocal(row: ItemRow) -> float:
    """Return the mean reciprocal rank over the queries; 0 for a query whose own document has no rank."""
    count = int(row.groups["queries"])
    ranks = [row.numbers.get(f"rank{number}") for number in range(1, count + 1)]
    return sum(1 / rank for rank in ranks if rank) / count
