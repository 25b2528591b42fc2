"""Check that a model hears negation and has kept its general ability."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.workflows.benchmarking import FIRST_STAGE, evaluation_progress
from litotes.workflows.progress import Progress

if TYPE_CHECKING:
    from litotes.evaluation import Check


def check(
    model: Any,
    *,
    baseline: Any = None,
    min_negation: float | None = None,
    max_general_loss: float | None = None,
    min_kinds: Mapping[str, float] | None = None,
    junit: str | Path | None = None,
    cache: str | Path | None = None,
    device: str | None = None,
    progress: Progress | None = None,
) -> Check:
    """Measure a model and compare it with thresholds. `Check.passed` tells whether it meets all of them.

    Args:
        model: A name such as "dense:litotes-mini", or an object with `encode(texts)` or `score(queries, documents)`.
        baseline: The model it was made from. Without one, general ability is not checked.
        min_negation: The lowest accepted pairwise accuracy on the taxonomy's test contrasts, in points of 100. The
            default is 50.
        max_general_loss: How many points may be lost on general-mini against the baseline. The default is 1.
        min_kinds: The lowest accepted accuracy on single kinds of negation, such as {"exceptor": 50}.
        junit: Write the outcome as a JUnit file here, one test case per requirement.
        cache: A folder for measurements; what has not changed is not measured again. It may be the `out` of
            `litotes.bench`; the figures are then added to its results.json.
        device: "cpu", "cuda" or "mps".
        progress: Called after each step.
    """
    from litotes.evaluation import Thresholds
    from litotes.evaluation import check as measure
    from litotes.evaluation.check_table import check_table
    from litotes.evaluation.junit import junit as to_junit
    from litotes.evaluation.requirements import MIN_NEGATION
    from litotes.files import write_atomically
    from litotes.models import load

    thresholds = Thresholds(MIN_NEGATION if min_negation is None else min_negation, max_general_loss, min_kinds or {})
    target = Path(junit) if junit else None
    _refuse_unwritable(target)
    first_stage: Any = load(FIRST_STAGE)
    found = measure(
        model,
        baseline,
        load=lambda given: load(given, device=device) if isinstance(given, str) else given,
        thresholds=thresholds,
        cache=Path(cache) if cache else None,
        first_stage=first_stage,
        progress=evaluation_progress(progress),
    )
    if target is not None:
        write_atomically(target, to_junit(found, check_table(found)))
    return found


def _refuse_unwritable(junit: Path | None) -> None:
    """Raise InputError before minutes of measuring, not after."""
    if junit is None:
        return
    if junit.is_dir():
        raise InputError(f"the JUnit file {junit} is a folder; expected the name of a file to write")
    if junit.parent.exists() and not junit.parent.is_dir():
        raise InputError(f"the JUnit file {junit} cannot be written: {junit.parent} is a file")
