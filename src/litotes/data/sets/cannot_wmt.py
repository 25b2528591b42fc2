"""CANNOT-WMT: candidates and references, same or negated (0/1), and WMT's people's scores. A CSV table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from litotes.data.sets.reading import number, table, there
from litotes.errors import InputError

HOME = "https://github.com/MiriUll/negation_aware_evaluation (cannot_wmt_data)"
COLUMNS = ("candidate", "reference", "source", "score")
CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Rated:
    """A candidate text, the reference it is rated against, who rated it, and how."""

    id: str
    """its line: the table gives no ids"""
    candidate: str
    reference: str
    source: str
    """cannot, or wmt_ and a year"""
    score: float
    """0 or 1 in cannot rows; a z-score in the others"""


def load(folder: Path, split: str = "eval") -> tuple[Rated, ...]:
    """The rows of FOLDER/SPLIT.csv."""
    path = there(folder / f"{split}.csv", f"CANNOT-WMT's {split} split as CSV ({', '.join(COLUMNS)})", HOME)
    return tuple(_rated(where, line, row) for where, line, row in table(path, COLUMNS))


def held_out(row: Rated) -> bool:
    """Whether a metric is measured on the row: all that CANNOT made, and a fifth of WMT's, by hash of the pair."""
    digest = hashlib.sha256(f"{row.reference}\t{row.candidate}".encode()).hexdigest()
    return row.source == CANNOT or int(digest, 16) % 5 == 0


def _rated(where: str, line: int, row: list[str]) -> Rated:
    candidate, reference, source, score = row
    found = number(score, "score", where)
    if source == CANNOT and found not in {0, 1}:
        raise InputError(f"{where}: the score of a {CANNOT} row is {score}; expected 0 or 1")
    return Rated(str(line), candidate, reference, source, found)
