"""Measure any model on tasks, classifiers of contrasts, and people."""

from litotes.data.catalogue import suites, task_help
from litotes.data.records import Benchmark
from litotes.data.result_files import ItemRow, read_maxsims, read_results, read_rows
from litotes.data.selection import DataSelection
from litotes.evaluation.agreement import agreement, score_sheet
from litotes.evaluation.catalogue import build, members, score_name, suite, task_names
from litotes.evaluation.checking import Check, check
from litotes.evaluation.classifier_figures import ClassifierFigures, classifier_figures
from litotes.evaluation.compare import Comparison, compare, variance
from litotes.evaluation.maxsim import pair_name, save_maxsims
from litotes.evaluation.requirements import Requirement, Thresholds
from litotes.evaluation.run import Progress, bench, measured
from litotes.evaluation.scoring import CachedScorer
from litotes.types import Result

__all__ = [
    "Benchmark",
    "CachedScorer",
    "Check",
    "ClassifierFigures",
    "Comparison",
    "DataSelection",
    "ItemRow",
    "Progress",
    "Requirement",
    "Result",
    "Thresholds",
    "agreement",
    "bench",
    "build",
    "check",
    "classifier_figures",
    "compare",
    "measured",
    "members",
    "pair_name",
    "read_maxsims",
    "read_results",
    "read_rows",
    "save_maxsims",
    "score_name",
    "score_sheet",
    "suite",
    "suites",
    "task_help",
    "task_names",
    "variance",
]
