"""Yes or no: are these two texts opposites? For models that can be asked, on pairs whose answer is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan

from litotes.bench.rows import ALL, Figure, Row, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.opposites import NOT_OPPOSITE
from litotes.data.quadruples import Quadruple
from litotes.types import Triple

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Judged:
    """Two texts, and whether one says the opposite of the other."""

    id: str
    first: str
    second: str
    opposite: bool
    kind: str = ""
    """of what sets them apart, or makes them the same"""


@dataclass(frozen=True, slots=True)
class Opposites(Base):
    """Judged pairs as a task."""

    family = "opposites"

    name: str
    split: str
    items: tuple[Judged, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a pair: 1 where the answer is right, 0 where it is wrong or none was read."""
        margins = scorer.opposed([item.first for item in self.items], [item.second for item in self.items]).tolist()
        return [_row(item, margin) for item, margin in zip(self.items, margins, strict=True)]


def of_quadruples(found: Iterable[Quadruple]) -> Iterator[Judged]:
    """Two pairs that mean the same and two that deny each other, of each quadruple."""
    for one in found:
        sides = ((one.a1, one.a2, False), (one.b1, one.b2, False), (one.a1, one.b1, True), (one.a2, one.b2, True))
        for place, (first, second, opposite) in enumerate(sides, 1):
            yield Judged(f"{one.id}/{place}", first, second, opposite, one.mechanism)


def of_triples(found: Iterable[Triple]) -> Iterator[Judged]:
    """An anchor with its negation and with its paraphrase, each pair once; what only narrows is no opposite."""
    seen = set()
    for one in found:
        pairs = ((one.negative, True, one.negative_kind), (one.positive, False, one.positive_kind))
        for text, opposite, kind in pairs:
            if (one.anchor, text) in seen or kind in NOT_OPPOSITE:
                continue
            seen.add((one.anchor, text))
            yield Judged(f"{one.id}/{YES if opposite else NO}", one.anchor, text, opposite, kind)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Accuracy, over all, by the right answer and by kind; and how many answers could not be read."""
    found = [_accuracy(rows), share("unread", ["margin" not in row.numbers for row in rows])]
    for division in ("answer", "kind"):
        found += [_accuracy(part, name) for name, part in sorted(slices(rows, division).items())]
    return found


def _row(item: Judged, margin: float) -> Row:
    right = not isnan(margin) and margin != 0 and (margin > 0) == item.opposite
    divisions = {"answer": YES if item.opposite else NO} | ({"kind": item.kind} if item.kind else {})
    return Row(item.id, float(right), divisions, {} if isnan(margin) else {"margin": margin})


def _accuracy(rows: Sequence[Row], slice: str = ALL) -> Figure:
    return share("accuracy", [row.value == 1 for row in rows], slice=slice)
