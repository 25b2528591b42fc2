"""M3-Counterfactual: claims of medical reviews beside denied, evidence-free, hedged and intensified forms of them.

It is not released. A file that `litotes data build m3` wrote is read; else it is built from M3 itself, in memory.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from litotes.data.builders.m3 import HOME, SCORES, Graded, build
from litotes.data.sets.reading import number, objects, text, there
from litotes.errors import InputError


def load(folder: Path, split: str = "level3") -> tuple[Graded, ...]:
    """The pairs of FOLDER/counterfactual.jsonl, or those made of FOLDER/SPLIT.jsonl."""
    built = folder / "counterfactual.jsonl"
    if not built.exists():
        path = there(folder / f"{split}.jsonl", f"M3's {split}.jsonl, or counterfactual.jsonl built from it", HOME)
        return tuple(build({"conclusions": [path]}, counts=Counter()))
    found = []
    for where, row in objects(built):
        kind = text(row, "kind", where)
        if kind not in SCORES:
            raise InputError(f"{where}: kind is {kind!r}; expected one of {', '.join(SCORES)}")
        name, first, second = (text(row, field, where) for field in ("id", "sentence1", "sentence2"))
        score = number(str(row.get("score")), "score", where)
        found.append(Graded(name, first, second, int(score), kind, str(row.get("cue") or "")))
    return tuple(found)
