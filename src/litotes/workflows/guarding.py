"""Judge the pairs of a file with the guard, and fit its threshold to labelled pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.guard import Guard, OperatingPoint, Verdict, fit
from litotes.guard.operating_point import warning
from litotes.workflows.progress import Progress, Step
from litotes.workflows.text_pairs import check_table, row_text, table_rows

BLOCK = 256
"""the number of pairs judged together: full batches, and verdicts as they come"""
LABELS = dict.fromkeys(("true", "1", "1.0", "yes", "same"), True) | dict.fromkeys(
    ("false", "0", "0.0", "no", "different"), False
)
"""what a column may have for pairs that do and do not deserve the same answer"""


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns of a file of pairs."""

    new: str = "new"
    cached: str = "cached"
    same: str = "same"

    def __post_init__(self) -> None:
        if len({self.new, self.cached, self.same}) < 3:
            raise InputError(f"two of the columns {self.new}, {self.cached} and {self.same} are the same one")


def read_pairs(name: str, columns: Columns) -> Iterator[tuple[str, str]]:
    """Read the pairs of a .jsonl, .csv or .tsv file, or of JSON lines on standard input (-)."""
    check_table(name)
    return (_texts(row, columns, where) for where, row in table_rows(name))


def judge(guard: Guard, pairs: Iterator[tuple[str, str]]) -> Iterator[Verdict]:
    """Judge pairs in order, block by block."""
    while block := list(islice(pairs, BLOCK)):
        yield from guard.judge_all([new for new, _ in block], [cached for _, cached in block])


@dataclass(frozen=True, slots=True)
class FittedGuard:
    """A fitted threshold."""

    point: OperatingPoint
    warning: str
    """why the precision is not sure, or "" """
    not_judged: int
    """pairs that could not be judged: not English, empty, too long. They are left out."""


def fit_guard(
    name: str,
    *,
    precision: float,
    tier: str | None = None,
    columns: Columns | None = None,
    device: str | None = None,
    progress: Progress | None = None,
) -> FittedGuard:
    """Fit the threshold of a tier to labelled pairs: the lowest with at least this precision."""
    check_table(name)
    named = columns or Columns()
    rows = [(*_texts(row, named, where), _label(row, named.same, where)) for where, row in table_rows(name)]
    if not rows:
        raise InputError(f"{name} has no pairs; expected lines with {named.new}, {named.cached} and {named.same}")
    # The threshold is not used: the scores are.
    guard = Guard(tier, threshold=0.0, log=False, explain=False, device=device)
    verdicts: list[Verdict] = []
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        verdicts += guard.verdicts([new for new, _, _ in block], [cached for _, cached, _ in block])
        if progress:
            progress(Step("pairs", len(verdicts), len(rows)))
    judged = [(verdict.score, row[2]) for verdict, row in zip(verdicts, rows, strict=True) if not verdict.error]
    source = "standard input" if name == "-" else Path(name).name
    point = fit(
        [score for score, _ in judged],
        [same for _, same in judged],
        precision=precision,
        tier=guard.tier,
        source=source,
        model=guard.model,
    )
    return FittedGuard(point, warning(point, precision), len(rows) - len(judged))


def _texts(row: Mapping[str, Any], columns: Columns, where: str) -> tuple[str, str]:
    return row_text(row, columns.new, where), row_text(row, columns.cached, where)


def _label(row: Mapping[str, Any], column: str, where: str) -> bool:
    """Return whether a pair deserves the same answer."""
    if column not in row:
        there = ", ".join(str(name) for name in row if name) or "nothing"
        raise InputError(f"{where}: there is no column “{column}”, only {there}. Name it with --same-column")
    found = LABELS.get(str(row[column]).strip().lower())
    if found is None:
        raise InputError(f"{where}: “{column}” is {row[column]!r}; expected one of {', '.join(LABELS)}")
    return found
