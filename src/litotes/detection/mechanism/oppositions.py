"""Antonyms across two texts: immediate, polar or mid, from the lexicon's pairs and scales."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Sentence, Token

LONGEST = 3
# half full, partly furnished, medium roast: words that by themselves say "between the ends"
MIDDLING = word_set("middling")


class Opposition(NamedTuple):
    """Two words that oppose each other, and how."""

    left: str
    right: str
    sort: str
    """immediate, polar or mid"""


class _Place(NamedTuple):
    scale: int
    cell: str


@lru_cache(maxsize=1)
def _pairs() -> dict[tuple[str, str], str]:
    """(word, opposite) → immediate or polar, both directions; the hand-sorted list before WordNet's."""
    found: dict[tuple[str, str], str] = {}
    rows = [(row["word"], row["opposite"], row["sort"]) for row in table("opposites")]
    rows += [(row["word"], row["antonym"], row["mark"]) for row in table("antonyms")]
    for left, right, sort in rows:
        found.setdefault((left, right), sort)
        found.setdefault((right, left), sort)
    return found


@lru_cache(maxsize=1)
def _scales() -> dict[str, list[_Place]]:
    """word → where it stands on which scales"""
    found: dict[str, list[_Place]] = {}
    for number, row in enumerate(table("scales")):
        for cell in ("low", "middle", "high"):
            for word in row[cell].split(","):
                if word.strip():
                    found.setdefault(word.strip(), []).append(_Place(number, cell))
    return found


def entries(tokens: Sequence[Token]) -> dict[str, str]:
    """What the lexicon may know these tokens by → how they stand in the text: words, base forms, short phrases."""
    found: dict[str, str] = {}
    for at, token in enumerate(tokens):
        if token.lower.isalpha():
            for form in _forms(token):
                found.setdefault(form, token.text)
        for length in range(2, LONGEST + 2):
            part = tokens[at : at + length]
            if len(part) == length:
                shown = "".join(t.lower if t.lower == "-" else f" {t.lower}" for t in part).replace("- ", "-").strip()
                found.setdefault(shown, shown)
    return found


def _forms(token: Token) -> set[str]:
    forms = {token.lower}
    letters = {"J": "J", "R": "R", "V": "V", "N": "N"}.get(token.tag[:1], "")
    forms |= {lemma(token.lower, letter) for letter in {letters, "V", "N", "J"} if letter}
    return forms


def oppositions(left: Iterable[Sentence], right: Iterable[Sentence], *, scales: bool = True) -> list[Opposition]:
    """The opposed words of two texts, surest first; words both texts hold do not count.

    Without `scales`, only pairs that are listed as such: long texts hold too many words for more.
    """
    ours, theirs = _words(left), _words(right)
    shared = ours.keys() & theirs.keys()
    ours = {word: text for word, text in ours.items() if word not in shared}
    theirs = {word: text for word, text in theirs.items() if word not in shared}
    found = [
        Opposition(text, other_text, sort)
        for word, text in ours.items()
        for other, other_text in theirs.items()
        if (sort := opposed(word, other) if scales else _pairs().get((word, other), ""))
    ]
    middling = _middling(ours, theirs) if scales else None
    if middling is not None:
        found.append(middling)
    # a longer phrase says more than its words: half full before full
    found.sort(key=lambda pair: (-len(pair.left.split()) - len(pair.right.split()), pair.sort == "mid"))
    if middling is not None and (found[0].sort != "immediate" or found[0] == middling):
        return [middling, *(pair for pair in found if pair != middling)]
    return found


def _words(sentences: Iterable[Sentence]) -> dict[str, str]:
    found: dict[str, str] = {}
    for sentence in sentences:
        found.update(entries(sentence.tokens))
    return found


def opposed(left: str, right: str) -> str:
    """immediate, polar, mid, or "" for two words of the lexicon."""
    sort = _pairs().get((left, right), "")
    if sort:
        return sort
    for place in _scales().get(left, ()):
        for other in _scales().get(right, ()):
            if place.scale == other.scale and place.cell != other.cell:
                return "mid" if "middle" in {place.cell, other.cell} else "polar"
    return ""


def _middling(ours: dict[str, str], theirs: dict[str, str]) -> Opposition | None:
    """A word for "between" on one side only, against something else on the other."""
    left = next((word for word in ours if word in MIDDLING), "")
    right = next((word for word in theirs if word in MIDDLING), "")
    if bool(left) == bool(right):
        return None
    shared = {token for word in ours for token in word.split()} & {token for word in theirs for token in word.split()}
    candidates = [*(theirs if left else ours), *sorted(shared)]
    against = next((word for word in candidates if word in _scales() or word in MAXIMAL), "")
    return Opposition(left or against, right or against, "mid") if against else None


MAXIMAL = word_set("maximal")
