"""Pairs of messages for a cache: how well scores separate those that deserve the same answer from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.data.benchmarks.same_answer import MessagePair
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import Figure, share, slices
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask
from litotes.stats import auc, threshold_at

PRECISION = 0.97
"""The precision at which the recall is reported: a wrong answer from a cache costs more than a miss."""


@dataclass(frozen=True, slots=True)
class SameAnswerTask(BaseTask):
    """Pairs of messages as a task."""

    family = "same_answer"

    name: str
    split: str
    items: tuple[MessagePair, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for pair in self.items for text in (pair.new, pair.cached)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per pair with its score. A model that reads two texts together reads them in both orders."""
        scores = scorer.same([pair.new for pair in self.items], [pair.cached for pair in self.items])
        return [_row(pair, float(score)) for pair, score in zip(self.items, scores, strict=True)]


TASK = SameAnswerTask


def _row(pair: MessagePair, score: float) -> ItemRow:
    groups = {"kind": pair.kind, "domain": pair.domain}
    return ItemRow(pair.id, None if isnan(score) else score, groups, {"same": float(pair.same)})


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the AUC, the recall at a precision of 97%, and the share of each kind that is accepted there.

    The threshold is the best one for these rows, so the recall is an upper bound for a threshold that is chosen
    elsewhere. A score that could not be read counts as a rejection.
    """
    scored = [row for row in rows if row.value is not None]
    labels = [int(row.numbers["same"]) for row in scored]
    values = [row.value for row in scored if row.value is not None]
    threshold = threshold_at(labels, values, PRECISION)
    accepted = {row.id: row.value is not None and row.value >= threshold for row in rows}
    right = [accepted[row.id] for row in rows if row.numbers["same"]]
    computed = [Figure("AUC", auc(labels, values), len(values)), share("recall at precision 97", right)]
    for name, part in sorted(slices(rows, "kind").items()):
        computed.append(share("accepted", [accepted[row.id] for row in part], slice=name))
    return computed
