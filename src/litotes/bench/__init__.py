"""Measures: of any model on tasks, of a classifier, and of people."""

from litotes.bench.agreement import agreement, score_sheet
from litotes.bench.catalogue import TASKS, Where, build
from litotes.bench.compare import Comparison, compare, variance
from litotes.bench.rows import Result, Row, read_rows
from litotes.bench.run import Progress, bench, measured, read_results
from litotes.bench.scoring import Scorer
from litotes.bench.sorting import Sorting, sorting
from litotes.bench.suites import SUITES, suite

__all__ = [
    "SUITES",
    "TASKS",
    "Comparison",
    "Progress",
    "Result",
    "Row",
    "Scorer",
    "Sorting",
    "Where",
    "agreement",
    "bench",
    "build",
    "compare",
    "measured",
    "read_results",
    "read_rows",
    "score_sheet",
    "sorting",
    "suite",
    "variance",
]
