"""Impaired sentences: a model that reads meaning should drop a little with each step, and far at the negation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litotes.data.impaired_sentences import NEGATION, ImpairedSentence
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import Figure, average, slices
from litotes.evaluation.measures import preference
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask


@dataclass(frozen=True, slots=True)
class SeriesTask(BaseTask):
    """Impaired sentences as a task."""

    family = "series"

    name: str
    split: str
    items: tuple[ImpairedSentence, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.text, item.impaired)]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per sentence: by how much its similarity with itself exceeds that with its impaired form."""
        texts = [item.text for item in self.items]
        with_itself = scorer.pairs(texts, texts)
        with_impaired = scorer.pairs(texts, [item.impaired for item in self.items])
        return [
            ItemRow(
                f"{item.series}/{item.degree}/{item.id}",
                preference(float(itself), float(impaired)),
                {"series": item.series, "degree": f"{item.series} {item.degree}".strip()},
                {"itself": float(itself), "impaired": float(impaired)},
            )
            for item, itself, impaired in zip(self.items, with_itself, with_impaired, strict=True)
        ]


TASK = SeriesTask


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the mean drop of each series at each degree; the negation first."""
    parts = slices(rows, "degree")
    ordered = sorted(parts, key=lambda name: (not name.endswith(NEGATION), name))
    return [
        average("drop", [row.value for row in parts[name] if row.value is not None], slice=name) for name in ordered
    ]
