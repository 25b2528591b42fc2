"""Banking77: what customers of a bank write, and which of 77 things they want. CSV tables."""

from __future__ import annotations

from pathlib import Path

from litotes.data.general import Utterance
from litotes.data.sets.reading import table, there

HOME = "https://github.com/PolyAI-LDN/task-specific-datasets (banking_data)"
COLUMNS = ("text", "category")


def load(folder: Path, split: str = "test") -> tuple[Utterance, ...]:
    """The utterances of FOLDER/SPLIT.csv; ids are lines."""
    path = there(folder / f"{split}.csv", f"Banking77's {split} split as CSV ({', '.join(COLUMNS)})", HOME)
    return tuple(Utterance(str(line), text, label) for _, line, (text, label) in table(path, COLUMNS))
