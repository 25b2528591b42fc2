"""The threshold of a guard: where it comes from, what precision and recall it had there, and how to fit it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.stats import threshold_at, wilson

FORMAT = "litotes guard 1"


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold with the precision and recall that it had on the pairs it was chosen on.

    The intervals are 95% Wilson intervals. They do not include the choice of the threshold on the same pairs.
    """

    threshold: float
    tier: str
    precision: float
    precision_interval: tuple[float, float]
    recall: float
    recall_interval: tuple[float, float]
    accepted: int
    """pairs whose score reaches the threshold"""
    pairs: int
    source: str
    """the pairs it was chosen on"""
    model: str = ""
    """the fingerprint of the model's weights, if the tier has a model"""

    def save(self, path: Path | str) -> None:
        """Write the point as a small JSON file, for `Guard(threshold=path)`."""
        write_atomically(path, json.dumps({"format": FORMAT, **asdict(self)}, indent=2) + "\n")

    def __str__(self) -> str:
        low, high = self.precision_interval
        least, most = self.recall_interval
        return (
            f"threshold {self.threshold:.4f} on {self.pairs} pairs of {self.source}: "
            f"precision {self.precision:.3f} ({low:.3f}–{high:.3f}), recall {self.recall:.3f} ({least:.3f}–{most:.3f})"
        )


def read_operating_point(path: Path | str) -> OperatingPoint:
    """Read a point that `save` wrote."""
    try:
        fields = json.loads(Path(path).read_text(encoding="utf-8"))
        if fields.pop("format") != FORMAT:
            raise ValueError("another format")
        return point_from(fields)
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}; expected a file of `litotes guard fit`") from None
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not a file of `litotes guard fit` ({error})") from error


def point_from(fields: Mapping[str, Any]) -> OperatingPoint:
    """Return the point with these fields, as JSON has them."""
    ranges = {name: tuple(map(float, fields[name])) for name in ("precision_interval", "recall_interval")}
    point = OperatingPoint(**{**fields, **ranges})
    threshold: Any = point.threshold
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise ValueError(f"the threshold is {threshold!r}; expected a number from 0 to 1")
    return point


def fit(
    scores: Sequence[float],
    same: Sequence[bool],
    *,
    precision: float,
    tier: str,
    source: str,
    model: str = "",
) -> OperatingPoint:
    """Return the lowest threshold at which at least `precision` of the accepted pairs deserve the same answer.

    `same` says of each pair whether it does. Equal scores are accepted together.
    """
    if not 0 < precision <= 1:
        raise InputError(f"precision is {precision}; expected more than 0 and at most 1")
    values, labels = np.asarray(scores, dtype=float), np.asarray(same, dtype=bool)
    if values.shape != labels.shape or not np.isfinite(values).all():
        raise InputError(f"{values.size} scores and {labels.size} labels; expected as many of both, all finite")
    if not labels.any() or labels.all():
        missing = "different" if labels.all() else "the same"
        raise InputError(f"no pair of {source} is labelled {missing}; expected pairs of both kinds")
    threshold = threshold_at(labels.astype(int).tolist(), values.tolist(), precision)
    if math.isinf(threshold):
        raise InputError(
            f"no threshold has a precision of {precision} on {source}: even among the highest scores, too many pairs "
            "are labelled different. Ask for less, or look at these pairs"
        )
    kept = values >= threshold
    right, accepted, wanted = int((kept & labels).sum()), int(kept.sum()), int(labels.sum())
    return OperatingPoint(
        threshold=threshold,
        tier=tier,
        precision=right / accepted,
        precision_interval=wilson(right, accepted),
        recall=right / wanted,
        recall_interval=wilson(right, wanted),
        accepted=accepted,
        pairs=len(labels),
        source=source,
        model=model,
    )


def warning(point: OperatingPoint, precision: float) -> str:
    """Return why these pairs cannot show such a precision, or "": the lower end of the interval is too low."""
    low = point.precision_interval[0]
    if low >= precision:
        return ""
    right = f"{point.precision:.1%} of {point.accepted} accepted pairs are right"
    found = f"{right}, so the precision may be as low as {low:.3f}"
    # by Wilson's interval, n right of n have the lower end n / (n + 1.96²)
    needed = math.ceil(precision / (1 - precision) * 1.96**2) if precision < 1 else 0
    if not needed:
        return f"no number of pairs can show a precision of 1: {found} (95% interval)"
    if point.accepted < needed:
        return (
            f"too few pairs to be sure of a precision of {precision}: {found} (95% interval). At least {needed:,} "
            "accepted pairs without an error would show it"
        )
    return f"the precision may be below {precision}: {found} (95% interval). Ask for a higher one to be sure"
