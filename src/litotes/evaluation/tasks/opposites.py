"""Yes or no: are these two texts opposites? For models that can be asked, on pairs whose answer is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.data.judged_pairs import JudgedPair
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import ALL, Figure, share, slices
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class OppositesTask(BaseTask):
    """Judged pairs as a task."""

    family = "opposites"

    name: str
    split: str
    items: tuple[JudgedPair, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per pair: 1 if the answer is right, 0 if it is wrong or could not be read."""
        margins = scorer.opposed([item.first for item in self.items], [item.second for item in self.items]).tolist()
        return [_row(item, margin) for item, margin in zip(self.items, margins, strict=True)]


TASK = OppositesTask


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the accuracy overall, by the right answer and by kind; and the share of answers that were not read."""
    computed = [_accuracy(rows), share("unread", ["margin" not in row.numbers for row in rows])]
    for division in ("answer", "kind"):
        computed += [_accuracy(part, name) for name, part in sorted(slices(rows, division).items())]
    return computed


def _row(item: JudgedPair, margin: float) -> ItemRow:
    right = not isnan(margin) and margin != 0 and (margin > 0) == item.opposite
    groups = {"answer": YES if item.opposite else NO} | ({"kind": item.kind} if item.kind else {})
    return ItemRow(item.id, float(right), groups, {} if isnan(margin) else {"margin": margin})


def _accuracy(rows: Sequence[ItemRow], slice: str = ALL) -> Figure:
    return share("accuracy", [row.value == 1 for row in rows], slice=slice)
