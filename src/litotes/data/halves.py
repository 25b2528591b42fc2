"""The two halves of a development split: choose on one, report on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TypeVar

from litotes.errors import InputError

HALVES = ("all", "select", "report")

Item = TypeVar("Item")


def half(rows: Iterable[Item], name: str, *, key: Callable[[Item], str]) -> tuple[Item, ...]:
    """Return the rows of a half: "select" if the sha256 of a row's key is even, "report" if it is odd, or "all".

    The key is the row's id, or its first text if the file has no ids, so that copies of a text stay in one half.
    """
    if name not in HALVES:
        raise InputError(f"there is no half {name!r}; expected one of {', '.join(HALVES)}")
    return tuple(row for row in rows if name == "all" or half_of(key(row)) == name)


def half_of(key: str) -> str:
    """Return the half that a key belongs to."""
    return "report" if sha256(key.encode("utf-8", "surrogatepass")).digest()[-1] % 2 else "select"
