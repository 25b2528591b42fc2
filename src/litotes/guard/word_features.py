"""What the tier `rules` knows about the words of two texts: their kinds, and how each fits each word of the other."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from litotes.detection.word_alignment import Word, forms, function_words, opposition, words
from litotes.guard.normalising import expanded
from litotes.lexicon.cue_words import negators

MOST = 48
"""Words of a text that are read."""
KINDS = ("other", "equal", "another form", "opposite", "another number")
"""How two words fit; the numbers of a table of fits are indices of this list."""
OTHER, EQUAL, FORM, OPPOSITE, NUMBER = range(len(KINDS))


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text that are read, with contractions written in full."""
    return tuple(words(expanded(text))[:MOST])


def flags(word: Word, known: bool) -> tuple[bool, ...]:
    """Return whether a word negates, is a number, a name, a function word, and unknown to the model."""
    low = word.lower
    negates = low in negators() or low.endswith("n't")
    return negates, bool(word.number), word.name, low in function_words(), not known


def fits(one: tuple[Word, ...], other: tuple[Word, ...]) -> np.ndarray:
    """Return how each word of a text fits each word of another, as a table of indices of `KINDS`."""
    table = np.zeros((len(one), len(other)), dtype=np.int64)
    first, second = {word.lower for word in one}, {word.lower for word in other}
    for row, left in enumerate(one):
        for column, right in enumerate(other):
            if left.lower == right.lower:
                table[row, column] = EQUAL
            elif left.number and right.number:
                table[row, column] = FORM if left.number == right.number else NUMBER
            elif forms(left.lower) & forms(right.lower):
                table[row, column] = FORM
            elif left.lower not in second and right.lower not in first and _opposed(left.lower, right.lower):
                table[row, column] = OPPOSITE
    return table


@lru_cache(maxsize=1 << 16)
def _opposed(left: str, right: str) -> bool:
    return bool(opposition(left, right))
