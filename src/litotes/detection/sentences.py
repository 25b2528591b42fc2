"""A passage's sentences, by their marks alone: quick enough for a request, where a parser is not."""

from __future__ import annotations

import re

# A mark, closing quotes, white space, and then something that can open a sentence.
_END = re.compile(r"[.!?]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n\s*\n")
_SHORT = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No|Nos|vs|cf|ca|approx|Fig|Figs|Eq|Vol|pp|ed|eds|Inc|Ltd|Co|Corp|Gen|Col|Lt|Sgt"
    r"|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|U\.K|e\.g|i\.e|al|etc))\.$"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence starts and ends; the whole of a text without marks is one."""
    found: list[tuple[int, int]] = []
    start = 0
    for mark in _END.finditer(text):
        if _SHORT.search(text[max(start, mark.start() - 8) : mark.start() + 1]):
            continue
        found.append((start, mark.end()))
        start = mark.end()
    found.append((start, len(text)))
    return [_trimmed(text, *span) for span in found if text[span[0] : span[1]].strip()] or [(0, len(text))]


def changed_sentence(one: str, other: str) -> tuple[str, str] | None:
    """The one sentence in which two passages of as many sentences differ, as it stands in each; None if not one."""
    first, second = ([text[start:end] for start, end in sentences(text)] for text in (one, other))
    if len(first) != len(second):
        return None
    changed = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return changed[0] if len(changed) == 1 else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), end - (len(inside) - len(inside.rstrip()))
