"""The categories of errors, from categories.tsv.

Eight are those of HedgeTriple's Table 5, which sorts what its fine-tuned LLM got wrong in arithmetic. An encoder
compares texts and does not calculate: the categories for that are ours.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def categories() -> dict[str, dict[str, str]]:
    """Return the categories of each group, with their definitions."""
    text = files("litotes.evaluation.review").joinpath("categories.tsv").read_text(encoding="utf-8")
    groups: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        groups.setdefault(row["group"], {})[row["name"]] = row["definition"]
    return groups


def names() -> tuple[str, ...]:
    """Return the names of all categories, in order."""
    return tuple(name for group in categories().values() for name in group)
