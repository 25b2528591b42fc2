"""SICK: sentence pairs with people's grades of relatedness from 1 to 5. Tab-separated with a header."""

from __future__ import annotations

from pathlib import Path

from litotes.data.general import GradedPair
from litotes.data.sets.reading import number, table, there

HOME = "https://marcobaroni.org/composes/sick.html"
COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score")


def load(folder: Path, split: str = "train") -> tuple[GradedPair, ...]:
    """The pairs of FOLDER/SPLIT.tsv."""
    path = there(folder / f"{split}.tsv", f"SICK's {split} split, tab-separated ({', '.join(COLUMNS)})", HOME)
    return tuple(
        GradedPair(name, first, second, number(score, "relatedness_score", where))
        for where, _, (name, first, second, score) in table(path, COLUMNS, tabs=True)
    )
