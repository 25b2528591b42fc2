"""The tasks: items in, one row an item out, figures folded from rows alone.

Every family is one file with the same two things: a frozen task, and `figures(rows)`, whose first figure is the task's
headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from litotes.bench.rows import Figure, Row
from litotes.bench.scoring import Scorer
from litotes.errors import InputError

FAMILIES = (
    "contrasts",
    "contrast_lists",
    "similarity",
    "retrieval",
    "classification",
    "demetr",
    "series",
    "ladder",
    "cue_traps",
    "opposites",
    "mteb",
    "harness",
)


class Task(Protocol):
    """Something to measure a model on."""

    @property
    def name(self) -> str: ...

    @property
    def split(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes when the items or the way they are measured change."""
        ...

    @property
    def family(self) -> str: ...

    @property
    def needs_vectors(self) -> bool:
        """Whether only an encoder can be measured."""
        ...

    def __len__(self) -> int: ...

    def texts(self) -> dict[str, list[str]]:
        """What an encoder will have to encode, by role."""
        ...

    def evaluate(self, scorer: Scorer) -> list[Row]: ...


def figures(family: str, rows: Sequence[Row]) -> list[Figure]:
    """The figures of a family, folded from rows; nothing but the rows is needed."""
    if family not in FAMILIES:
        raise InputError(f"there is no family of tasks {family!r}; expected one of {', '.join(FAMILIES)}")
    found: list[Figure] = import_module(f"litotes.bench.tasks.{family}").figures(rows)
    return found
