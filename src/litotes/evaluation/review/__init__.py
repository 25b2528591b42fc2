"""Error analysis by people: items that a trained model lost, a sheet to categorise them, and the counts of it."""

from litotes.evaluation.review.cases import ITEMS, WHICH, Review, review
from litotes.evaluation.review.categories import categories
from litotes.evaluation.review.sheet import FilledRow, read_sheet, sheet, write_sheet
from litotes.evaluation.review.tally import Agreement, Tally, agreed, tally

__all__ = [
    "ITEMS",
    "WHICH",
    "Agreement",
    "FilledRow",
    "Review",
    "Tally",
    "agreed",
    "categories",
    "read_sheet",
    "review",
    "sheet",
    "tally",
    "write_sheet",
]
