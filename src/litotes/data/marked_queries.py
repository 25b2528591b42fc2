"""Search queries with marks on what they exclude, such as `written:queries` (docs/labelling-queries.md).

One JSON line per query: {"id": …, "register": "shop", "kind": "exclusion", "query": "camera strap {not} [leather]"}.
Braces enclose the words that exclude, brackets each excluded item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.types import Span

EXCLUSION, EITHER = "exclusion", "either"
KINDS = (EXCLUSION, "attribute", "exception", "name", "ordinary", EITHER)
_SPACE = " \t,;"
# what may stand between two items of a list and belongs to neither
_CONNECTIVES = re.compile(
    r"(?:[\s,;/&()+|]|\b(?:and|or|nor|not|plus|any|the|an?|either|neither|also|even|as well as)\b)*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MarkedQuery:
    """A query, its kind, and where its cues and its excluded items are."""

    text: str
    kind: str = "ordinary"
    cues: tuple[Span, ...] = ()
    items: tuple[Span, ...] = ()
    register: str = ""
    id: str = ""

    @property
    def connectives(self) -> tuple[Span, ...]:
        """What joins the items of a list: commas, "and", "or"."""
        between = ((end, start) for (_, end), (start, _) in pairwise(self.items))
        return tuple((start, end) for start, end in between if _CONNECTIVES.fullmatch(self.text, start, end))

    @property
    def cut(self) -> tuple[Span, ...]:
        """What does not belong to the wish: cues, items and connectives, in order."""
        return tuple(sorted((*self.cues, *self.items, *self.connectives)))


def read_queries(path: Path) -> list[MarkedQuery]:
    """Read a file of marked queries."""
    found = []
    for where, _, row in json_objects(text_lines(path), str(path)):
        texts = [row.get(name, "") for name in ("query", "kind", "register", "id")]
        if not all(isinstance(text, str) for text in texts) or not texts[0]:
            raise InputError(f"{where}: expected query, kind, register and id as texts")
        found.append(marked_query(texts[0], kind=texts[1], register=texts[2], id=texts[3], where=where))
    return found


def marked_query(
    marked: str, *, kind: str = EXCLUSION, register: str = "", id: str = "", where: str = ""
) -> MarkedQuery:
    """Read the marks of one query; errors begin with `where`."""
    prefix = f"{where}: " if where else ""
    if kind not in KINDS:
        raise InputError(f"{prefix}the kind is {kind!r}; expected {', '.join(KINDS)}")
    text, cues, items = _without_marks(marked, prefix)
    if bool(items) != (kind in (EXCLUSION, EITHER)):
        raise InputError(f"{prefix}{marked!r} is of the kind {kind}; only exclusions have an excluded item, and all do")
    return MarkedQuery(text, kind, cues, items, register, id)


def _without_marks(marked: str, prefix: str) -> tuple[str, tuple[Span, ...], tuple[Span, ...]]:
    closing = {"{": "}", "[": "]"}
    found: dict[str, list[Span]] = {"}": [], "]": []}
    text, start, expected = "", 0, ""
    for character in marked:
        if not expected and character in closing:
            start, expected = len(text), closing[character]
        elif expected and character == expected:
            found[expected].append(_trimmed(text, start, len(text)))
            expected = ""
        elif character in "{}[]":
            raise InputError(f"{prefix}the marks of {marked!r} are not in pairs; expected {{cue}} and [item]")
        else:
            text += character
    if expected:
        raise InputError(f"{prefix}{marked!r} has no {expected!r}; expected {{cue}} and [item]")
    cues, items = ([span for span in spans if span[0] < span[1]] for spans in found.values())
    return text, tuple(cues), tuple(items)


def _trimmed(text: str, start: int, end: int) -> Span:
    inner = text[start:end]
    left = len(inner) - len(inner.lstrip(_SPACE))
    return start + left, start + max(left, len(inner.rstrip(_SPACE)))
