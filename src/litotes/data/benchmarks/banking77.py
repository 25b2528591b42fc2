"""Banking77: what customers of a bank write, and which of 77 things they want. CSV tables."""

from __future__ import annotations

from pathlib import Path

from litotes.data.items import LabelledTexts, Utterance
from litotes.data.reading import existing, table
from litotes.data.records import GENERAL, GITHUB, MEASURE_AND_TRAIN, Benchmark, DataSet
from litotes.data.selection import DataSelection

HOME = "https://github.com/PolyAI-LDN/task-specific-datasets (banking_data)"
COLUMNS = ("text", "category")


def load(folder: Path, split: str = "test") -> tuple[Utterance, ...]:
    """Load the utterances of FOLDER/SPLIT.csv; ids are line numbers."""
    path = existing(folder / f"{split}.csv", f"Banking77's {split} split as CSV ({', '.join(COLUMNS)})", HOME)
    return tuple(Utterance(str(line), text, label) for _, line, (text, label) in table(path, COLUMNS))


def _items(selection: DataSelection, split: str) -> LabelledTexts:
    train, test = (load(selection.folder("banking77"), name) for name in ("train", split))
    return LabelledTexts(train, selection.select(test, key=lambda utterance: utterance.text))


DATA_SET = DataSet(
    name="banking77",
    topic=GENERAL,
    description="what customers of a bank write, and which of 77 things they want",
    home="https://github.com/PolyAI-LDN/task-specific-datasets",
    licence="CC BY 4.0",
    use=MEASURE_AND_TRAIN,
    revision="master",
    base=GITHUB + "/PolyAI-LDN/task-specific-datasets/{revision}/banking_data/",
    load=load,
    benchmarks=(
        Benchmark(
            name="banking77",
            family="classification",
            help="what customers of a bank want",
            headline="accuracy, nearest centroid",
            items=_items,
            suites=("general",),
            ability=GENERAL,
            dev="test",
        ),
    ),
)
