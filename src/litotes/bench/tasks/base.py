"""What the tasks of all families share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import ClassVar


class Base:
    """A task's revision: how it is measured, and a hash of what it is measured on."""

    __slots__ = ()
    family: ClassVar[str]
    measured: ClassVar[str] = "1"
    """raised by hand when the way of measuring changes"""
    needs_vectors: ClassVar[bool] = False

    def content(self) -> Sequence[object]:
        """The items, as values that print all they hold."""
        raise NotImplementedError

    @property
    def revision(self) -> str:
        held = hashlib.sha256()
        for item in self.content():
            held.update(repr(item).encode("utf-8", "surrogatepass"))
        return f"{self.measured}.{held.hexdigest()[:12]}"

    def __len__(self) -> int:
        return len(self.content())
