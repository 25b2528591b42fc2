"""Sentences in other words, next to the same sentences with one word replaced by its opposite.

A model that has only seen opposites takes every changed word for one. So the same sentences also come with some words
replaced by synonyms ("The cheap sofa is gone" → "The cheap couch is gone"), against one word replaced by its opposite
("The expensive sofa is gone"), with and without the synonyms.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection import negating_words
from litotes.parse import Document, Token
from litotes.rewrite.paraphrasing.synonym import synonyms
from litotes.synthesis.by_rule.omissions import reversible_words, with_word

MOST_SYNONYMS = 4
"""Words that are replaced by a synonym at once."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """A text, the same in other words, and both with the same word replaced by its opposite."""

    text: str
    restated: str
    reversed: str
    restated_reversed: str


def substitutions(document: Document, *, seed: int) -> Iterator[Substitution]:
    """Yield at most one substitution, for a single sentence without negation. The text and the seed determine it."""
    text = document.text
    if len(document.sentences) != 1 or negating_words(text):
        return
    (sentence,) = document.sentences
    rng = random.Random(f"{seed}{text}")
    changes = list(reversible_words(sentence))
    if not changes:
        return
    opposite = rng.choice(changes)
    others = [change for change in synonyms(sentence) if change[0] != opposite[0]]
    if others:
        chosen = rng.sample(others, min(len(others), rng.randint(1, MOST_SYNONYMS)))
        yield Substitution(text, _with(text, chosen), _with(text, [opposite]), _with(text, [*chosen, opposite]))


def _with(text: str, changes: Sequence[tuple[Token, str]]) -> str:
    """Make all changes, from the end of the text, so that earlier offsets stay valid."""
    for token, word in sorted(changes, key=lambda change: -change[0].start):
        text = with_word(text, token, word)
    return text
