"""Contrasts among other documents: the right one must stand above its contrast, and first, in a list of ten."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from litotes.bench.measures import RIGHT, TIED, UNREAD, outcome, preference
from litotes.bench.rows import ALL, Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.types import Contrast

DISTRACTORS = 8


@dataclass(frozen=True, slots=True)
class Listed:
    """A contrast, and the documents both of its queries are asked with: its own two and others, in a drawn order."""

    contrast: Contrast
    documents: tuple[str, ...]

    def questions(self) -> list[tuple[str, str, str]]:
        """Each query with its own document and the other one."""
        first = [(self.contrast.q1, self.contrast.doc1, self.contrast.doc2)]
        turned = self.contrast.q2
        return first if turned is None else [*first, (turned, self.contrast.doc2, self.contrast.doc1)]


def listed(contrasts: Sequence[Contrast], *, distractors: int = DISTRACTORS, seed: int = 0) -> tuple[Listed, ...]:
    """Each contrast in a list: its documents, and one each of other contrasts of other domains, where domains are said.

    A contrast of the same domain might answer its query as well. The draw depends on the seed and the contrast's id.
    """
    found = []
    for item in contrasts:
        draw = random.Random(f"{seed}/{item.id}")
        own = {item.doc1, item.doc2}
        others = [one for one in contrasts if one.id != item.id and (not item.domain or one.domain != item.domain)]
        texts = [draw.choice((one.doc1, one.doc2)) for one in draw.sample(others, min(2 * distractors, len(others)))]
        documents = [*own, *[text for text in dict.fromkeys(texts) if text not in own][:distractors]]
        # a set has no order of its own to be drawn from
        documents.sort()
        draw.shuffle(documents)
        found.append(Listed(item, tuple(documents)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ContrastLists(Base):
    """Contrasts in lists as a task."""

    family = "contrast_lists"

    name: str
    split: str
    items: tuple[Listed, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        queries = [query for item in self.items for query, _, _ in item.questions()]
        return {"query": queries, "document": [text for item in self.items for text in item.documents]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a contrast: whether each query has its own document above the other, and at which rank."""
        asked = [(query, item) for item in self.items for query, _, _ in item.questions()]
        # one call, so that a lexical model weighs its words over all lists alike
        scores = iter(scorer.lists([query for query, _ in asked], [item.documents for _, item in asked]))
        return [_row(item, [next(scores) for _ in item.questions()]) for item in self.items]


def _row(item: Listed, scores: Sequence[np.ndarray]) -> Row:
    margins, ranks = [], []
    for (_, own, other), found in zip(item.questions(), scores, strict=True):
        right, wrong = found[item.documents.index(own)], found[item.documents.index(other)]
        margins.append(float(preference(right, wrong)))
        ranks.append(_rank(float(right), found))
    came = outcome(*margins)
    numbers = {f"rank{number}": float(rank) for number, rank in enumerate(ranks, start=1) if rank}
    numbers |= {f"margin{number}": one for number, one in enumerate(margins, start=1) if not isnan(one)}
    groups = {"kind": item.contrast.kind, "outcome": came, "queries": str(len(margins))}
    return Row(
        item.contrast.id, float(came == RIGHT), {name: group for name, group in groups.items() if group}, numbers
    )


def _rank(right: float, scores: np.ndarray) -> int:
    """The place of the right document, behind all that score as high; 0 where its own score could not be read."""
    return 0 if isnan(right) else sum(preference(float(one), right) >= 0 for one in scores)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Pairwise accuracy, as of contrasts by themselves, and the mean reciprocal rank of the right document; by kind."""
    found = [*_figures(rows), share("tied", [row.groups["outcome"] == TIED for row in rows])]
    unread = [row.groups["outcome"] == UNREAD for row in rows]
    found += [share("unread", unread)] if any(unread) else []
    for name, part in sorted(slices(rows, "kind").items()):
        found += _figures(part, name)
    return found


def _figures(rows: Sequence[Row], slice: str = ALL) -> list[Figure]:
    return [
        share("pairwise accuracy", [row.value == 1 for row in rows], slice=slice),
        average("MRR", [_reciprocal(row) for row in rows], slice=slice, scale=100),
    ]


def _reciprocal(row: Row) -> float:
    """The mean over the queries; one whose own document has no rank scores 0."""
    count = int(row.groups["queries"])
    ranks = [row.numbers.get(f"rank{number}") for number in range(1, count + 1)]
    return sum(1 / rank for rank in ranks if rank) / count
