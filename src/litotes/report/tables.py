"""Leaderboards: a table a suite, models down, headlines across, the papers' figures below and marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from litotes.report.published import Published, published
from litotes.report.reading import ALL, Evidence
from litotes.types import Result

# Which tasks stand in which table; the names are the bench's, and a test holds them against it.
SUITES = {
    "negation": ("nevir", "excluir", "cannot-wmt", "m3-counterfactual", "taxonomy", "cue-traps"),
    "sensitivity": ("demetr", "series", "ladder", "cannot-wmt-unseen"),
    "lists": ("contrast-lists",),
    "yes-no": ("opposites", "cannot-opposites"),
    "general": ("general mean", "stsb", "sick", "scifact", "cranfield", "banking77"),
    "general-mini": ("mini-sts", "mini-retrieval", "mini-intents"),
    "mteb-lite": (
        "mteb-lite mean",
        "mteb:Banking77Classification",
        "mteb:EmotionClassification",
        "mteb:MassiveIntentClassification",
        "mteb:SprintDuplicateQuestions",
        "mteb:StackOverflowDupQuestions",
        "mteb:SciDocsRR",
        "mteb:BiorxivClusteringS2S",
        "mteb:MedrxivClusteringS2S",
        "mteb:TwentyNewsgroupsClustering",
        "mteb:ArguAna",
        "mteb:NFCorpus",
        "mteb:SciFact",
        "mteb:SICK-R",
        "mteb:STS17",
        "mteb:STSBenchmark",
        "mteb:SummEval",
    ),
    "llm-general": ("lm-eval:mmlu@5", "lm-eval:hellaswag", "lm-eval:gsm8k"),
}
OTHER = "other"
GENERAL_MEAN, MTEB_LITE_MEAN = "general mean", "mteb-lite mean"
FOUR = ("nevir", "excluir", "cannot-wmt", "m3-counterfactual")
"""the tasks whose plain mean HedgeTriple reports"""
MEAN_OF_FOUR = "mean of the four"
# CANNOT-WMT pools two scales, so what each of them says stands beside the headline. In a list only the rank is new of a
# model that scores a document by itself.
BESIDE = {"cannot-wmt": (("scale: 0/1", "AUC"), ("scale: graded", "Spearman")), "contrast-lists": ((ALL, "MRR"),)}
MTEB = "mteb"
FEW = 2
"""columns up to which a table keeps lines with one figure"""
AS_IS = ("ratio", "drop", "similarity")
"""measures that are not times 100, and need more digits"""


@dataclass(frozen=True, slots=True)
class Column:
    """What a column of figures is of."""

    task: str
    split: str
    slice: str = ALL
    measure: str = ""

    @property
    def about(self) -> str:
        """What the task's name does not say: the slice, the measure and the split."""
        return ", ".join(part for part in (self.slice if self.slice != ALL else "", self.measure, self.split) if part)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure in a table."""

    value: float
    low: float
    high: float
    n: int = 0
    split: str = ""
    """of a published figure, the split it is of where that is not the column's"""
    best: bool = False

    def shown(self, digits: int) -> str:
        return f"{self.value:.{digits}f}"

    def interval(self, digits: int) -> str:
        """ "16.0–24.4", "-0.2 to 0.1" where a dash would read as a minus, or nothing where there is none."""
        if isnan(self.low) or isnan(self.high):
            return ""
        return f"{self.low:.{digits}f}{'–' if self.low >= 0 else ' to '}{self.high:.{digits}f}"


@dataclass(frozen=True, slots=True)
class Line:
    """A model or a published system, and its figure in each column; None where it has none."""

    name: str
    cells: tuple[Cell | None, ...]
    paper: str = ""
    """of a published system"""
    size: str = ""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """One table, best first."""

    suite: str
    columns: tuple[Column, ...]
    measured: tuple[Line, ...]
    published: tuple[Line, ...]
    single: tuple[Single, ...] = ()
    line: str = "model"
    """what a line is of"""


@dataclass(frozen=True, slots=True)
class Single:
    """Published systems with a figure in one column only: a list says it shorter than lines of dashes."""

    paper: str
    column: Column
    split: str
    figures: tuple[tuple[str, str], ...]
    """system and figure, best first"""

    @property
    def about(self) -> str:
        """What the figures are of."""
        return ", ".join(part for part in (self.column.task, self.column.measure, self.split) if part)


def digits(measure: str) -> int:
    """How many digits a measure is shown with."""
    return 2 if measure.startswith(AS_IS) else 1


def leaderboards(evidence: Evidence, labels: Mapping[str, str]) -> list[Leaderboard]:
    """A table for each suite that something was measured of, and the published MTEB figures where anything was."""
    found = []
    for suite in (*SUITES, OTHER):
        columns = suite_columns(evidence.scores, suite)
        if columns:
            found.append(_leaderboard(suite, columns, evidence, labels))
    if found:
        columns = tuple(Column(MTEB, one.split, one.slice, one.measure) for one in published() if one.task == MTEB)
        columns = tuple(dict.fromkeys(columns))
        found.append(Leaderboard("published: MTEB", columns, (), _published(columns)))
    return found


def suite_columns(scores: Iterable[Result], suite: str) -> tuple[Column, ...]:
    """The headline of each task and split of a suite, and what must stand beside it; in the suite's order."""
    heads: dict[tuple[str, str], Column] = {}
    there = set()
    known = {task for tasks in SUITES.values() for task in tasks}
    for one in scores:
        if one.task in SUITES.get(suite, ()) or (suite == OTHER and one.task not in known):
            heads.setdefault((one.task, one.split), Column(one.task, one.split, one.slice, one.measure))
            there.add(Column(one.task, one.split, one.slice, one.measure))
    order = SUITES.get(suite, ())
    found: list[Column] = []
    for head in sorted(heads.values(), key=lambda head: order.index(head.task) if head.task in order else 0):
        beside = (Column(head.task, head.split, *which) for which in BESIDE.get(head.task, ()))
        found += [head, *(column for column in beside if column in there)]
    return tuple(found)


def cells(scores: Iterable[Result]) -> dict[tuple[str, Column], Cell]:
    """Every figure there is, by model and column; what could not be computed is not there."""
    return {
        (one.model, Column(one.task, one.split, one.slice, one.measure)): Cell(one.value, one.low, one.high, one.n)
        for one in scores
        if not isnan(one.value)
    }


def _leaderboard(suite: str, columns: tuple[Column, ...], evidence: Evidence, labels: Mapping[str, str]) -> Leaderboard:
    there = cells(evidence.scores)
    measured = []
    for model in evidence.models:
        line = tuple(there.get((model, column)) for column in columns)
        if any(line):
            measured.append(Line(labels[model], line))
    below = _published(columns)
    places = _places_of_four(columns)
    if places:
        columns = (*columns, Column(MEAN_OF_FOUR, ""))
        measured, below = (
            [_with_mean(line, places) for line in measured],
            tuple(_with_mean(one, places) for one in below),
        )
    lead = next((at for at, one in enumerate(columns) if one.task in {MEAN_OF_FOUR, GENERAL_MEAN, MTEB_LITE_MEAN}), 0)
    several = [line for line in below if len(columns) <= FEW or sum(map(bool, line.cells)) > 1]
    return Leaderboard(
        suite,
        columns,
        tuple(_marked(_ranked(measured, lead))),
        tuple(_ranked(several, lead)),
        tuple(_singles([line for line in _ranked(below, lead) if line not in several], columns)),
    )


def _singles(lines: Iterable[Line], columns: Sequence[Column]) -> Iterator[Single]:
    found: dict[tuple[str, Column, str], list[tuple[str, str]]] = {}
    for line in lines:
        for cell, column in zip(line.cells, columns, strict=True):
            if cell is not None:
                figures = found.setdefault((line.paper, column, cell.split or column.split), [])
                figures.append((line.name, cell.shown(digits(column.measure))))
    for (paper, column, split), figures in found.items():
        yield Single(paper, column, split, tuple(figures))


def _places_of_four(columns: Sequence[Column]) -> tuple[int, ...]:
    """Where the four headlines stand; nothing unless each is there once."""
    places = [at for at, column in enumerate(columns) if column.task in FOUR and column.slice == ALL]
    return tuple(places) if sorted(columns[at].task for at in places) == sorted(FOUR) else ()


def _with_mean(line: Line, places: Sequence[int]) -> Line:
    four = [cell for at in places if (cell := line.cells[at]) is not None]
    nan = float("nan")
    mean = Cell(sum(cell.value for cell in four) / len(four), nan, nan) if len(four) == len(places) else None
    return Line(line.name, (*line.cells, mean), line.paper, line.size)


def _ranked(lines: Iterable[Line], lead: int) -> list[Line]:
    """Best first in the leading column; those without a figure there last, by their other columns."""

    def key(line: Line) -> list[float]:
        return [-cell.value if cell else float("inf") for cell in (line.cells[lead], *line.cells)]

    return sorted(lines, key=key)


def _marked(lines: Sequence[Line]) -> list[Line]:
    """With the best figure of each column marked, where there are two lines or more."""
    found = []
    for line in lines:
        marked = []
        for at, cell in enumerate(line.cells):
            others = [other.value for one in lines if (other := one.cells[at])]
            best = cell is not None and len(others) > 1 and cell.value == max(others)
            marked.append(Cell(cell.value, cell.low, cell.high, cell.n, best=True) if cell and best else cell)
        found.append(Line(line.name, tuple(marked)))
    return found


def _published(columns: Sequence[Column]) -> tuple[Line, ...]:
    """The systems the papers print a figure for in any of the columns."""
    found: dict[str, dict[Column, Published]] = {}
    for one in published():
        for column in columns:
            same = (one.task, one.slice, one.measure) == (column.task, column.slice, column.measure)
            # the figure of the column's own split is the one to show where a paper prints two
            if same and (column not in found.get(one.name, {}) or one.split == column.split):
                found.setdefault(one.name, {})[column] = one
    return tuple(_published_line(those, columns) for those in found.values())


def _published_line(those: Mapping[Column, Published], columns: Sequence[Column]) -> Line:
    one = next(iter(those.values()))
    nan = float("nan")
    line = []
    for column in columns:
        figure = those.get(column)
        split = figure.split if figure and figure.split != column.split else ""
        line.append(Cell(figure.value, nan, nan, split=split) if figure else None)
    return Line(one.system, tuple(line), one.paper, one.size)
