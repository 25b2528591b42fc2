"""Cue traps: four texts that whoever understands negation sorts by meaning, and whoever counts cues sorts wrongly.

a1 and a2 mean the same, b1 and b2 mean the same, and every a denies every b: as people read them, they cannot both be
true. a1 holds as many negation cues as b1, a2 as many as b2, and a1 more or fewer than a2: so the count of cues joins
the wrong pairs.

The measure asks of each of the four texts whether it is more similar to its equivalent than to its trap, the opposite
with as many cues. A tie is wrong; where the order matters to a model, the text that is asked about comes first:

    s(a1, a2) > s(a1, b1)    s(a2, a1) > s(a2, b2)    s(b1, b2) > s(b1, a1)    s(b2, b1) > s(b2, a2)

- accuracy: the share of these four comparisons that are right, over all quadruples (chance 1/2, a counter of cues 0);
- strict: the share of quadruples with all four right (chance 1/6, of a symmetric similarity);
- full: the share of quadruples in which each text is more similar to its equivalent than to either opposite, eight
  comparisons (chance 1/15). A model that prefers texts with *other* counts of cues has accuracy 1 and full 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from litotes.data.lines import json_objects
from litotes.errors import InputError

TEXTS = ("a1", "a2", "b1", "b2")
NOTES = ("id", "mechanism", "frame", "domain")
Comparison = tuple[str, str, str]
"""a text, its equivalent, an opposite"""


@dataclass(frozen=True, slots=True)
class Quadruple:
    """Two pairs of equivalent texts that deny each other, and how many cues a reader counts in each."""

    id: str
    a1: str
    a2: str
    b1: str
    b2: str
    cues: tuple[int, int, int, int]
    """of a1, a2, b1, b2"""
    mechanism: str
    """what makes the texts equivalent or opposite: antonym, affix, quantifier, time …"""
    frame: str
    """the pattern within the mechanism; never more than six quadruples share one"""
    domain: str

    @property
    def traps(self) -> tuple[Comparison, ...]:
        """Each text, its equivalent, and the opposite with as many cues."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b1), (a2, a1, b2), (b1, b2, a1), (b2, b1, a2)

    @property
    def others(self) -> tuple[Comparison, ...]:
        """Each text, its equivalent, and the opposite with more or fewer cues."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b2), (a2, a1, b1), (b1, b2, a2), (b2, b1, a1)


def cue_traps() -> tuple[Quadruple, ...]:
    """Our own quadruples; they are for measuring, never for training."""
    home = files("litotes.data").joinpath("cue_traps.jsonl")
    return tuple(quadruples(home.read_text(encoding="utf-8").split("\n"), "cue traps"))


def quadruples(lines: Iterable[str], name: str) -> Iterator[Quadruple]:
    """Quadruples from JSON lines; `name` says where they are from. A malformed line is an error that names it."""
    for where, _, row in json_objects(lines, name):
        yield _quadruple(row, where)


def _quadruple(row: dict[str, Any], where: str) -> Quadruple:
    for field in (*TEXTS, *NOTES):
        if not isinstance(row.get(field), str) or not row[field].strip():
            wanted = ", ".join((*TEXTS, *NOTES))
            raise InputError(f"{where}: expected the texts {wanted}; {field} is missing or no text")
    cues = row.get("cues")
    if not isinstance(cues, list) or len(cues) != len(TEXTS) or not all(type(n) is int and n >= 0 for n in cues):
        raise InputError(f"{where}: expected cues as four counts, of {', '.join(TEXTS)}; got {cues!r}")
    a1, a2, b1, b2 = cues
    if not a1 == b1 != a2 == b2:
        raise InputError(f"{where}: a1 must hold as many cues as b1, a2 as many as b2, and a1 not as a2; got {cues}")
    return Quadruple(
        row["id"],
        row["a1"],
        row["a2"],
        row["b1"],
        row["b2"],
        (a1, a2, b1, b2),
        row["mechanism"],
        row["frame"],
        row["domain"],
    )
