"""Labelled pairs from triples, in the format of CANNOT: an anchor with its negation (0) or its paraphrase (1).

A hedge has neither the same nor the opposite meaning, so it gives no pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from litotes.data import pairing
from litotes.data.opposite_questions import HEDGE_KINDS
from litotes.data.pairing import distinct_pairs, refusal, with_swapped
from litotes.types import LabelledPair, Triple


def labelled_pairs(
    triples: Iterable[Triple], *, swapped: bool = True, balance: bool = False, counts: Counter[str]
) -> Iterator[LabelledPair]:
    """Yield the pairs of triples that are grouped by anchor; count what is dropped by reason.

    Every pair passes CANNOT's filters (Jaccard and length). `swapped` adds each pair in the other order, as CANNOT
    does; `balance` keeps equally many of each label.
    """
    pairs = distinct_pairs(_labelled(triples, counts), counts=counts)
    if balance:
        pairs = pairing.balance(pairs, counts=counts)
    return with_swapped(pairs, swapped=swapped, counts=counts)


def _labelled(triples: Iterable[Triple], counts: Counter[str]) -> Iterator[LabelledPair]:
    for anchor, group in groupby(triples, key=lambda triple: triple.anchor):
        negated, same = _texts(list(group), counts)
        ambiguous = negated.keys() & same.keys()
        counts["the same text is a negation and a paraphrase"] += len(ambiguous)
        for pair in (*negated.values(), *same.values()):
            reason = refusal(anchor, pair.hypothesis)
            if reason:
                counts[reason] += 1
            elif pair.hypothesis not in ambiguous:
                yield pair


def _texts(group: list[Triple], counts: Counter[str]) -> tuple[dict[str, LabelledPair], dict[str, LabelledPair]]:
    """Return the different negations and paraphrases of an anchor, each text with its first kind."""
    negated: dict[str, LabelledPair] = {}
    same: dict[str, LabelledPair] = {}
    for triple in group:
        name = triple.id.rsplit("/", 2)[0]
        negated.setdefault(triple.negative, _pair(name, triple.anchor, triple.negative, 0, triple))
        if triple.positive_kind not in HEDGE_KINDS:
            same.setdefault(triple.positive, _pair(name, triple.anchor, triple.positive, 1, triple))
    hedged = {triple.positive for triple in group if triple.positive_kind in HEDGE_KINDS}
    counts["a hedge has neither the same nor the opposite meaning"] += len(hedged)
    return negated, same


def _pair(name: str, anchor: str, text: str, label: int, triple: Triple) -> LabelledPair:
    kind = triple.positive_kind if label else triple.negative_kind
    return LabelledPair(f"{name}/{kind}", anchor, text, label, kind, triple.cues[0 if label else 1])
