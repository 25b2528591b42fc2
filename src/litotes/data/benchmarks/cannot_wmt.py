"""CANNOT-WMT: candidates and references, same or negated (0/1), and people's scores from WMT. A CSV table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from litotes.data.items import BINARY, GRADED, ScoredPair
from litotes.data.judged_pairs import JudgedPair
from litotes.data.reading import existing, number, table
from litotes.data.records import GITHUB, NEGATION, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError

HOME = "https://github.com/MiriUll/negation_aware_evaluation (cannot_wmt_data)"
COLUMNS = ("candidate", "reference", "source", "score")
CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Rated:
    """A candidate text, the reference it is rated against, and its score."""

    id: str
    """The line number, because the table has no ids."""
    candidate: str
    reference: str
    source: str
    """cannot, or wmt_ and a year."""
    score: float
    """0 or 1 in cannot rows; a z-score in the others."""


def load(folder: Path, split: str = "eval") -> tuple[Rated, ...]:
    """Load the rows of FOLDER/SPLIT.csv."""
    path = existing(folder / f"{split}.csv", f"CANNOT-WMT's {split} split as CSV ({', '.join(COLUMNS)})", HOME)
    return tuple(_rated(where, line, row) for where, line, row in table(path, COLUMNS))


def held_out(row: Rated) -> bool:
    """Whether a metric is measured on the row: all CANNOT rows, and a fifth of WMT's, chosen by a hash of the pair."""
    digest = hashlib.sha256(f"{row.reference}\t{row.candidate}".encode()).hexdigest()
    return row.source == CANNOT or int(digest, 16) % 5 == 0


def _rated(where: str, line: int, row: list[str]) -> Rated:
    candidate, reference, source, cell = row
    score = number(cell, "score", where)
    if source == CANNOT and score not in {0, 1}:
        raise InputError(f"{where}: the score of a {CANNOT} row is {cell}; expected 0 or 1")
    return Rated(str(line), candidate, reference, source, score)


def _rows(selection: DataSelection, split: str) -> tuple[Rated, ...]:
    return selection.select(load(selection.folder("cannot_wmt"), split), key=lambda row: row.candidate)


def _scored(row: Rated) -> ScoredPair:
    scale = BINARY if row.source == CANNOT else GRADED
    return ScoredPair(row.id, row.reference, row.candidate, row.score, scale=scale)


def _all_pairs(selection: DataSelection, split: str) -> tuple[ScoredPair, ...]:
    return tuple(_scored(row) for row in _rows(selection, split))


def _unseen_pairs(selection: DataSelection, split: str) -> tuple[ScoredPair, ...]:
    return tuple(_scored(row) for row in _rows(selection, split) if held_out(row))


def _opposites(selection: DataSelection, split: str) -> tuple[JudgedPair, ...]:
    """Return CANNOT's own rows: 1 means the same, 0 the opposite."""
    return tuple(
        JudgedPair(row.id, row.reference, row.candidate, row.score == 0)
        for row in _rows(selection, split)
        if row.source == CANNOT
    )


DATA_SET = DataSet(
    name="cannot-wmt",
    topic=NEGATION,
    description="candidates and references, the same or negated, and people's scores from WMT",
    home="https://github.com/MiriUll/negation_aware_evaluation",
    licence="MIT",
    use="measure; train on wmt_* rows only",
    revision="d5b9966fb157d564b8974b6a7bafc1284e58e125",
    base=GITHUB + "/MiriUll/negation_aware_evaluation/{revision}/cannot_wmt_data/",
    by_hand="take cannot_wmt_data/cannot_wmt_train.csv from https://github.com/MiriUll/negation_aware_evaluation, "
    "then run: litotes data get cannot-wmt --from train.csv=FILE --data {data}",
    load=load,
    benchmarks=(
        Benchmark(
            name="cannot-wmt",
            family="similarity",
            help="translations, negated or graded by people",
            headline="Spearman",
            items=_all_pairs,
            suites=("negation",),
            dev="eval",
            # it pools two scales, so the report also shows the figure of each scale
            extra_columns=(("scale: 0/1", "AUC"), ("scale: graded", "Spearman")),
        ),
        Benchmark(
            name="cannot-wmt-unseen",
            family="similarity",
            help="cannot-wmt without the rows that a metric may train on",
            headline="Spearman",
            items=_unseen_pairs,
            suites=("sensitivity",),
            dev="eval",
        ),
        Benchmark(
            name="cannot-opposites",
            family="opposites",
            help="is the candidate the opposite of the reference?",
            headline="accuracy",
            items=_opposites,
            suites=("yes-no",),
            dev="eval",
        ),
    ),
)
