"""Ladders of modality: a claim, and the same said surely, doubted and denied. Forty, written for this project."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from litotes.data.lines import json_objects

RUNGS = ("sure", "doubtful", "denied")
"""from the nearest to the claim to the farthest"""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A claim and its rungs, in the order of RUNGS."""

    id: str
    claim: str
    rungs: tuple[str, ...]


def ladders() -> tuple[Ladder, ...]:
    """The shipped ladders."""
    lines = files("litotes.data").joinpath("ladders.jsonl").read_text(encoding="utf-8").split("\n")
    return tuple(
        Ladder(row["id"], row["claim"], tuple(row[name] for name in RUNGS))
        for _, _, row in json_objects(lines, "ladders")
    )
