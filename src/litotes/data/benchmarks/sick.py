"""SICK: sentence pairs with people's grades of relatedness from 1 to 5. Tab-separated with a header."""

from __future__ import annotations

from pathlib import Path

from litotes.data.items import ScoredPair
from litotes.data.reading import existing, number, table
from litotes.data.records import GENERAL, Benchmark, DataSet
from litotes.data.selection import DataSelection

HOME = "https://marcobaroni.org/composes/sick.html"
COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score")


def load(folder: Path, split: str = "train") -> tuple[ScoredPair, ...]:
    """Load the pairs of FOLDER/SPLIT.tsv."""
    path = existing(folder / f"{split}.tsv", f"SICK's {split} split, tab-separated ({', '.join(COLUMNS)})", HOME)
    return tuple(
        ScoredPair(name, first, second, number(score, "relatedness_score", where))
        for where, _, (name, first, second, score) in table(path, COLUMNS, tabs=True)
    )


def _items(selection: DataSelection, split: str) -> tuple[ScoredPair, ...]:
    return selection.select(load(selection.folder("sick"), split), key=lambda pair: pair.id)


DATA_SET = DataSet(
    name="sick",
    topic=GENERAL,
    description="SICK of SemEval 2014: sentence pairs with grades of relatedness",
    home="https://alt.qcri.org/semeval2014/task1/",
    licence="CC BY-NC-SA 3.0",
    base="https://alt.qcri.org/semeval2014/task1/data/uploads/",
    load=load,
    benchmarks=(
        Benchmark(
            name="sick",
            family="similarity",
            help="sentence pairs with grades of relatedness",
            headline="Spearman",
            items=_items,
            suites=("general",),
            ability=GENERAL,
            dev="train",
        ),
    ),
)
