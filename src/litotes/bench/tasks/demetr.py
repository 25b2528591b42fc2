"""DEMETR: how far a model's score of a translation falls when the translation is damaged in one way.

The ratio is the drop to the damaged translation over the drop to an empty one (a full stop), item by item, then the
mean: so the released code of the CANNOT paper computes it. A model that likes the empty text has small drops to it and
large ratios, so beside it stands the mean drop over the mean drop to an unrelated translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

from litotes.bench.measures import preference, sensitivity
from litotes.bench.rows import ALL, Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.sets.demetr import EMPTY, UNRELATED, Perturbed
from litotes.stats import quotient

NEGATION = "critical_negation"
UNCHANGED, NO_DROP = "unchanged", "no drop to the empty text"


@dataclass(frozen=True, slots=True)
class Demetr(Base):
    """Perturbed translations as a task."""

    family = "demetr"

    name: str
    split: str
    items: tuple[Perturbed, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        there = [item for item in self.items if item.changed]
        return {"": [EMPTY, *(text for item in there for text in (item.reference, item.translation, item.perturbed))]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a translation: its score, the damaged one's and the empty one's, against the reference."""
        there = [item for item in self.items if item.changed]
        references = [item.reference for item in there]
        sides = ([item.translation for item in there], [item.perturbed for item in there], [EMPTY] * len(there))
        scores = iter(zip(*(scorer.pairs(references, side).tolist() for side in sides), strict=True))
        return [_row(item, next(scores) if item.changed else None) for item in self.items]


def _row(item: Perturbed, scores: tuple[float, float, float] | None) -> Row:
    groups = {"perturbation": item.perturbation, "severity": item.severity}
    name = f"{item.perturbation}/{item.id}"
    if scores is None:
        return Row(name, None, groups | {"left out": UNCHANGED})
    ratio = sensitivity(*scores)
    whole, perturbed, empty = scores
    numbers = {"unchanged": whole, "perturbed": perturbed, "empty": empty}
    if isnan(ratio):
        return Row(name, None, groups | {"left out": NO_DROP}, numbers)
    return Row(name, ratio, groups, numbers)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """By perturbation: the ratio, the ratio over the unrelated drop, and how often the damage is noticed."""
    parts = slices(rows, "perturbation")
    unrelated = [_drop(row) for row in parts.get(f"perturbation: {UNRELATED}", ()) if row.numbers]
    first = f"perturbation: {NEGATION}"
    found: list[Figure] = []
    for name in sorted(parts, key=lambda name: (name != first, name)):
        there = [row for row in parts[name] if row.value is not None]
        drops = [_drop(row) for row in parts[name] if row.numbers]
        if there:
            found.append(average("ratio", [row.value for row in there if row.value is not None], slice=name))
        if drops and unrelated:
            top, bottom = [*drops, *(nan for _ in unrelated)], [*(nan for _ in drops), *unrelated]
            ratio = quotient(top, bottom)
            found.append(Figure("ratio over unrelated", ratio, len(top), name, scale=1, beside=len(unrelated)))
        if drops:
            found.append(share("noticed", [drop > 0 for drop in drops], slice=name))
    for why in (UNCHANGED, NO_DROP):
        found.append(share(f"left out, {why}", [row.groups.get("left out") == why for row in rows], slice=ALL))
    return found


def _drop(row: Row) -> float:
    return preference(row.numbers["unchanged"], row.numbers["perturbed"])
