"""Pairs of texts with a yes-or-no judgement: is one the opposite of the other?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from litotes.data.opposite_questions import NARROWING_KINDS
from litotes.data.quadruples import Quadruple
from litotes.types import Triple


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two texts, and whether one says the opposite of the other."""

    id: str
    first: str
    second: str
    opposite: bool
    kind: str = ""
    """What makes them opposite, or what makes them the same."""


def from_quadruples(quadruples: Iterable[Quadruple]) -> Iterator[JudgedPair]:
    """Yield two pairs that mean the same and two opposite pairs per quadruple."""
    for item in quadruples:
        pairs = (
            (item.a1, item.a2, False),
            (item.b1, item.b2, False),
            (item.a1, item.b1, True),
            (item.a2, item.b2, True),
        )
        for number, (first, second, opposite) in enumerate(pairs, start=1):
            yield JudgedPair(f"{item.id}/{number}", first, second, opposite, item.mechanism)


def from_triples(triples: Iterable[Triple]) -> Iterator[JudgedPair]:
    """Yield each anchor with its negation and with its paraphrase, each pair once.

    Negations that only narrow the anchor (exceptors) are not opposites, and are left out.
    """
    seen = set()
    for triple in triples:
        pairs = ((triple.negative, True, triple.negative_kind), (triple.positive, False, triple.positive_kind))
        for text, opposite, kind in pairs:
            if (triple.anchor, text) in seen or kind in NARROWING_KINDS:
                continue
            seen.add((triple.anchor, text))
            yield JudgedPair(f"{triple.id}/{'yes' if opposite else 'no'}", triple.anchor, text, opposite, kind)
