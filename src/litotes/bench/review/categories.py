"""What can have gone wrong, as data: categories.tsv.

Eight are those of HedgeTriple's Table 5, which sorts what its tuned LLM got wrong in arithmetic. An encoder compares
texts and does not calculate: the categories for that are ours.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def categories() -> dict[str, dict[str, str]]:
    """Group → the names of its categories, each with its definition."""
    text = files("litotes.bench.review").joinpath("categories.tsv").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        found.setdefault(row["group"], {})[row["name"]] = row["definition"]
    return found


def names() -> tuple[str, ...]:
    """Every category, in order."""
    return tuple(name for group in categories().values() for name in group)
