"""Labelled pairs from triples, in the shape of CANNOT: an anchor with its negation (0), with its paraphrase (1).

A hedge is neither the same nor the opposite, so it makes no pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from litotes.data import pairing
from litotes.data.opposites import HEDGES
from litotes.data.pairing import each_once, refusal, with_swapped
from litotes.types import Pair, Triple


def pairs(
    triples: Iterable[Triple], *, swapped: bool = True, balance: bool = False, counts: Counter[str]
) -> Iterator[Pair]:
    """The pairs of a stream of triples, which comes grouped by anchor; what is dropped is counted by its reason.

    Every pair keeps CANNOT's filters (Jaccard and length). `swapped` adds each pair in the other order, as CANNOT does;
    `balance` keeps as many of one label as of the other.
    """
    found = each_once(_labelled(triples, counts), counts=counts)
    if balance:
        found = pairing.balance(found, counts=counts)
    return with_swapped(found, swapped=swapped, counts=counts)


def _labelled(triples: Iterable[Triple], counts: Counter[str]) -> Iterator[Pair]:
    for anchor, group in groupby(triples, key=lambda triple: triple.anchor):
        denied, same = _texts(list(group), counts)
        clashing = denied.keys() & same.keys()
        counts["one text as negation and as paraphrase"] += len(clashing)
        for pair in (*denied.values(), *same.values()):
            reason = refusal(anchor, pair.hypothesis)
            if reason:
                counts[reason] += 1
            elif pair.hypothesis not in clashing:
                yield pair


def _texts(group: list[Triple], counts: Counter[str]) -> tuple[dict[str, Pair], dict[str, Pair]]:
    """The different negations and paraphrases of one anchor, each text with the kind that made it first."""
    denied: dict[str, Pair] = {}
    same: dict[str, Pair] = {}
    for triple in group:
        name = triple.id.rsplit("/", 2)[0]
        denied.setdefault(triple.negative, _pair(name, triple.anchor, triple.negative, 0, triple))
        if triple.positive_kind not in HEDGES:
            same.setdefault(triple.positive, _pair(name, triple.anchor, triple.positive, 1, triple))
    hedged = {triple.positive for triple in group if triple.positive_kind in HEDGES}
    counts["a hedge is neither the same nor the opposite"] += len(hedged)
    return denied, same


def _pair(name: str, anchor: str, text: str, label: int, triple: Triple) -> Pair:
    kind = triple.positive_kind if label else triple.negative_kind
    return Pair(f"{name}/{kind}", anchor, text, label, kind, triple.cues[0 if label else 1])
