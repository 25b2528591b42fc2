"""What every source gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text to start from: a sentence, or a passage with questions it answers."""

    id: str
    text: str
    questions: tuple[str, ...] = ()
