"""The training data that was written for this project (docs/written.md). It has no benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litotes.data.reading import objects
from litotes.data.records import OURS, PACKAGE, DataSet


def load(folder: Path, split: str) -> list[dict[str, Any]]:
    """Load the rows of FOLDER/SPLIT.jsonl or FOLDER/SPLIT.jsonl.gz."""
    plain, packed = folder / f"{split}.jsonl", folder / f"{split}.jsonl.gz"
    return [row for _, row in objects(packed if packed.exists() else plain)]


DATA_SET = DataSet(
    name="written",
    topic="source",
    description="quadruples, contrasts, exclusions, graded candidates and ordinary text (docs/written.md)",
    home=PACKAGE,
    licence=OURS,
    use="train",
    load=load,
)
