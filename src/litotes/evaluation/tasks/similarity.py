"""Scored pairs: how well a model's similarities follow people's grades, or a rule's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.data.items import BINARY, ScoredPair
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import ALL, Figure, average, share, slices
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask
from litotes.stats import auc, spearman


@dataclass(frozen=True, slots=True)
class SimilarityTask(BaseTask):
    """Scored pairs as a task."""

    family = "similarity"

    name: str
    split: str
    items: tuple[ScoredPair, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for pair in self.items for text in (pair.first, pair.second)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per pair: the model's similarity and the grade; no value if the answer could not be read."""
        scores = scorer.pairs([pair.first for pair in self.items], [pair.second for pair in self.items])
        return [_row(pair, float(score)) for pair, score in zip(self.items, scores, strict=True)]


TASK = SimilarityTask


def _row(pair: ScoredPair, score: float) -> ItemRow:
    groups = {"kind": pair.kind, "scale": pair.scale}
    return ItemRow(
        pair.id,
        None if isnan(score) else score,
        {name: group for name, group in groups.items() if group},
        {"grade": pair.grade},
    )


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return Spearman's correlation; for mixed scales also the AUC of the 0/1 rows and Spearman of the graded ones."""
    scored = [row for row in rows if row.value is not None]
    computed = [_spearman(scored)]
    for name, part in slices(scored, "scale").items():
        if part[0].groups["scale"] == BINARY:
            labels = [int(row.numbers["grade"]) for row in part]
            computed.append(Figure("AUC", auc(labels, _values(part)), len(part), name))
        else:
            computed.append(_spearman(part, name))
    for name, part in sorted(slices(scored, "kind").items()):
        computed.append(average("similarity", _values(part), slice=name))
    unread = [row.value is None for row in rows]
    return [*computed, share("unread", unread)] if any(unread) else computed


def _spearman(rows: Sequence[ItemRow], slice: str = ALL) -> Figure:
    return Figure("Spearman", spearman([row.numbers["grade"] for row in rows], _values(rows)), len(rows), slice)


def _values(rows: Sequence[ItemRow]) -> list[float]:
    return [row.value for row in rows if row.value is not None]
