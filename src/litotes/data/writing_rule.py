"""NevIR's writing rule: a query may not use a word that stands in only one of the two documents.

Small words that carry no content (the, of, that) do not count; words that negate do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litotes.types import Contrast

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


_SMALL = (
    "a an and are as at be been being by can could did do does for from had has have he her him his how i "
    "if in into is it its may me might my of on or our she should so such than that the their them then "
    "there these they this those to was we were what when where which while who whom whose why will with "
    "would you your"
)
SMALL = frozenset(_SMALL.split())


def words(text: str) -> set[str]:
    """The different words of a text, in lower case."""
    return {word.lower().replace("’", "'") for word in _WORD.findall(text)}


@dataclass(frozen=True, slots=True)
class Breach:
    """The words of one query that stand in only one document."""

    id: str
    query: str
    """q1 or q2"""
    in_doc1: tuple[str, ...]
    in_doc2: tuple[str, ...]

    def line(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "query": self.query,
            "only_in_doc1": list(self.in_doc1),
            "only_in_doc2": list(self.in_doc2),
        }


def breaches(contrast: Contrast) -> list[Breach]:
    """Where a contrast breaks the rule; empty when it keeps it."""
    first, second = words(contrast.doc1), words(contrast.doc2)
    found = []
    for name, query in (("q1", contrast.q1), ("q2", contrast.q2)):
        own = words(query or "") - SMALL
        in_first, in_second = sorted(own & first - second), sorted(own & second - first)
        if in_first or in_second:
            found.append(Breach(contrast.id, name, tuple(in_first), tuple(in_second)))
    return found
