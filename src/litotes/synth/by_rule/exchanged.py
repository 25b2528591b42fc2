"""A sentence in other words, beside the same sentence with a word turned.

Who has seen turned words alone takes every other word for a turned one. So the same sentences come with some of their
words exchanged for synonyms ("The cheap sofa is gone" → "The cheap couch is gone"), against one word turned ("The
expensive sofa is gone") with and without the exchange.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.parse import Document, Token
from litotes.rewrite.paraphrasing.synonym import synonyms
from litotes.synth.by_rule.details import turnings, with_word
from litotes.synth.by_rule.faults import NEGATING

MOST = 4
"""words that are exchanged at once"""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A text, the same in other words, and each of them with the same word turned."""

    text: str
    restated: str
    turned: str
    restated_turned: str


def exchanged(document: Document, *, seed: int) -> Iterator[Exchanged]:
    """One of a text of one sentence without a negation, or none; the same for the same text and seed."""
    text = document.text
    if len(document.sentences) != 1 or NEGATING.search(text):
        return
    (sentence,) = document.sentences
    rng = random.Random(f"{seed}{text}")
    changes = list(turnings(sentence))
    if not changes:
        return
    turned = rng.choice(changes)
    others = [one for one in synonyms(sentence) if one[0] != turned[0]]
    if others:
        chosen = rng.sample(others, min(len(others), rng.randint(1, MOST)))
        yield Exchanged(text, _with(text, chosen), _with(text, [turned]), _with(text, [*chosen, turned]))


def _with(text: str, changes: Sequence[tuple[Token, str]]) -> str:
    """From the end, so that what stands before keeps its place."""
    for token, word in sorted(changes, key=lambda change: -change[0].start):
        text = with_word(text, token, word)
    return text
