"""The pytest plugin: one fixture, `litotes_check`. Heavy libraries are imported only when it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from litotes.evaluation import Check
    from litotes.evaluation.tasks import Task
    from litotes.evaluation.tasks.contrast_pairs import ContrastTask


class LitotesCheck(Protocol):
    """The type of the fixture: call it with a model, and the test fails if the model does not meet the thresholds."""

    def __call__(
        self,
        model: Any,
        *,
        baseline: Any = None,
        min_negation: float = 50,
        max_general_loss: float | None = None,
        min_kinds: Mapping[str, float] | None = None,
        negation: ContrastTask | None = None,
        general: Sequence[Task] | None = None,
        device: str | None = None,
        cache: str | Path | None = None,
    ) -> Check: ...


@pytest.fixture(scope="session")
def litotes_check(tmp_path_factory: pytest.TempPathFactory) -> LitotesCheck:
    """Check a model as `litotes check` does: return the figures, or fail the test and show them.

    A model is a name as on the command line, or an object with `encode` or `score`. What one test measured is not
    measured again by the next test, nor in the next session if `cache` names a folder.
    """
    folder = tmp_path_factory.mktemp("litotes")

    def run(
        model: Any,
        *,
        baseline: Any = None,
        min_negation: float = 50,
        max_general_loss: float | None = None,
        min_kinds: Mapping[str, float] | None = None,
        negation: ContrastTask | None = None,
        general: Sequence[Task] | None = None,
        device: str | None = None,
        cache: str | Path | None = None,
    ) -> Check:
        __tracebackhide__ = True
        from litotes.evaluation import Thresholds, check
        from litotes.evaluation.check_table import check_table
        from litotes.models import load

        bm25: Any = load("bm25")
        checked = check(
            model,
            baseline,
            load=lambda named: load(named, device=device) if isinstance(named, str) else named,
            thresholds=Thresholds(min_negation, max_general_loss, min_kinds or {}),
            cache=Path(cache) if cache else folder,
            first_stage=bm25,
            negation=negation,
            general=general,
        )
        if not checked.passed:
            pytest.fail(f"litotes check\n\n{check_table(checked)}", pytrace=False)
        return checked

    return run
