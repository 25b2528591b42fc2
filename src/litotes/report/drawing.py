"""A figure of the page: its panels, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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

    def when(self, model: str, models: Collection[str]) -> str:
        """What a figure of these models says after a name: ", before" or ", after"; nothing without a named base."""
        if not self.tuned or self.base not in models or len(models) == 1:
            return ""
        return ", before" if model == self.base else ", after"

    def before_and_after(self, models: Mapping[str, object]) -> list[str]:
        """The models, the base first."""
        return sorted(models, key=lambda model: model != self.base)
