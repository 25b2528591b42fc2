"""Quadruples, as JSON lines: a1 and a2 mean the same, b1 and b2 mean the same, and each a contradicts each b."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from litotes.data.lines import json_objects
from litotes.errors import InputError

TEXTS = ("a1", "a2", "b1", "b2")
Comparison = tuple[str, str, str]
"""A text, its equivalent and an opposite."""


@dataclass(frozen=True, slots=True)
class Quadruple:
    """Two pairs of equivalent texts that contradict each other: a1 and a2 against b1 and b2."""

    id: str
    a1: str
    a2: str
    b1: str
    b2: str
    cues: tuple[int, int, int, int] | None = None
    """The number of negation cues in a1, a2, b1 and b2; None if nobody has counted them."""
    mechanism: str = ""
    """What makes the texts equivalent or opposite: antonym, affix, quantifier, time and so on."""
    frame: str = ""
    """The pattern within the mechanism."""
    domain: str = ""

    @property
    def traps(self) -> tuple[Comparison, ...]:
        """Each text with its equivalent and the opposite that looks like it: a1 and b1, a2 and b2."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b1), (a2, a1, b2), (b1, b2, a1), (b2, b1, a2)

    @property
    def others(self) -> tuple[Comparison, ...]:
        """Each text with its equivalent and the other opposite."""
        a1, a2, b1, b2 = self.a1, self.a2, self.b1, self.b2
        return (a1, a2, b2), (a2, a1, b1), (b1, b2, a2), (b2, b1, a1)

    def line(self) -> dict[str, Any]:
        """Return its JSON object, without empty notes."""
        notes = {name: getattr(self, name) for name in ("mechanism", "frame", "domain") if getattr(self, name)}
        texts = {"id": self.id, "a1": self.a1, "a2": self.a2, "b1": self.b1, "b2": self.b2}
        return texts | ({} if self.cues is None else {"cues": list(self.cues)}) | notes


def parse_quadruples(lines: Iterable[str], name: str) -> Iterator[Quadruple]:
    """Yield the quadruples of JSON lines. `name` is the name of the file in error messages, which name the line."""
    for number, (where, _, row) in enumerate(json_objects(lines, name), 1):
        yield _quadruple(row, where, str(number))


def _quadruple(row: dict[str, Any], where: str, number: str) -> Quadruple:
    for field in TEXTS:
        if not isinstance(row.get(field), str) or not row[field].strip():
            raise InputError(f"{where}: expected the texts {', '.join(TEXTS)}; {field} is missing or is not a text")
    notes = {field: row.get(field, "") for field in ("mechanism", "frame", "domain")}
    for field, note in notes.items():
        if not isinstance(note, str):
            raise InputError(f"{where}: {field} is {note!r}; expected a text")
    texts = row["a1"], row["a2"], row["b1"], row["b2"]
    return Quadruple(str(row.get("id", number)), *texts, _cues(row, where), **notes)


def _cues(row: dict[str, Any], where: str) -> tuple[int, int, int, int] | None:
    cues = row.get("cues")
    if cues is None:
        return None
    if not isinstance(cues, list) or len(cues) != len(TEXTS) or not all(type(n) is int and n >= 0 for n in cues):
        raise InputError(f"{where}: cues is {cues!r}; expected four counts, for {', '.join(TEXTS)}")
    a1, a2, b1, b2 = cues
    return a1, a2, b1, b2
