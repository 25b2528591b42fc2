"""The STS benchmark: sentence pairs with people's grades from 0 to 5. Tab-separated, no header, no quoting."""

from __future__ import annotations

from pathlib import Path

from litotes.data.general import GradedPair
from litotes.data.sets.reading import cells, number, there

HOME = "https://ixa2.si.ehu.eus/stswiki/index.php/STSbenchmark"
SCORE, FIRST, SECOND = 4, 5, 6


def load(folder: Path, split: str = "dev") -> tuple[GradedPair, ...]:
    """The pairs of FOLDER/SPLIT.tsv, whose fifth column is the grade; ids are lines, since the table's repeat."""
    path = there(folder / f"{split}.tsv", f"the STS benchmark's {split} split, tab-separated (sts-{split}.csv)", HOME)
    return tuple(
        GradedPair(str(line), row[FIRST], row[SECOND], number(row[SCORE], "the score in column 5", where))
        for where, line, row in cells(path, SECOND + 1, tabs=True)
    )
