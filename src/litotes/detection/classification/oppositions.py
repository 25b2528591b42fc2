"""Find antonyms across two texts: immediate, polar or mid, from the pairs and scales of the lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Sentence, Token

LONGEST = 3
# words that by themselves mean "between the ends": "half full", "partly furnished", "medium roast"
MIDDLING = word_set("middling")


class Opposition(NamedTuple):
    """Two words that oppose each other, and how."""

    left: str
    right: str
    kind: str
    """immediate, polar or mid"""


class _Place(NamedTuple):
    scale: int
    cell: str


@lru_cache(maxsize=1)
def _pairs() -> dict[tuple[str, str], str]:
    """Return each pair in both directions with its kind. The curated list takes precedence over WordNet's."""
    kinds: dict[tuple[str, str], str] = {}
    rows = [(row["word"], row["opposite"], row["kind"]) for row in table("opposites")]
    rows += [(row["word"], row["antonym"], row["mark"]) for row in table("antonyms")]
    for left, right, kind in rows:
        kinds.setdefault((left, right), kind)
        kinds.setdefault((right, left), kind)
    return kinds


@lru_cache(maxsize=1)
def _scales() -> dict[str, list[_Place]]:
    """Return the places of each word on the scales."""
    places: dict[str, list[_Place]] = {}
    for number, row in enumerate(table("scales")):
        for cell in ("low", "middle", "high"):
            for word in row[cell].split(","):
                if word.strip():
                    places.setdefault(word.strip(), []).append(_Place(number, cell))
    return places


def entries(tokens: Sequence[Token]) -> dict[str, str]:
    """Return the words, lemmas and short phrases under which the lexicon may list these tokens, with their text."""
    texts: dict[str, str] = {}
    for at, token in enumerate(tokens):
        if token.lower.isalpha():
            for form in _forms(token):
                texts.setdefault(form, token.text)
        for length in range(2, LONGEST + 2):
            part = tokens[at : at + length]
            if len(part) == length:
                shown = "".join(t.lower if t.lower == "-" else f" {t.lower}" for t in part).replace("- ", "-").strip()
                texts.setdefault(shown, shown)
    return texts


def _forms(token: Token) -> set[str]:
    forms = {token.lower}
    letters = {"J": "J", "R": "R", "V": "V", "N": "N"}.get(token.tag[:1], "")
    forms |= {lemma(token.lower, letter) for letter in {letters, "V", "N", "J"} if letter}
    return forms


def oppositions(left: Iterable[Sentence], right: Iterable[Sentence], *, scales: bool = True) -> list[Opposition]:
    """Return the opposed words of two texts, the most certain first. Words that both texts contain do not count.

    Without `scales`, only listed pairs count: long texts have too many words for more.
    """
    ours, theirs = _words(left), _words(right)
    shared = ours.keys() & theirs.keys()
    ours = {word: text for word, text in ours.items() if word not in shared}
    theirs = {word: text for word, text in theirs.items() if word not in shared}
    pairs = [
        Opposition(text, other_text, kind)
        for word, text in ours.items()
        for other, other_text in theirs.items()
        if (kind := opposed(word, other) if scales else _pairs().get((word, other), ""))
    ]
    middling = _middling(ours, theirs) if scales else None
    if middling is not None:
        pairs.append(middling)
    # a longer phrase says more than its words: "half full" before "full"
    pairs.sort(key=lambda pair: (-len(pair.left.split()) - len(pair.right.split()), pair.kind == "mid"))
    if middling is not None and (pairs[0].kind != "immediate" or pairs[0] == middling):
        return [middling, *(pair for pair in pairs if pair != middling)]
    return pairs


def _words(sentences: Iterable[Sentence]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for sentence in sentences:
        texts.update(entries(sentence.tokens))
    return texts


def opposed(left: str, right: str) -> str:
    """Return immediate, polar or mid for two words that the lexicon opposes, or ""."""
    kind = _pairs().get((left, right), "")
    if kind:
        return kind
    for place in _scales().get(left, ()):
        for other in _scales().get(right, ()):
            if place.scale == other.scale and place.cell != other.cell:
                return "mid" if "middle" in {place.cell, other.cell} else "polar"
    return ""


def _middling(ours: dict[str, str], theirs: dict[str, str]) -> Opposition | None:
    """Match a word for "between the ends" in one text against a word of a scale in the other."""
    left = next((word for word in ours if word in MIDDLING), "")
    right = next((word for word in theirs if word in MIDDLING), "")
    if bool(left) == bool(right):
        return None
    shared = {token for word in ours for token in word.split()} & {token for word in theirs for token in word.split()}
    candidates = [*(theirs if left else ours), *sorted(shared)]
    against = next((word for word in candidates if word in _scales() or word in MAXIMAL), "")
    return Opposition(left or against, right or against, "mid") if against else None


MAXIMAL = word_set("maximal")
