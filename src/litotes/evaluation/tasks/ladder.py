"""The modality ladder of HedgeTriple's Figure 1: a claim beside surer, doubtful and contrary forms of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from litotes.data.benchmarks.ladders import RUNGS, Ladder
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import Figure, average, share, slices
from litotes.evaluation.measures import preference
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask


@dataclass(frozen=True, slots=True)
class LadderTask(BaseTask):
    """Ladders as a task."""

    family = "ladder"

    name: str
    split: str
    items: tuple[Ladder, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.claim, *item.rungs)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per rung: its similarity with the claim."""
        rungs = [(item, name, text) for item in self.items for name, text in zip(RUNGS, item.rungs, strict=True)]
        scores = scorer.pairs([item.claim for item, _, _ in rungs], [text for _, _, text in rungs])
        return [
            ItemRow(f"{item.id}/{name}", float(score), {"rung": name, "ladder": item.id})
            for (item, name, _), score in zip(rungs, scores, strict=True)
        ]


TASK = LadderTask


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the share of ladders, and of neighbouring rungs, that are in order; and each rung's mean similarity."""
    ladders: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.value is not None:
            ladders[row.groups["ladder"]][row.groups["rung"]] = row.value
    complete = [ladder for ladder in ladders.values() if len(ladder) == len(RUNGS)]
    steps = list(pairwise(RUNGS))
    in_order = {step: [preference(ladder[step[0]], ladder[step[1]]) > 0 for ladder in complete] for step in steps}
    computed = [share("in order", [all(flags) for flags in zip(*in_order.values(), strict=True)])]
    computed += [share("in order", flags, slice=f"{upper} above {lower}") for (upper, lower), flags in in_order.items()]
    parts = slices(rows, "rung")
    return computed + [
        average("similarity", [row.value for row in part if row.value is not None], slice=name)
        for name, part in parts.items()
    ]
