"""What the tasks of all families share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import ClassVar

HASHED_NAMES = {
    "ScoredPair": "Pair",
    "JudgedPair": "Judged",
    "ListedContrast": "Listed",
    "ImpairedSentence": "Impaired",
}
"""A revision is a hash of the items as text. Renamed classes keep their old names there, so revisions stay valid."""


class BaseTask:
    """The revision of a task: how it is measured, and a hash of its items."""

    __slots__ = ()
    family: ClassVar[str]
    measured: ClassVar[str] = "1"
    """Increase it when the way of measuring changes."""
    needs_vectors: ClassVar[bool] = False

    def content(self) -> Sequence[object]:
        """Return the items, as values whose repr has all they contain."""
        raise NotImplementedError

    @property
    def revision(self) -> str:
        """A text that changes when the items or the way they are measured change."""
        digest = hashlib.sha256()
        for item in self.content():
            name, bracket, rest = repr(item).partition("(")
            digest.update(f"{HASHED_NAMES.get(name, name)}{bracket}{rest}".encode("utf-8", "surrogatepass"))
        return f"{self.measured}.{digest.hexdigest()[:12]}"

    def __len__(self) -> int:
        return len(self.content())
