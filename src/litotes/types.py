"""What crosses two rooms or more: plain frozen values, and the one-method protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old`, which stands at `start` in the text, by `new`."""

    start: int
    old: str
    new: str

    @property
    def end(self) -> int:
        return self.start + len(self.old)


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with every edit made; edits are sorted and do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One text rewritten one way, or the reason why it was not.

    Exactly one of `rewrite` and `reason` is set. `edits` are offsets into `text`.
    """

    text: str
    kind: str
    rewrite: str | None = None
    cue: str = ""
    edits: tuple[Edit, ...] = ()
    distance: int = 0
    rule: str = ""
    reason: str = ""

    def __bool__(self) -> bool:
        return self.rewrite is not None

    def __str__(self) -> str:
        return self.rewrite if self.rewrite is not None else ""

    def undo(self) -> str:
        """The input again, made from the rewrite and its edits alone."""
        if self.rewrite is None:
            return self.text
        backwards: list[Edit] = []
        shift = 0
        for edit in self.edits:
            backwards.append(Edit(edit.start + shift, edit.new, edit.old))
            shift += len(edit.new) - len(edit.old)
        return apply_edits(self.rewrite, tuple(backwards))

    def line(self) -> dict[str, Any]:
        """The JSON object of the rewrite line in the docs."""
        if self.rewrite is None:
            return {"text": self.text, "kind": self.kind, "rewrite": None, "reason": self.reason}
        return {
            "text": self.text,
            "kind": self.kind,
            "rewrite": self.rewrite,
            "cue": self.cue,
            "distance": self.distance,
        }


@dataclass(frozen=True, slots=True)
class Cue:
    """A word, an affix or several words that negate; spans are character offsets into the text."""

    text: str
    sort: str
    """verbal, absolute, approximate, affixal or implicit"""
    tokens: tuple[int, ...]
    spans: tuple[Span, ...]
