"""NevIR's writing rule: a query may not use a word that only one of the two documents contains.

Function words (the, of, that) are exempt; negations are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litotes.types import Contrast

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

_FUNCTION_WORDS = (
    "a an and are as at be been being by can could did do does for from had has have he her him his how i "
    "if in into is it its may me might my of on or our she should so such than that the their them then "
    "there these they this those to was we were what when where which while who whom whose why will with "
    "would you your"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def lower_words(text: str) -> set[str]:
    """Return the distinct words of a text in lower case."""
    return {word.lower().replace("’", "'") for word in _WORD.findall(text)}


@dataclass(frozen=True, slots=True)
class Breach:
    """A query with words that only one of the documents contains."""

    id: str
    query: str
    """Its name: q1 or q2."""
    in_doc1: tuple[str, ...]
    in_doc2: tuple[str, ...]

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes data check-queries` prints."""
        return {
            "id": self.id,
            "query": self.query,
            "only_in_doc1": list(self.in_doc1),
            "only_in_doc2": list(self.in_doc2),
        }


def breaches(contrast: Contrast) -> list[Breach]:
    """Return the queries of a contrast that break the rule."""
    first, second = lower_words(contrast.doc1), lower_words(contrast.doc2)
    broken = []
    for name, query in (("q1", contrast.q1), ("q2", contrast.q2)):
        content = lower_words(query or "") - FUNCTION_WORDS
        in_first, in_second = sorted(content & first - second), sorted(content & second - first)
        if in_first or in_second:
            broken.append(Breach(contrast.id, name, tuple(in_first), tuple(in_second)))
    return broken
