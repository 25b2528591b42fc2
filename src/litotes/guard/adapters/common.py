"""What the adapters share: the guard that a caller passes, and how to read its verdicts."""

from __future__ import annotations

from collections.abc import Collection

from litotes.errors import InputError
from litotes.guard.guard import Guard
from litotes.guard.verdict import UNSURE, Verdict


def guard_of(guard: Guard | str | None) -> Guard:
    """Return the guard of a tier's name, or the default one for None; a Guard is returned as it is."""
    if isinstance(guard, Guard):
        return guard
    if guard is not None and not isinstance(guard, str):
        raise InputError(
            f"guard is {type(guard).__name__}; expected a Guard, the name of a tier, or None for the default"
        )
    return Guard(guard)


def differs(verdict: Verdict, reasons: Collection[str]) -> bool:
    """Return whether two texts differ for one of these reasons, and not only perhaps."""
    return not verdict.same and verdict.reason in reasons and verdict.score < UNSURE
