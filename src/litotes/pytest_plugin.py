"""The pytest plugin: one fixture, `litotes_check`. Whoever does not ask for it pays for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from litotes.bench import Check
    from litotes.bench.tasks import Task
    from litotes.bench.tasks.contrasts import Contrasts


class LitotesCheck(Protocol):
    """What the fixture is: call it with a model, and the test fails where the model falls short."""

    def __call__(
        self,
        model: Any,
        *,
        baseline: Any = None,
        min_negation: float = 60,
        max_general_loss: float | None = None,
        min_kinds: Mapping[str, float] | None = None,
        negation: Contrasts | None = None,
        general: Sequence[Task] | None = None,
        device: str | None = None,
        cache: str | Path | None = None,
    ) -> Check: ...


@pytest.fixture(scope="session")
def litotes_check(tmp_path_factory: pytest.TempPathFactory) -> LitotesCheck:
    """Hold a model against bars, as `litotes check` does: gives the figures, or fails the test with their table.

    A model is a name as on the command line, or an object with `encode` or `score`. What one test measured is not
    measured again in the next, nor in the next session where `cache` names a folder.
    """
    kept = tmp_path_factory.mktemp("litotes")

    def run(
        model: Any,
        *,
        baseline: Any = None,
        min_negation: float = 60,
        max_general_loss: float | None = None,
        min_kinds: Mapping[str, float] | None = None,
        negation: Contrasts | None = None,
        general: Sequence[Task] | None = None,
        device: str | None = None,
        cache: str | Path | None = None,
    ) -> Check:
        __tracebackhide__ = True
        from litotes.bench import Bars, check
        from litotes.bench.check_table import check_table
        from litotes.models import load

        bm25: Any = load("bm25")
        found = check(
            model,
            baseline,
            load=lambda given: load(given, device=device) if isinstance(given, str) else given,
            bars=Bars(min_negation, max_general_loss, min_kinds or {}),
            cache=Path(cache) if cache else kept,
            first_stage=bm25,
            negation=negation,
            general=general,
        )
        if not found.passed:
            pytest.fail(f"litotes check\n\n{check_table(found)}", pytrace=False)
        return found

    return run
