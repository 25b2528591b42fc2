"""The two halves of a development split: choose on one, report on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TypeVar

from litotes.errors import InputError

HALVES = ("all", "select", "report")

Item = TypeVar("Item")


def half(rows: Iterable[Item], which: str, *, key: Callable[[Item], str]) -> tuple[Item, ...]:
    """The rows of a half: "select" where the sha256 of the row's key is even, "report" where it is odd, or "all".

    The key is the row's id, or its first text where the file gives no id: so copies of a text stay on one side.
    """
    if which not in HALVES:
        raise InputError(f"there is no half {which!r}; expected one of {', '.join(HALVES)}")
    return tuple(row for row in rows if which == "all" or half_of(key(row)) == which)


def half_of(key: str) -> str:
    """The half a key falls into."""
    return "report" if sha256(key.encode("utf-8", "surrogatepass")).digest()[-1] % 2 else "select"
