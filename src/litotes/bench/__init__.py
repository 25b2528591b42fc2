"""Measures over items: of a classifier, and of people."""

from litotes.bench.agreement import agreement, score_sheet
from litotes.bench.sorting import Sorting, sorting

__all__ = ["Sorting", "agreement", "score_sheet", "sorting"]
