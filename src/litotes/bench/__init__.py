"""Measures: of any model on tasks, of a classifier, and of people."""

from litotes.bench.agreement import agreement, score_sheet
from litotes.bench.catalogue import TASKS, Where, build
from litotes.bench.checking import Check, check
from litotes.bench.compare import Comparison, compare, variance
from litotes.bench.maxsim import pair_name, read_maxsims, save_maxsims
from litotes.bench.requirements import Bars, Requirement
from litotes.bench.rows import Row, read_rows
from litotes.bench.run import Progress, bench, measured, read_results
from litotes.bench.scoring import Scorer
from litotes.bench.sorting import Sorting, sorting
from litotes.bench.suites import SUITES, suite
from litotes.types import Result

__all__ = [
    "SUITES",
    "TASKS",
    "Bars",
    "Check",
    "Comparison",
    "Progress",
    "Requirement",
    "Result",
    "Row",
    "Scorer",
    "Sorting",
    "Where",
    "agreement",
    "bench",
    "build",
    "check",
    "compare",
    "measured",
    "pair_name",
    "read_maxsims",
    "read_results",
    "read_rows",
    "save_maxsims",
    "score_sheet",
    "sorting",
    "suite",
    "variance",
]
