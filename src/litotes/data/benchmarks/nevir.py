"""NevIR: pairs of queries and passages that differ by a negation. JSON lines with id, q1, q2, doc1, doc2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from litotes.data.contrast_files import read_contrasts
from litotes.data.reading import existing
from litotes.data.records import NEGATION, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.types import Contrast

HOME = "https://huggingface.co/datasets/orionweller/NevIR"
EDITS = {"2": "scope", "3": "affirmative"}
"""The end of an id is CondaQA's type of edit: the first passage has the negation, the second is edited from it."""


def load(folder: Path, split: str = "dev") -> tuple[Contrast, ...]:
    """Load the contrasts of FOLDER/SPLIT.jsonl; `style` is the type of edit."""
    path = existing(folder / f"{split}.jsonl", f"NevIR's {split} split as JSON lines (id, q1, q2, doc1, doc2)", HOME)
    return tuple(replace(item, style=EDITS.get(item.id.rpartition("-")[2], "")) for item in read_contrasts(path))


def _items(selection: DataSelection, split: str) -> tuple[Contrast, ...]:
    return selection.select(load(selection.folder("nevir"), split), key=lambda contrast: contrast.id)


DATA_SET = DataSet(
    name="nevir",
    topic=NEGATION,
    description="pairs of queries and passages that differ by a negation",
    home=HOME,
    licence="MIT",
    revision="6263585072ce3b435ed09658613553fbf4e74184",
    base="https://huggingface.co/datasets/orionweller/NevIR/resolve/{revision}/",
    load=load,
    benchmarks=(
        Benchmark(
            name="nevir",
            family="contrasts",
            help="pairs of queries and passages that differ by a negation",
            headline="pairwise accuracy",
            items=_items,
            suites=("negation",),
            settings={"edited": True},
        ),
    ),
)
