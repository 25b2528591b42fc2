"""Contrasts: two queries, two documents, and each query must prefer its own document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isnan
from statistics import fmean

import numpy as np

from litotes.data.result_files import ItemRow
from litotes.evaluation.agreement import PARTS, texts_with_negation
from litotes.evaluation.figures import ALL, Figure, average, share, slices
from litotes.evaluation.measures import FIRST, REVERSED, RIGHT, SECOND, TIED, UNREAD, outcome
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask
from litotes.types import Contrast

LENGTHS = (10, 25, 50, 100, 150, 200, 300, 400)
DIVISIONS = ("kind", "edit", "style", "domain", "words", "difference at word")
ERRORS_BY = ("kind", "edit")
PREFERRED = {FIRST: "doc1", SECOND: "doc2"}
POSITION = "towards what is shown first"
Answer = tuple[float, tuple[float, ...]]
"""By how much a query prefers its own document, and for each order whether the document shown first was chosen."""


@dataclass(frozen=True, slots=True)
class ContrastTask(BaseTask):
    """Contrasts as a task.

    `edited` means that doc2 is doc1 with an edit, as in NevIR, whose doc1 has the negation.
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

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per contrast: right or not, and by how much each query prefers its own document."""
        first = [(item.q1, item.doc1, item.doc2) for item in self.items]
        second = [(item.q2, item.doc2, item.doc1) for item in self.items if item.q2 is not None]
        columns = [list(column) for column in zip(*first, *second, strict=True)] or [[], [], []]
        choices = scorer.choices(*columns) if self.items else None
        margins = np.mean(choices, axis=1) if choices is not None else scorer.margins(*columns)
        positions: list[tuple[float, ...]] = (
            [()] * len(margins) if choices is None else [_towards_first_shown(choice) for choice in choices]
        )
        answers = [(float(margin), position) for margin, position in zip(margins, positions, strict=True)]
        second_answers = iter(answers[len(first) :])
        return [
            self._row(item, answer, None if item.q2 is None else next(second_answers))
            for item, answer in zip(self.items, answers, strict=False)
        ]

    def _row(self, item: Contrast, first_answer: Answer, second_answer: Answer | None) -> ItemRow:
        first, second = first_answer[0], None if second_answer is None else second_answer[0]
        result = outcome(first, second)
        groups = {
            "kind": item.kind,
            "edit" if self.edited else "style": item.style,
            "domain": item.domain,
            "words": length_bin(len(item.doc1.split())),
            "difference at word": length_bin(first_difference(item.doc1, item.doc2)) if self.edited else "",
            "negated": "doc1" if self.edited else negated_document(item.kind),
            "outcome": result,
            "queries": "1" if second is None else "2",
        }
        positions = [*first_answer[1], *(second_answer[1] if second_answer is not None else ())]
        numbers = {"margin1": first, "margin2": second, POSITION: fmean(positions) if positions else None}
        return ItemRow(
            item.id,
            float(result == RIGHT),
            {name: group for name, group in groups.items() if group},
            {name: number for name, number in numbers.items() if number is not None and not isnan(number)},
        )


TASK = ContrastTask


def _towards_first_shown(choice: np.ndarray) -> tuple[float, ...]:
    """Return 1 or −1 for each order that was answered: for or against the document shown first."""
    shown_first = np.sign(choice) * np.array([1.0, -1.0])
    return tuple(float(sign) for sign in shown_first if not isnan(sign))


def length_bin(words: int) -> str:
    """Return the bin of a length: "under 10", "10–24", "25–49" and so on to "400 and over"."""
    place = bisect_right(LENGTHS, words)
    if place == 0:
        return f"under {LENGTHS[0]}"
    return f"{LENGTHS[-1]} and over" if place == len(LENGTHS) else f"{LENGTHS[place - 1]}–{LENGTHS[place] - 1}"


def first_difference(first: str, second: str) -> int:
    """Return the position of the first word in which two documents differ, counted from 1."""
    pairs = enumerate(zip_longest(first.split(), second.split()), start=1)
    return next((place for place, (left, right) in pairs if left != right), len(first.split()))


def negated_document(kind: str) -> str:
    """Return the document of a contrast of this kind that has the negation; "" if neither or both do."""
    parts = texts_with_negation(kind)
    return next((part for part in ("doc1", "doc2") if part in parts), "") if parts != frozenset(PARTS) else ""


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return pairwise accuracy for two queries, right rank for one; overall and by division; and the errors."""
    computed: list[Figure] = []
    for measure, queries in (("pairwise accuracy", "2"), ("right rank", "1")):
        measured = [row for row in rows if row.groups["queries"] == queries]
        if not measured:
            continue
        computed += [_accuracy(measure, measured), *_unanswered(measured), *_position_bias(measured)]
        computed += _errors(measured) if queries == "2" else []
        for division in DIVISIONS:
            parts = sorted(slices(measured, division).items(), key=lambda part: _order(part[1][0].groups[division]))
            for name, part in parts:
                computed.append(_accuracy(measure, part, name))
                computed += _errors(part, name) if division in ERRORS_BY and queries == "2" else []
    return computed


def _accuracy(measure: str, rows: Sequence[ItemRow], slice: str = ALL) -> Figure:
    return share(measure, [row.value == 1 for row in rows], slice=slice)


def _errors(rows: Sequence[ItemRow], slice: str = ALL) -> list[Figure]:
    """Return the shares of NevIR's Figure 4: which document wins both queries, or whether both are reversed."""
    named = [row for row in rows if "negated" in row.groups]
    preferred = [(PREFERRED.get(row.groups["outcome"], ""), row.groups.get("negated")) for row in named or rows]
    if named:
        shares = [
            share("prefers the negated document", [winner == negated for winner, negated in preferred], slice=slice),
            share(
                "prefers the other document",
                [bool(winner) and winner != negated for winner, negated in preferred],
                slice=slice,
            ),
        ]
    else:
        shares = [
            share(f"prefers {name}", [winner == name for winner, _ in preferred], slice=slice)
            for name in PREFERRED.values()
        ]
    return [*shares, share("both reversed", [row.groups["outcome"] == REVERSED for row in rows], slice=slice)]


def _unanswered(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the share of ties, which are wrong, and of unreadable answers if there are any."""
    unread = [row.groups["outcome"] == UNREAD for row in rows]
    tied = [share("tied", [row.groups["outcome"] == TIED for row in rows])]
    return [*tied, share("unread", unread)] if any(unread) else tied


def _position_bias(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the bias of a model that is shown both documents: −100 always the second, 100 always the first."""
    positions = [row.numbers[POSITION] for row in rows if POSITION in row.numbers]
    return [average("position bias", positions, scale=100.0)] if positions else []


def _order(name: str) -> tuple[int, str]:
    """Return a sort key: bins by their lengths, other names by the alphabet."""
    first = name.removeprefix("under ").split("–")[0].split(" ")[0]
    return (int(first) - name.startswith("under"), "") if first.isdecimal() else (0, name)
