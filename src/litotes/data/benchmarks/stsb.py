"""The STS benchmark: sentence pairs with people's grades from 0 to 5. Tab-separated, no header, no quoting."""

from __future__ import annotations

from pathlib import Path

from litotes.data.items import ScoredPair
from litotes.data.reading import cells, existing, number
from litotes.data.records import GENERAL, Benchmark, DataSet
from litotes.data.selection import DataSelection

HOME = "https://ixa2.si.ehu.eus/stswiki/index.php/STSbenchmark"
SCORE, FIRST, SECOND = 4, 5, 6


def load(folder: Path, split: str = "dev") -> tuple[ScoredPair, ...]:
    """Load the pairs of FOLDER/SPLIT.tsv. Ids are line numbers, because the ids of the table repeat."""
    name = f"the STS benchmark's {split} split, tab-separated (sts-{split}.csv)"
    path = existing(folder / f"{split}.tsv", name, HOME)
    return tuple(
        ScoredPair(str(line), row[FIRST], row[SECOND], number(row[SCORE], "the score in column 5", where))
        for where, line, row in cells(path, SECOND + 1, tabs=True)
    )


def _items(selection: DataSelection, split: str) -> tuple[ScoredPair, ...]:
    return selection.select(load(selection.folder("stsb"), split), key=lambda pair: pair.first)


DATA_SET = DataSet(
    name="stsb",
    topic=GENERAL,
    description="the STS benchmark: sentence pairs with grades of similarity",
    home=HOME,
    licence="CC BY-SA 4.0 (its parts have their own; see the home)",
    base="https://ixa2.si.ehu.eus/stswiki/images/4/48/",
    load=load,
    benchmarks=(
        Benchmark(
            name="stsb",
            family="similarity",
            help="sentence pairs with grades of similarity",
            headline="Spearman",
            items=_items,
            suites=("general",),
            ability=GENERAL,
        ),
    ),
)
