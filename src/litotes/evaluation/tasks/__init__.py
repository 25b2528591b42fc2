"""The families of tasks: items in, one row per item out, figures computed from the rows alone.

Each family is one module with a frozen task class (`TASK`) and `figures(rows)`, whose first figure is the headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from litotes.data.result_files import ItemRow
from litotes.errors import InputError
from litotes.evaluation.figures import Figure
from litotes.evaluation.scoring import CachedScorer

FAMILIES = {
    "contrasts": "contrast_pairs",
    "contrast_lists": "contrast_lists",
    "similarity": "similarity",
    "retrieval": "retrieval",
    "classification": "classification",
    "demetr": "demetr",
    "series": "series",
    "ladder": "ladder",
    "cue_traps": "cue_traps",
    "opposites": "opposites",
    "same_answer": "same_answer",
    "mteb": "mteb",
    "harness": "harness",
}
"""The module of each family."""


class Task(Protocol):
    """Something that models are measured on."""

    @property
    def name(self) -> str: ...

    @property
    def split(self) -> str: ...

    @property
    def revision(self) -> str:
        """A text that changes when the items or the way they are measured change."""
        ...

    @property
    def family(self) -> str: ...

    @property
    def needs_vectors(self) -> bool:
        """Whether only encoders can be measured."""
        ...

    def __len__(self) -> int: ...

    def texts(self) -> dict[str, list[str]]:
        """Return the texts that an encoder has to encode, by role."""
        ...

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]: ...


def figures(family: str, rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the figures of a family, from the rows alone."""
    if family not in FAMILIES:
        raise InputError(f"there is no family of tasks {family!r}; expected one of {', '.join(FAMILIES)}")
    computed: list[Figure] = import_module(f"litotes.evaluation.tasks.{FAMILIES[family]}").figures(rows)
    return computed
