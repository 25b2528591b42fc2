"""Progress of long work, as every workflow reports it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """How far a piece of work has come."""

    what: str
    """what is being done, such as "dense:minilm: encoding queries" """
    done: int
    total: int | None = None
    """None if the amount of work is unknown"""
    detail: str = ""
    """figures worth watching, such as the current loss"""


Progress = Callable[[Step], None]
"""Called after each step of a workflow."""


def ignore(step: Step) -> None:
    """Do nothing: the progress callback of a caller who gave none."""
