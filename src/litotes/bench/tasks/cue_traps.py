"""Cue traps: texts that mean the same with other counts of cues, and deny each other with the same. Ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.bench.measures import preference
from litotes.bench.rows import ALL, Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.quadruples import Quadruple

SIDES = 4


@dataclass(frozen=True, slots=True)
class CueTraps(Base):
    """Quadruples as a task."""

    family = "cue_traps"

    name: str
    split: str
    items: tuple[Quadruple, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.a1, item.a2, item.b1, item.b2)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a quadruple: the share of its four comparisons that are right, and how far each is decided."""
        asked = [comparison for item in self.items for comparison in (*item.traps, *item.others)]
        texts = [text for text, _, _ in asked]
        near, far = [same for _, same, _ in asked], [opposite for _, _, opposite in asked]
        # one call, so that a lexical model weighs its words over both sides alike
        scores = scorer.pairs([*texts, *texts], [*near, *far]).tolist()
        margins = [preference(*both) for both in zip(scores[: len(asked)], scores[len(asked) :], strict=True)]
        size = 2 * SIDES
        return [_row(item, margins[place * size : (place + 1) * size]) for place, item in enumerate(self.items)]


def _row(item: Quadruple, margins: Sequence[float]) -> Row:
    names = [f"{sort} {side}" for sort in ("trap", "other") for side in range(1, SIDES + 1)]
    right = [margin > 0 for margin in margins[:SIDES]]
    return Row(
        item.id,
        sum(right) / SIDES,
        {"mechanism": item.mechanism, "domain": item.domain},
        {name: margin for name, margin in zip(names, margins, strict=True) if not isnan(margin)},
    )


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Accuracy, strict and full, as litotes.data.cue_traps says; accuracy also by mechanism."""
    found = _figures(rows)
    for name, part in sorted(slices(rows, "mechanism").items()):
        found += _figures(part, name)
    return found


def _figures(rows: Sequence[Row], slice: str = ALL) -> list[Figure]:
    whole = [sum(margin > 0 for margin in row.numbers.values()) == 2 * SIDES for row in rows]
    return [
        average("accuracy", [row.value for row in rows if row.value is not None], slice=slice, scale=100),
        share("strict", [row.value == 1 for row in rows], slice=slice),
        share("full", whole, slice=slice),
    ]
