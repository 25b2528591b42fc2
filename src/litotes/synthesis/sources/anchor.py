"""The anchor, which every source yields."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text that data is made from: a sentence, or a passage with questions that it answers."""

    id: str
    text: str
    questions: tuple[str, ...] = ()
