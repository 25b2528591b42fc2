"""How many entries of a cache the guard judges."""

from __future__ import annotations

from litotes.errors import InputError

CANDIDATES = 5
"""How many of the nearest entries a cache gives to the guard, unless told otherwise."""


def check_candidates(candidates: int) -> int:
    """Return the number of candidates; refuse one that is not positive."""
    if isinstance(candidates, bool) or not isinstance(candidates, int) or candidates < 1:
        raise InputError(f"candidates is {candidates!r}; expected a whole number of 1 or more")
    return candidates
