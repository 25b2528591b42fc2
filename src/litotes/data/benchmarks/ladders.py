"""Ladders of modality: a claim, and the same claim stated surely, doubted and denied. We wrote forty of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from litotes.data.lines import json_objects
from litotes.data.records import OURS, PACKAGE, SHIPPED, Benchmark, DataSet
from litotes.data.selection import DataSelection

RUNGS = ("sure", "doubtful", "denied")
"""From the nearest to the claim to the farthest."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A claim and its rungs, in the order of RUNGS."""

    id: str
    claim: str
    rungs: tuple[str, ...]


def ladders() -> tuple[Ladder, ...]:
    """Return the shipped ladders."""
    lines = files("litotes.data").joinpath("ladders.jsonl").read_text(encoding="utf-8").split("\n")
    return tuple(
        Ladder(row["id"], row["claim"], tuple(row[name] for name in RUNGS))
        for _, _, row in json_objects(lines, "ladders")
    )


def load(_: Path, split: str) -> tuple[Ladder, ...]:
    """Load the ladders; they are shipped, so the folder does not matter."""
    return ladders()


def _items(selection: DataSelection, _: str) -> tuple[Ladder, ...]:
    return selection.select(ladders(), key=lambda ladder: ladder.id)


DATA_SET = DataSet(
    name="ladders",
    topic="sensitivity",
    description="a claim stated surely, doubted and denied",
    home=PACKAGE,
    licence=OURS,
    load=load,
    benchmarks=(
        Benchmark(
            name="ladder",
            family="ladder",
            help="a claim stated surely, doubted and denied (shipped)",
            headline="in order",
            items=_items,
            suites=("sensitivity",),
            dev=SHIPPED,
            test=SHIPPED,
        ),
    ),
)
