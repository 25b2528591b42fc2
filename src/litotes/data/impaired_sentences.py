"""Sentences impaired step by step: words swapped, words dropped, the end repeated; and the sentence negated.

The series are those of the comparison of metrics by Koch, Aßenmacher and Heumann (2022), on our own sentences and with
our own negator.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
PHRASE = 4
"""How many words at the end are repeated."""
NEGATION = "negation"
ENDS = ".!?"


@dataclass(frozen=True, slots=True)
class ImpairedSentence:
    """A sentence and an impaired form of it."""

    id: str
    series: str
    degree: str
    text: str
    impaired: str


def impaired(texts: Sequence[str], negated: Sequence[str | None], *, seed: int = 0) -> tuple[ImpairedSentence, ...]:
    """Return every series of every sentence.

    A sentence whose negation is None has no negated form; one that is too short has no other forms.
    """
    sentences = []
    for number, (text, negation) in enumerate(zip(texts, negated, strict=True)):
        for series, impair in SERIES.items():
            # each series has its own draw, so that adding a series changes no other
            draw = random.Random(f"{seed} {series} {text}")
            for step in STEPS:
                changed = _join(impair(_words(text), step, draw), text)
                if changed not in {text, ""}:
                    sentences.append(ImpairedSentence(str(number), series, f"{step:g}", text, changed))
        if negation is not None:
            sentences.append(ImpairedSentence(str(number), NEGATION, "", text, negation))
    return tuple(sentences)


def swap_words(words: list[str], share: float, draw: random.Random) -> list[str]:
    """Return the words with a share of them exchanged in pairs."""
    places = draw.sample(range(len(words)), 2 * (int(share * len(words)) // 2))
    swapped = list(words)
    for first, second in zip(places[::2], places[1::2], strict=True):
        swapped[first], swapped[second] = swapped[second], swapped[first]
    return swapped


def drop_words(words: list[str], share: float, draw: random.Random) -> list[str]:
    """Return the words without a share of them; at least one stays."""
    dropped = set(draw.sample(range(len(words)), min(int(share * len(words)), max(0, len(words) - 1))))
    return [word for place, word in enumerate(words) if place not in dropped]


def repeat_end(words: list[str], share: float, draw: random.Random) -> list[str]:
    """Return the words with the last ones repeated; the longer the sentence, the more often."""
    return words + words[-PHRASE:] * max(0, int(share * len(words)) - 1)


SERIES: dict[str, Callable[[list[str], float, random.Random], list[str]]] = {
    "word swap": swap_words,
    "word drop": drop_words,
    "repetition": repeat_end,
}


def _words(text: str) -> list[str]:
    return text.rstrip(ENDS).split()


def _join(words: list[str], text: str) -> str:
    return " ".join(words) + text[len(text.rstrip(ENDS)) :]
