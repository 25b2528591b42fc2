"""Contrasts: two queries, two documents, and each query must prefer its own. NevIR, ExcluIR, the taxonomy, any file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isnan
from statistics import fmean

import numpy as np

from litotes.bench.agreement import PARTS, holds_negation
from litotes.bench.measures import FIRST, REVERSED, RIGHT, SECOND, TIED, UNREAD, outcome
from litotes.bench.rows import ALL, Figure, Row, average, share, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.types import Contrast

LENGTHS = (10, 25, 50, 100, 150, 200, 300, 400)
DIVISIONS = ("kind", "edit", "style", "domain", "words", "difference at word")
ERRORS_BY = ("kind", "edit")
PREFERRED = {FIRST: "doc1", SECOND: "doc2"}
LEANING = "towards what is shown first"
Answer = tuple[float, tuple[float, ...]]
"""how much a query prefers its own document, and whether what was shown first was taken, order by order"""


@dataclass(frozen=True, slots=True)
class Contrasts(Base):
    """Contrasts as a task.

    `edited`: doc2 is doc1 with an edit, as in NevIR, whose doc1 is the one with the negation.
    """

    family = "contrasts"

    name: str
    split: str
    items: tuple[Contrast, ...]
    edited: bool = False

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        queries = [query for item in self.items for query in (item.q1, item.q2) if query is not None]
        return {"query": queries, "document": [text for item in self.items for text in (item.doc1, item.doc2)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a contrast: right or not, and how much each query prefers its own document."""
        asked = [(item.q1, item.doc1, item.doc2) for item in self.items]
        turned = [(item.q2, item.doc2, item.doc1) for item in self.items if item.q2 is not None]
        columns = [list(column) for column in zip(*asked, *turned, strict=True)] or [[], [], []]
        choices = scorer.choices(*columns) if self.items else None
        margins = np.mean(choices, axis=1) if choices is not None else scorer.margins(*columns)
        leanings: list[tuple[float, ...]] = (
            [()] * len(margins) if choices is None else [_towards_first_shown(one) for one in choices]
        )
        answers = [(float(margin), leaning) for margin, leaning in zip(margins, leanings, strict=True)]
        second = iter(answers[len(asked) :])
        return [
            self._row(item, first, None if item.q2 is None else next(second))
            for item, first in zip(self.items, answers, strict=False)
        ]

    def _row(self, item: Contrast, one: Answer, other: Answer | None) -> Row:
        first, second = one[0], None if other is None else other[0]
        found = outcome(first, second)
        groups = {
            "kind": item.kind,
            "edit" if self.edited else "style": item.style,
            "domain": item.domain,
            "words": length_bin(len(item.doc1.split())),
            "difference at word": length_bin(first_difference(item.doc1, item.doc2)) if self.edited else "",
            "negated": "doc1" if self.edited else negated_document(item.kind),
            "outcome": found,
            "queries": "1" if second is None else "2",
        }
        leanings = [*one[1], *(other[1] if other is not None else ())]
        numbers = {"margin1": first, "margin2": second, LEANING: fmean(leanings) if leanings else None}
        return Row(
            item.id,
            float(found == RIGHT),
            {name: group for name, group in groups.items() if group},
            {name: margin for name, margin in numbers.items() if margin is not None and not isnan(margin)},
        )


def _towards_first_shown(choice: np.ndarray) -> tuple[float, ...]:
    """Of the two orders of a choice, those that were answered: 1 for what was shown first, −1 against it."""
    shown_first = np.sign(choice) * np.array([1.0, -1.0])
    return tuple(float(one) for one in shown_first if not isnan(one))


def length_bin(words: int) -> str:
    """The bin of a length: "under 10", "10–24", "25–49" and so on to "400 and over"."""
    place = bisect_right(LENGTHS, words)
    if place == 0:
        return f"under {LENGTHS[0]}"
    return f"{LENGTHS[-1]} and over" if place == len(LENGTHS) else f"{LENGTHS[place - 1]}–{LENGTHS[place] - 1}"


def first_difference(first: str, second: str) -> int:
    """The place of the first word in which two documents differ, from 1."""
    pairs = enumerate(zip_longest(first.split(), second.split()), start=1)
    return next((place for place, (one, other) in pairs if one != other), len(first.split()))


def negated_document(kind: str) -> str:
    """Which document of a contrast of this kind holds the negation; "" where neither, or both do."""
    parts = holds_negation(kind)
    return next((part for part in ("doc1", "doc2") if part in parts), "") if parts != frozenset(PARTS) else ""


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Pairwise accuracy where there are two queries, right rank where there is one; by division; and the errors."""
    found: list[Figure] = []
    for measure, queries in (("pairwise accuracy", "2"), ("right rank", "1")):
        those = [row for row in rows if row.groups["queries"] == queries]
        if not those:
            continue
        found += [_accuracy(measure, those), *_unanswered(those), *_position_bias(those)]
        found += _errors(those) if queries == "2" else []
        for division in DIVISIONS:
            parts = sorted(slices(those, division).items(), key=lambda part: _order(part[1][0].groups[division]))
            for name, part in parts:
                found.append(_accuracy(measure, part, name))
                found += _errors(part, name) if division in ERRORS_BY and queries == "2" else []
    return found


def _accuracy(measure: str, rows: Sequence[Row], slice: str = ALL) -> Figure:
    return share(measure, [row.value == 1 for row in rows], slice=slice)


def _errors(rows: Sequence[Row], slice: str = ALL) -> list[Figure]:
    """As in NevIR's Figure 4: which document wins both queries, or whether both are turned round; as shares of all."""
    named = [row for row in rows if "negated" in row.groups]
    preferred = [(PREFERRED.get(row.groups["outcome"], ""), row.groups.get("negated")) for row in named or rows]
    if named:
        found = [
            share("prefers the negated document", [one == negated for one, negated in preferred], slice=slice),
            share(
                "prefers the other document", [bool(one) and one != negated for one, negated in preferred], slice=slice
            ),
        ]
    else:
        found = [
            share(f"prefers {name}", [one == name for one, _ in preferred], slice=slice) for name in PREFERRED.values()
        ]
    return [*found, share("both reversed", [row.groups["outcome"] == REVERSED for row in rows], slice=slice)]


def _unanswered(rows: Sequence[Row]) -> list[Figure]:
    """Ties are wrong and counted; answers nobody could read too, where there are any."""
    unread = [row.groups["outcome"] == UNREAD for row in rows]
    found = [share("tied", [row.groups["outcome"] == TIED for row in rows])]
    return [*found, share("unread", unread)] if any(unread) else found


def _position_bias(rows: Sequence[Row]) -> list[Figure]:
    """Of a model that is shown both documents: from −100, always the one shown second, to 100, always the first."""
    leanings = [row.numbers[LEANING] for row in rows if LEANING in row.numbers]
    return [average("position bias", leanings, scale=100.0)] if leanings else []


def _order(name: str) -> tuple[int, str]:
    """Bins by their lengths, all else by the alphabet."""
    first = name.removeprefix("under ").split("–")[0].split(" ")[0]
    return (int(first) - name.startswith("under"), "") if first.isdecimal() else (0, name)
