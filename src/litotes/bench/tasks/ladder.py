"""The modality ladder of HedgeTriple's Figure 1: a claim beside surer, doubtful and contrary forms of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from litotes.bench.measures import preference
from litotes.bench.rows import Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.ladders import RUNGS, Ladder


@dataclass(frozen=True, slots=True)
class Ladders(Base):
    """Ladders as a task."""

    family = "ladder"

    name: str
    split: str
    items: tuple[Ladder, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.claim, *item.rungs)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a rung: its similarity with the claim."""
        steps = [(item, name, text) for item in self.items for name, text in zip(RUNGS, item.rungs, strict=True)]
        found = scorer.pairs([item.claim for item, _, _ in steps], [text for _, _, text in steps])
        return [
            Row(f"{item.id}/{name}", float(score), {"rung": name, "ladder": item.id})
            for (item, name, _), score in zip(steps, found, strict=True)
        ]


def figures(rows: Sequence[Row]) -> list[Figure]:
    """How many ladders, and how many neighbouring rungs, stand in order; and the mean similarity of each rung."""
    ladders: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.value is not None:
            ladders[row.groups["ladder"]][row.groups["rung"]] = row.value
    whole = [ladder for ladder in ladders.values() if len(ladder) == len(RUNGS)]
    steps = list(pairwise(RUNGS))
    above = {step: [preference(ladder[step[0]], ladder[step[1]]) > 0 for ladder in whole] for step in steps}
    found = [share("in order", [all(those) for those in zip(*above.values(), strict=True)])]
    found += [share("in order", those, slice=f"{upper} above {lower}") for (upper, lower), those in above.items()]
    parts = slices(rows, "rung")
    return found + [
        average("similarity", [row.value for row in part if row.value is not None], slice=name)
        for name, part in parts.items()
    ]
