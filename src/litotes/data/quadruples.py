"""Quadruples, one JSON object a line: a1 and a2 mean the same, b1 and b2 mean the same, and each a denies each b."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from litotes.data.lines import json_objects
from litotes.errors import InputError

TEXTS = ("a1", "a2", "b1", "b2")
Comparison = tuple[str, str, str]
"""a text, its equivalent, an opposite"""


@dataclass(frozen=True, slots=True)
class Quadruple:
    """Two pairs of equivalent texts that deny each other: a1 and a2 mean the same, b1 and b2, and a denies b."""

    id: str
    a1: str
    a2: str
    b1: str
    b2: str
    cues: tuple[int, int, int, int] | None = None
    """how many cues of negation a1, a2, b1 and b2 hold, where someone counted"""
    mechanism: str = ""
    """what makes the texts equivalent or opposite: antonym, affix, quantifier, time …"""
    frame: str = ""
    """the pattern within the mechanism"""
    domain: str = ""

    @property
    def traps(self) -> tuple[Comparison, ...]:
        """Each text, its equivalent, and the opposite that looks like it: a1 and b1, a2 and b2."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b1), (a2, a1, b2), (b1, b2, a1), (b2, b1, a2)

    @property
    def others(self) -> tuple[Comparison, ...]:
        """Each text, its equivalent, and the other opposite."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b2), (a2, a1, b1), (b1, b2, a2), (b2, b1, a1)

    def line(self) -> dict[str, Any]:
        """Its JSON object; notes that are empty are left out."""
        notes = {name: getattr(self, name) for name in ("mechanism", "frame", "domain") if getattr(self, name)}
        texts = {"id": self.id, "a1": self.a1, "a2": self.a2, "b1": self.b1, "b2": self.b2}
        return texts | ({} if self.cues is None else {"cues": list(self.cues)}) | notes


def quadruples(lines: Iterable[str], name: str) -> Iterator[Quadruple]:
    """Quadruples from JSON lines; `name` says where they are from. A malformed line is an error that names it."""
    for at, (where, _, row) in enumerate(json_objects(lines, name), 1):
        yield _quadruple(row, where, str(at))


def _quadruple(row: dict[str, Any], where: str, number: str) -> Quadruple:
    for field in TEXTS:
        if not isinstance(row.get(field), str) or not row[field].strip():
            raise InputError(f"{where}: expected the texts {', '.join(TEXTS)}; {field} is missing or no text")
    notes = {field: row.get(field, "") for field in ("mechanism", "frame", "domain")}
    for field, note in notes.items():
        if not isinstance(note, str):
            raise InputError(f"{where}: {field} is no text: {note!r}")
    texts = row["a1"], row["a2"], row["b1"], row["b2"]
    return Quadruple(str(row.get("id", number)), *texts, _cues(row, where), **notes)


def _cues(row: dict[str, Any], where: str) -> tuple[int, int, int, int] | None:
    cues = row.get("cues")
    if cues is None:
        return None
    if not isinstance(cues, list) or len(cues) != len(TEXTS) or not all(type(n) is int and n >= 0 for n in cues):
        raise InputError(f"{where}: expected cues as four counts, of {', '.join(TEXTS)}; got {cues!r}")
    a1, a2, b1, b2 = cues
    return a1, a2, b1, b2
