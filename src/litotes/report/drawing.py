"""A figure of the page: its panels, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drawing:
    """One figure; exactly one of `panels` and `reason` is set."""

    id: str
    title: str
    caption: str = ""
    panels: tuple[str, ...] = ()
    """SVGs, set side by side where there is room and below each other where there is not"""
    reason: str = ""
    """why it is not drawn, and what to run to have it"""


@dataclass(frozen=True, slots=True)
class View:
    """How the models are looked at: what each is called, and which is the one before."""

    labels: Mapping[str, str]
    base: str = ""
    tuned: bool = False
    """whether the base was named: only then are the others what came after it"""

    def before_and_after(self, models: Mapping[str, object]) -> list[str]:
        """The models, the base first."""
        return sorted(models, key=lambda model: model != self.base)
