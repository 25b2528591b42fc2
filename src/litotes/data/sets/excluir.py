"""ExcluIR: a query that excludes something, the document it wants, and the trap. JSON lines."""

from __future__ import annotations

from pathlib import Path

from litotes.data.contrasts import read_contrasts
from litotes.data.sets.reading import there
from litotes.types import Contrast

HOME = "https://github.com/zwh-sdu/ExcluIR"


def load(folder: Path, split: str = "dev") -> tuple[Contrast, ...]:
    """The contrasts of FOLDER/SPLIT.jsonl; they have no second query."""
    path = there(
        folder / f"{split}.jsonl", f"ExcluIR's {split} rows as JSON lines (id, query, positive, negative)", HOME
    )
    return tuple(read_contrasts(path))
