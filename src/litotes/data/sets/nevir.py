"""NevIR: pairs of queries and of passages that differ by a negation. JSON lines with id, q1, q2, doc1, doc2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from litotes.data.contrasts import read_contrasts
from litotes.data.sets.reading import there
from litotes.types import Contrast

HOME = "https://huggingface.co/datasets/orionweller/NevIR"
# The end of an id is CondaQA's type of edit: the first passage has the negation, the second is edited from it.
EDITS = {"2": "scope", "3": "affirmative"}


def load(folder: Path, split: str = "dev") -> tuple[Contrast, ...]:
    """The contrasts of FOLDER/SPLIT.jsonl; `style` is the type of edit."""
    path = there(folder / f"{split}.jsonl", f"NevIR's {split} split as JSON lines (id, q1, q2, doc1, doc2)", HOME)
    return tuple(replace(item, style=EDITS.get(item.id.rpartition("-")[2], "")) for item in read_contrasts(path))
