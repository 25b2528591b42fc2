"""Cue traps: texts that mean the same with other numbers of cues, and deny each other with the same number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from litotes.data.quadruples import Quadruple
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import ALL, Figure, average, share, slices
from litotes.evaluation.measures import preference
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask

COMPARISONS = 4
"""Comparisons of a quadruple with the traps, and as many with the other opposites: one per text."""


@dataclass(frozen=True, slots=True)
class CueTrapTask(BaseTask):
    """Quadruples as a task."""

    family = "cue_traps"

    name: str
    split: str
    items: tuple[Quadruple, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.a1, item.a2, item.b1, item.b2)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per quadruple: the share of its four comparisons that are right, and every margin."""
        comparisons = [comparison for item in self.items for comparison in (*item.traps, *item.others)]
        texts = [text for text, _, _ in comparisons]
        equivalents, opposites = [same for _, same, _ in comparisons], [opposite for _, _, opposite in comparisons]
        # one call, so that a lexical model weighs its words over both sides
        scores = scorer.pairs([*texts, *texts], [*equivalents, *opposites]).tolist()
        pairs = zip(scores[: len(comparisons)], scores[len(comparisons) :], strict=True)
        margins = [preference(*pair) for pair in pairs]
        size = 2 * COMPARISONS
        return [_row(item, margins[place * size : (place + 1) * size]) for place, item in enumerate(self.items)]


TASK = CueTrapTask


def _row(item: Quadruple, margins: Sequence[float]) -> ItemRow:
    names = [f"{opposite} {number}" for opposite in ("trap", "other") for number in range(1, COMPARISONS + 1)]
    right = [margin > 0 for margin in margins[:COMPARISONS]]
    return ItemRow(
        item.id,
        sum(right) / COMPARISONS,
        {"mechanism": item.mechanism, "domain": item.domain},
        {name: margin for name, margin in zip(names, margins, strict=True) if not isnan(margin)},
    )


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return accuracy, strict and full, as litotes.data.benchmarks.cue_traps defines them; overall and by mechanism."""
    computed = _figures(rows)
    for name, part in sorted(slices(rows, "mechanism").items()):
        computed += _figures(part, name)
    return computed


def _figures(rows: Sequence[ItemRow], slice: str = ALL) -> list[Figure]:
    full = [sum(margin > 0 for margin in row.numbers.values()) == 2 * COMPARISONS for row in rows]
    return [
        average("accuracy", [row.value for row in rows if row.value is not None], slice=slice, scale=100),
        share("strict", [row.value == 1 for row in rows], slice=slice),
        share("full", full, slice=slice),
    ]
