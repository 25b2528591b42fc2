"""Error analysis by people: the items a tuned model lost, a sheet to sort them on, and what the filled sheet says."""

from litotes.bench.review.cases import ITEMS, WHICH, Review, review
from litotes.bench.review.categories import categories
from litotes.bench.review.sheet import Filled, read_sheet, sheet, write_sheet
from litotes.bench.review.tally import Agreement, Tally, agreed, tally

__all__ = [
    "ITEMS",
    "WHICH",
    "Agreement",
    "Filled",
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
