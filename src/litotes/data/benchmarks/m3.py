"""M3-Counterfactual: claims of medical reviews beside denied, evidence-free, hedged and intensified forms of them.

It is not released. The loader reads the file that `litotes data build m3` wrote, or builds it from M3 in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from litotes.data.items import ScoredPair
from litotes.data.reading import existing, number, objects, text
from litotes.data.records import GITHUB, NEGATION, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError

if TYPE_CHECKING:
    from litotes.data.builders.m3 import GradedClaim

HOME = "https://github.com/julia-nixie/m3"


def load(folder: Path, split: str = "level3") -> tuple[GradedClaim, ...]:
    """Load the pairs of FOLDER/counterfactual.jsonl, or build them from FOLDER/SPLIT.jsonl."""
    # the builder needs the rewriter, so it is imported only when the set is loaded
    from litotes.data.builders.m3 import SCORES, GradedClaim, build

    built = folder / "counterfactual.jsonl"
    if not built.exists():
        path = existing(folder / f"{split}.jsonl", f"M3's {split}.jsonl, or counterfactual.jsonl built from it", HOME)
        return tuple(build({"conclusions": [path]}, counts=Counter()))
    pairs = []
    for where, row in objects(built):
        kind = text(row, "kind", where)
        if kind not in SCORES:
            raise InputError(f"{where}: kind is {kind!r}; expected one of {', '.join(SCORES)}")
        name, first, second = (text(row, field, where) for field in ("id", "sentence1", "sentence2"))
        score = number(str(row.get("score")), "score", where)
        pairs.append(GradedClaim(name, first, second, int(score), kind, str(row.get("cue") or "")))
    return tuple(pairs)


def _count_rows(folder: Path, split: str) -> Mapping[str, int]:
    """Count the claims, not the counterfactuals: building those needs a parser."""
    from litotes.data.builders.source_files import objects as required_objects

    path = f"m3/{split}.jsonl"
    return {path: sum(1 for _ in required_objects(folder / path, ["docid", "target_text"]))}


def _items(selection: DataSelection, split: str) -> tuple[ScoredPair, ...]:
    rows = selection.select(load(selection.folder("m3"), split), key=lambda row: row.id)
    return tuple(ScoredPair(row.id, row.sentence1, row.sentence2, row.score, row.kind) for row in rows)


DATA_SET = DataSet(
    name="m3",
    topic=NEGATION,
    description="claims of medical reviews, from which M3-Counterfactual is built",
    home=HOME,
    licence="not stated",
    revision="977789f2993a8987def54542d0e964a967885e74",
    base=GITHUB + "/julia-nixie/m3/{revision}/",
    count_rows=_count_rows,
    benchmarks=(
        Benchmark(
            name="m3-counterfactual",
            family="similarity",
            help="medical claims, denied, hedged and intensified",
            headline="Spearman",
            items=_items,
            suites=("negation",),
            dev="level3",
            test="level3",
        ),
    ),
)
