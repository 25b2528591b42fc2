"""Graded pairs: how well a model's similarities follow people's, or a rule's. STS-B, SICK, CANNOT-WMT, M3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.bench.rows import ALL, Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.stats import auc, spearman

BINARY, GRADED = "0/1", "graded"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and the grade their similarity should follow."""

    id: str
    first: str
    second: str
    grade: float
    kind: str = ""
    scale: str = ""
    """where a set mixes scales: which one the grade is on, "0/1" or "graded" """


@dataclass(frozen=True, slots=True)
class Similarity(Base):
    """Graded pairs as a task."""

    family = "similarity"

    name: str
    split: str
    pairs: tuple[Pair, ...]

    def content(self) -> Sequence[object]:
        return self.pairs

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for pair in self.pairs for text in (pair.first, pair.second)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a pair: the model's similarity beside the grade; none where the model's answer could not be read."""
        found = scorer.pairs([pair.first for pair in self.pairs], [pair.second for pair in self.pairs])
        return [_row(pair, float(score)) for pair, score in zip(self.pairs, found, strict=True)]


def _row(pair: Pair, score: float) -> Row:
    groups = {"kind": pair.kind, "scale": pair.scale}
    return Row(
        pair.id,
        None if isnan(score) else score,
        {name: group for name, group in groups.items() if group},
        {"grade": pair.grade},
    )


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Spearman over all; where scales are mixed, also the AUC of the 0/1 rows and Spearman within the graded ones."""
    there = [row for row in rows if row.value is not None]
    found = [_spearman(there)]
    for name, part in slices(there, "scale").items():
        if part[0].groups["scale"] == BINARY:
            labels = [int(row.numbers["grade"]) for row in part]
            found.append(Figure("AUC", auc(labels, _values(part)), len(part), name))
        else:
            found.append(_spearman(part, name))
    for name, part in sorted(slices(there, "kind").items()):
        found.append(average("similarity", _values(part), slice=name))
    unread = [row.value is None for row in rows]
    return [*found, share("unread", unread)] if any(unread) else found


def _spearman(rows: Sequence[Row], slice: str = ALL) -> Figure:
    return Figure("Spearman", spearman([row.numbers["grade"] for row in rows], _values(rows)), len(rows), slice)


def _values(rows: Sequence[Row]) -> list[float]:
    return [row.value for row in rows if row.value is not None]
