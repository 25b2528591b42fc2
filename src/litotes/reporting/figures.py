"""What the figures of the page have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A section of the page with one or more plots; exactly one of `panels` and `reason` is set."""

    id: str
    title: str
    caption: str = ""
    panels: tuple[str, ...] = ()
    """SVG or HTML, side by side if the page is wide enough."""
    reason: str = ""
    """Why the figure is missing, and which command measures what it needs."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """How the page names the models, and which one the others are compared with."""

    labels: Mapping[str, str]
    """The name that is shown for each model."""
    base: str = ""
    base_is_named: bool = False
    """Whether the user named the base. Only then are models called "before" and "after"."""

    def stage(self, model: str, models: Collection[str]) -> str:
        """Return ", before" or ", after" for a model in a figure of `models`; "" unless the base was named."""
        if not self.base_is_named or self.base not in models or len(models) == 1:
            return ""
        return ", before" if model == self.base else ", after"

    def base_first(self, models: Collection[str]) -> list[str]:
        """Return the models in their order, but with the base first."""
        return sorted(models, key=lambda model: model != self.base)
