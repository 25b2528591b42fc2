"""Pairs of answers for the metric: sentences that begin with "Yes," or "No,", which do not change what they say."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol, TypeVar

from litotes.detection.word_alignment import function_words

SHARE = 0.1
"""The share of the pairs that are repeated as answers."""
OPENINGS = ("Yes, ", "Yes, ", "No, ", "No, ", "")
LONGEST = 150
"""The most characters of a sentence that is used as an answer."""


class Pair(Protocol):
    """A reference and a candidate."""

    @property
    def reference(self) -> str: ...

    @property
    def candidate(self) -> str: ...


Some = TypeVar("Some", bound=Pair)


def with_answers(pairs: Iterable[Some]) -> Iterator[Some]:
    """Yield the pairs, and some of them once more as answers to a question.

    The question is not known, so the openings are drawn at random: "No, it is open" answers "Is it shut?". The sentence
    after the opening decides, and the score stays. Without such pairs, a model counts "No, … not …" as two negations.
    """
    for pair in pairs:
        yield pair
        rng = random.Random(pair.reference + pair.candidate)
        if rng.random() < SHARE and all(is_usable(text) for text in (pair.reference, pair.candidate)):
            answers = {name: answer(getattr(pair, name), rng.choice(OPENINGS)) for name in ("reference", "candidate")}
            yield replace(pair, **answers, source="answers")  # type: ignore[type-var]


def is_usable(text: str) -> bool:
    """Return whether a text can follow an opening: one short sentence whose first word may be written small."""
    first = text.split(" ", 1)[0].casefold()
    return len(text) <= LONGEST and first in function_words() and first not in ("i", "i'm", "i've", "i'll", "no", "yes")


def answer(text: str, opening: str) -> str:
    """Put an opening before a sentence."""
    return opening + text[0].lower() + text[1:] if opening else text
