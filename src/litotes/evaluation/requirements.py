"""What a check requires of a model: the thresholds, and each figure with its threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from litotes.errors import InputError
from litotes.types import DIGITS, Result

MIN_NEGATION = 50.0
"""Half of the contrasts. Chance is 25, and encoders that were not trained on negation are near 20."""
MAX_GENERAL_LOSS = 1.0
"""A loss that users of search do not notice; its 95% interval on general-mini is about 1.3 points to either side."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a model must reach, in points of 100."""

    min_negation: float = MIN_NEGATION
    """The lowest accuracy over all contrasts."""
    max_general_loss: float | None = None
    """How far the mean over the general tasks may be below the baseline's; None is the default, with a baseline."""
    min_kinds: Mapping[str, float] = field(default_factory=dict)
    """The lowest accuracy on the contrasts of single kinds."""

    def __post_init__(self) -> None:
        thresholds = {"min-negation": self.min_negation}
        thresholds |= {f"min-kind {kind}": threshold for kind, threshold in self.min_kinds.items()}
        if self.max_general_loss is not None:
            thresholds["max-general-loss"] = self.max_general_loss
        for name, threshold in thresholds.items():
            # not "threshold < 0 or threshold > 100": NaN would pass
            if not 0 <= threshold <= 100:
                raise InputError(f"{name} is {threshold:g}; expected points between 0 and 100, such as 50")

    @property
    def allowed_loss(self) -> float:
        """The general loss that is allowed."""
        return MAX_GENERAL_LOSS if self.max_general_loss is None else self.max_general_loss


@dataclass(frozen=True, slots=True)
class Requirement:
    """A figure and its threshold."""

    name: str
    """negation, kind: exceptor, or general loss."""
    about: str
    """What the figure is, as the beginning of a sentence."""
    figure: Result
    threshold: float
    maximum: bool = False
    """Whether the threshold is the highest value that is allowed, not the lowest."""
    seconds: float = 0.0
    """How long measuring took; 0 if the figure came with another one."""

    @property
    def met(self) -> bool:
        """Whether the figure, rounded as it is written, meets the threshold; a figure without a value does not."""
        value = round(self.figure.value, DIGITS)
        return value <= self.threshold if self.maximum else value >= self.threshold

    @property
    def close(self) -> bool:
        """Whether the threshold is within the figure's interval: other items might give another result."""
        return self.figure.low <= self.threshold <= self.figure.high

    @property
    def asked(self) -> str:
        """The threshold in words."""
        return f"at {'most' if self.maximum else 'least'} {self.threshold:g}"

    @property
    def short(self) -> str:
        """The figure and the threshold, in a few words."""
        return f"{self.name} {shown(self.figure.value)} ({self.asked})"

    @property
    def message(self) -> str:
        """The figure, its threshold, interval and n, in full sentences."""
        value = self.figure.value
        if isnan(value):
            return f"{self.about} could not be computed; expected {self.asked}: it fails"
        gap = f"{'above' if value > self.threshold else 'below'} the threshold by {shown(abs(value - self.threshold))}"
        place = "exactly at the threshold" if round(value, DIGITS) == self.threshold else gap
        message = f"{self.about} is {shown(value)}; expected {self.asked}: {place}. {self.interval}"
        if not self.close:
            return message
        verdict = "it passes, narrowly" if self.met else "it fails, narrowly"
        return f"{message}; the threshold is within it, so other items might give another result: {verdict}"

    @property
    def interval(self) -> str:
        """The interval and the number of items, in words."""
        return f"95% interval {shown(self.figure.low)} – {shown(self.figure.high)}, n {self.figure.n}"

    def line(self) -> dict[str, Any]:
        """Return its part of the JSON object of `litotes check`."""
        figure = {name: self.figure.line()[name] for name in ("value", "low", "high", "n")}
        threshold = {"at most" if self.maximum else "at least": self.threshold, "met": self.met}
        return {"name": self.name, **figure, **threshold, "message": self.message, "seconds": round(self.seconds, 3)}


def shown(value: float) -> str:
    """Return a figure for people: two digits, and never −0."""
    return "none" if isnan(value) else f"{round(value, 2) + 0.0:.2f}"
