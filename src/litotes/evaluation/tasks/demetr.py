"""DEMETR: how far a model's score of a translation falls when the translation is damaged in one way.

The ratio is the drop to the damaged translation divided by the drop to an empty one (a full stop), item by item, then
averaged, as in the released code of the CANNOT paper. A model that likes the empty text has small drops to it and large
ratios, so a second figure is given: the mean drop divided by the mean drop to an unrelated translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

from litotes.data.benchmarks.demetr import EMPTY, UNRELATED, Perturbed
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import ALL, Figure, average, share, slices
from litotes.evaluation.measures import preference, sensitivity
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask
from litotes.stats import quotient

NEGATION = "critical_negation"
EXCLUDED = "left out"
UNCHANGED, NO_DROP = "unchanged", "no drop to the empty text"


@dataclass(frozen=True, slots=True)
class DemetrTask(BaseTask):
    """Damaged translations as a task."""

    family = "demetr"

    name: str
    split: str
    items: tuple[Perturbed, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        changed = [item for item in self.items if item.changed]
        return {"": [EMPTY, *(text for item in changed for text in (item.reference, item.translation, item.perturbed))]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per translation: the scores of itself, of its damaged form and of an empty text."""
        changed = [item for item in self.items if item.changed]
        references = [item.reference for item in changed]
        candidates = (
            [item.translation for item in changed],
            [item.perturbed for item in changed],
            [EMPTY] * len(changed),
        )
        scores = iter(zip(*(scorer.pairs(references, texts).tolist() for texts in candidates), strict=True))
        return [_row(item, next(scores) if item.changed else None) for item in self.items]


TASK = DemetrTask


def _row(item: Perturbed, scores: tuple[float, float, float] | None) -> ItemRow:
    groups = {"perturbation": item.perturbation, "severity": item.severity}
    name = f"{item.perturbation}/{item.id}"
    if scores is None:
        return ItemRow(name, None, groups | {EXCLUDED: UNCHANGED})
    ratio = sensitivity(*scores)
    unchanged, perturbed, empty = scores
    numbers = {"unchanged": unchanged, "perturbed": perturbed, "empty": empty}
    if isnan(ratio):
        return ItemRow(name, None, groups | {EXCLUDED: NO_DROP}, numbers)
    return ItemRow(name, ratio, groups, numbers)


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return for each perturbation the ratio, the ratio over the unrelated drop, and how often the drop is positive."""
    parts = slices(rows, "perturbation")
    unrelated = [_drop(row) for row in parts.get(f"perturbation: {UNRELATED}", ()) if row.numbers]
    first = f"perturbation: {NEGATION}"
    computed: list[Figure] = []
    for name in sorted(parts, key=lambda name: (name != first, name)):
        ratios = [row.value for row in parts[name] if row.value is not None]
        drops = [_drop(row) for row in parts[name] if row.numbers]
        if ratios:
            computed.append(average("ratio", ratios, slice=name))
        if drops and unrelated:
            top, bottom = [*drops, *(nan for _ in unrelated)], [*(nan for _ in drops), *unrelated]
            ratio = quotient(top, bottom)
            computed.append(
                Figure("ratio over unrelated", ratio, len(top), name, scale=1, reference_items=len(unrelated))
            )
        if drops:
            computed.append(share("noticed", [drop > 0 for drop in drops], slice=name))
    for reason in (UNCHANGED, NO_DROP):
        computed.append(share(f"{EXCLUDED}, {reason}", [row.groups.get(EXCLUDED) == reason for row in rows], slice=ALL))
    return computed


def _drop(row: ItemRow) -> float:
    return preference(row.numbers["unchanged"], row.numbers["perturbed"])
