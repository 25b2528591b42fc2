"""Fit the dial of a polarity block beside an encoder: by the spread of its cosines, and by what general-mini loses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.bases import MINI
from litotes.workflows.progress import Progress, Step, ignore

if TYPE_CHECKING:
    import numpy as np

DIALS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
TOLERANCE = 2.5
"""How many points a task of general-mini may lose. At its default dial, litotes-mini loses about 2 on its retrieval
and gains on public benchmarks."""
GENERAL, NEGATION = "general-mini", "taxonomy"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The figures at one dial, in points."""

    dial: float
    scores: dict[str, float]
    """task → its headline: the tasks of general-mini, and pairwise accuracy on our kinds of negation"""


@dataclass(frozen=True, slots=True)
class DialFit:
    """The dials that two procedures chose for an encoder, and the curve."""

    encoder: str
    block: str
    dial: float
    """the lower of the two, for `litotes.beside(encoder, dial=…)`"""
    by_spread: float
    """the dial at which the block counts as much as beside its own base; needs no labels"""
    by_tasks: float
    """the highest dial up to which no task of general-mini loses more than the tolerance"""
    tolerance: float
    curve: tuple[CurvePoint, ...]
    """from dial 0, the encoder alone, upwards"""

    def save(self, path: Path | str) -> None:
        """Write the fit as a small JSON file, for `litotes.beside(encoder, dial=path)`."""
        from litotes.files import write_atomically
        from litotes.query.beside_encoder import DIAL_FORMAT

        write_atomically(path, json.dumps({"format": DIAL_FORMAT, **asdict(self)}, indent=2) + "\n")


def fit_dial(
    encoder: Any,
    *,
    name: str = "",
    block: Any = MINI,
    tolerance: float = TOLERANCE,
    dials: Sequence[float] = DIALS,
    progress: Progress | None = None,
) -> DialFit:
    """Fit the dial for an encoder, which is anything that `litotes.beside` accepts, or the name of a dense model.

    It encodes the texts of general-mini and of our benchmark of negation, about 3,400 short ones, once.
    """
    from litotes.models.beside import dial_by_spread
    from litotes.models.polarity_block import polarity
    from litotes.models.tower.scaling import check_default_dial
    from litotes.query.beside_encoder import beside
    from litotes.query.loading import load

    if not tolerance >= 0:
        raise InputError(f"the tolerance is {tolerance}; expected 0 or more points")
    chosen = sorted({check_default_dial(dial) for dial in dials})
    if not chosen:
        raise InputError("there are no dials to try; expected one or more")
    tower = polarity(block) if isinstance(block, str) else block
    opened = load(encoder) if isinstance(encoder, str) else encoder
    both = _Remembered(beside(opened, block=tower, dial=chosen[0]), progress or ignore)
    by_spread = dial_by_spread(lambda texts: both.base(texts, "document"), tower)
    curve = tuple(_measured(both, dial, progress or ignore) for dial in (0.0, *chosen))
    by_tasks = highest_within(curve, tolerance)
    described = name or (encoder if isinstance(encoder, str) else type(encoder).__name__)
    if not by_tasks:
        raise InputError(
            f"at the lowest dial, {chosen[0]:g}, a task of general-mini loses more than {tolerance:g} points: "
            f"{curve[0].scores} → {curve[1].scores}. Try a lower dial or a higher tolerance"
        )
    return DialFit(described, tower.name, min(by_spread, by_tasks), by_spread, by_tasks, tolerance, curve)


def highest_within(curve: Sequence[CurvePoint], tolerance: float) -> float:
    """Return the highest dial up to which no general task is more than the tolerance below its score at dial 0."""
    base, highest = curve[0], 0.0
    for point in curve[1:]:
        general = [task for task in base.scores if task != NEGATION]
        if any(point.scores[task] < base.scores[task] - tolerance for task in general):
            break
        highest = point.dial
    return highest


class _Remembered:
    """The encoder's vectors and the blocks of texts, each computed once."""

    def __init__(self, encoder: Any, progress: Progress) -> None:
        self._encoder, self._progress = encoder, progress
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def base(self, texts: Sequence[str], role: str) -> np.ndarray:
        """Return the encoder's unit vectors."""
        side = "query" if role == "query" else "document"
        return self._get(texts, side, lambda some: self._encoder.base_vectors(some, role=side))

    def blocks(self, texts: Sequence[str]) -> np.ndarray:
        """Return the polarity blocks."""
        return self._get(texts, "block", self._encoder.blocks)

    def _get(self, texts: Sequence[str], part: str, encode: Any) -> np.ndarray:
        import numpy as np

        missing = [text for text in dict.fromkeys(texts) if (part, text) not in self._known]
        for start in range(0, len(missing), 128):
            some = missing[start : start + 128]
            self._known |= {(part, text): row for text, row in zip(some, encode(some), strict=True)}
            self._progress(Step(f"encoding ({part})", min(start + 128, len(missing)), len(missing)))
        return np.array([self._known[part, text] for text in texts])


class _AtDial:
    """The encoder with its block at one dial, as a model for the benchmark."""

    def __init__(self, both: _Remembered, dial: float) -> None:
        self.name, self._both, self._dial = f"dial {dial}", both, dial

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        import numpy as np

        base, blocks = self._both.base(texts, role), self._both.blocks(texts)
        rows: np.ndarray = np.hstack([np.sqrt(1 - self._dial) * base, np.sqrt(self._dial) * blocks])
        return rows.astype(np.float32)


def _measured(both: _Remembered, dial: float, progress: Progress) -> CurvePoint:
    from litotes.data.result_files import Provenance
    from litotes.evaluation import CachedScorer
    from litotes.evaluation.catalogue import suite
    from litotes.evaluation.figures import fold
    from litotes.evaluation.tasks import figures

    scores = {}
    for task in suite([GENERAL, NEGATION]):
        progress(Step(f"dial {dial:g}: {task.name}", 0))
        scorer = CachedScorer(_AtDial(both, dial))
        (headline, *_) = fold(
            list(figures(task.family, task.evaluate(scorer)))[:1], Provenance("", task.name, "", ""), rounds=1
        )
        scorer.close()
        scores[task.name] = round(headline.value, 2)
    return CurvePoint(dial, scores)
