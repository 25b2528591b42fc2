"""What a check asks of a model, and how it is told: the bars, and each figure held against its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from litotes.errors import InputError
from litotes.types import DIGITS, Result

MIN_NEGATION, MAX_GENERAL_LOSS = 60.0, 1.0


@dataclass(frozen=True, slots=True)
class Bars:
    """What a model must reach, in points of 100."""

    min_negation: float = MIN_NEGATION
    """accuracy over all contrasts, at least"""
    max_general_loss: float | None = None
    """the baseline's mean over the general tasks less the model's, at most; None is 1 where there is a baseline"""
    min_kinds: Mapping[str, float] = field(default_factory=dict)
    """accuracy on the contrasts of one kind, at least"""

    def __post_init__(self) -> None:
        bars = {"min-negation": self.min_negation}
        bars |= {f"min-kind {kind}": bar for kind, bar in self.min_kinds.items()}
        if self.max_general_loss is not None:
            bars["max-general-loss"] = self.max_general_loss
        for name, bar in bars.items():
            # not "bar < 0 or bar > 100": NaN would pass
            if not 0 <= bar <= 100:
                raise InputError(f"{name} is {bar:g}; expected points between 0 and 100, such as 60")

    @property
    def loss(self) -> float:
        """The loss that is allowed."""
        return MAX_GENERAL_LOSS if self.max_general_loss is None else self.max_general_loss


@dataclass(frozen=True, slots=True)
class Requirement:
    """A figure and the bar it was held against."""

    name: str
    """negation, kind: exceptor, general loss"""
    about: str
    """what the figure is, in words that a sentence about it begins with"""
    figure: Result
    bar: float
    ceiling: bool = False
    """whether the bar is the most that is allowed, not the least"""
    seconds: float = 0.0
    """what measuring it took; 0 where it came with another figure"""

    @property
    def met(self) -> bool:
        """Whether the figure, as it is written down, reaches the bar; one that could not be computed does not."""
        value = round(self.figure.value, DIGITS)
        return value <= self.bar if self.ceiling else value >= self.bar

    @property
    def close(self) -> bool:
        """Whether the bar lies within the figure's interval: other items might have decided otherwise."""
        return self.figure.low <= self.bar <= self.figure.high

    @property
    def asked(self) -> str:
        """The bar, in words."""
        return f"at {'most' if self.ceiling else 'least'} {self.bar:g}"

    @property
    def short(self) -> str:
        """Figure and bar, in a few words."""
        return f"{self.name} {shown(self.figure.value)} ({self.asked})"

    @property
    def message(self) -> str:
        """Figure, bar, interval and n, and whether the bar lies within the interval, in whole sentences."""
        one = self.figure
        if isnan(one.value):
            return f"{self.about} could not be computed; expected {self.asked}: it fails"
        gap = f"{'above' if one.value > self.bar else 'below'} the bar by {shown(abs(one.value - self.bar))}"
        place = "on the bar" if round(one.value, DIGITS) == self.bar else gap
        said = f"{self.about} is {shown(one.value)}; expected {self.asked}: {place}. {self.interval}"
        if not self.close:
            return said
        verdict = "it passes, narrowly" if self.met else "it fails all the same"
        return f"{said}; the bar lies within it, so other items might decide otherwise: {verdict}"

    @property
    def interval(self) -> str:
        """The interval and the number of items, in words."""
        return f"95% interval {shown(self.figure.low)} – {shown(self.figure.high)}, n {self.figure.n}"

    def line(self) -> dict[str, Any]:
        """Its part of the JSON object of `litotes check`."""
        found = {name: self.figure.line()[name] for name in ("value", "low", "high", "n")}
        bar = {"at most" if self.ceiling else "at least": self.bar, "met": self.met}
        return {"name": self.name, **found, **bar, "message": self.message, "seconds": round(self.seconds, 3)}


def shown(value: float) -> str:
    """A figure for people: two digits, and never −0."""
    return "none" if isnan(value) else f"{round(value, 2) + 0.0:.2f}"
