"""Search operators: -word, -"two words", NOT word, NOT (a OR b), a AND NOT b. They are parsed, not guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from litotes.query_marks import Marks
from litotes.types import Span

# A minus stands before a word of at least three letters with a vowel, a year, a field or a quotation, and not after a
# letter: "-rf", "-xzf" and "--no-cache" are options of a command.
_MINUS = re.compile(r"(?<!\S)-(?!webkit-|moz-)(?=(?=\w*[aeiouy])[^\W\d_]{3}|\d{4}\b|\w+:|\"[^\"])", re.IGNORECASE)
_NOT = re.compile(r"(?<=\s)(?:(?:AND|BUT)\s+)?NOT\s+(?=[\w\"(])")
# NOT before these is SQL or part of a message; after the others it is stressed: "how NOT to", "is NOT coming".
_NO_OPERAND = re.compile(r"(?:NULL|EXISTS|IN|LIKE|BETWEEN|FOUND|FOR|TO|A|THE|ALLOWED|to|a|the)\b")
_STRESSED = re.compile(
    r"\b(?:how|if|or|vs|am|is|are|was|were|be|do|does|did|has|have|had|can|could|will|would|should|must|may)\s+$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:site|inurl):(?=.)", re.IGNORECASE)
_TERM = re.compile(r'"(?P<quoted>[^"]+)"|(?P<word>[^\s"()]+(?:"[^"]*")?)')
_JOINT = re.compile(r"\s*(?:\bOR\b|\bAND\b|,|\|)\s*")


def operators(text: str) -> Marks:
    """Return the operators of a query as marks: the operator is the cue, each operand an item."""
    if text.isupper():
        return Marks()
    cues: list[Span] = []
    items: list[Span] = []
    at = 0
    for match in sorted([*_MINUS.finditer(text), *_NOT.finditer(text)], key=re.Match.start):
        if match.start() < at or _NO_OPERAND.match(text, match.end()) or _STRESSED.search(text[: match.start()]):
            continue
        found, at = _operands(text, match.end())
        if found:
            cues.append((match.start(), len(text[: found[0][0]].rstrip(' ("'))))
            items += found
    return Marks(tuple(cues), tuple(items))


def _operands(text: str, start: int) -> tuple[list[Span], int]:
    """Return the operands from a place on, and where they end: one term, or the alternatives in brackets."""
    if text[start] == "(":
        end = text.find(")", start)
        return (list(_alternatives(text, start + 1, end)), end + 1) if end > 0 else ([], start + 1)
    term = _TERM.match(text, start)
    if term is None:
        return [], start + 1
    if term["quoted"]:
        return [term.span("quoted")], term.end()
    address = _ADDRESS.match(term["word"])
    span = start + (address.end() if address else 0), start + len(term["word"].rstrip(".,;:?!"))
    return ([span] if span[0] < span[1] else []), term.end()


def _alternatives(text: str, start: int, end: int) -> Iterator[Span]:
    for joint in [*_JOINT.finditer(text, start, end), None]:
        stop = joint.start() if joint else end
        inner = text[start:stop]
        left = len(inner) - len(inner.lstrip(' "'))
        if inner.strip(' "'):
            yield start + left, start + len(inner.rstrip(' "'))
        start = joint.end() if joint else end
