"""How the items of each family of tasks are read by a person: what they say, when a model is right, what it answered.

Rows hold figures and no texts, so the texts come from the task. Families in which no single item is right or wrong are
named in UNJUDGED, with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from litotes.bench.measures import RIGHT, preference
from litotes.bench.rows import Row
from litotes.bench.tasks.classification import Classification
from litotes.bench.tasks.contrast_lists import ContrastLists
from litotes.bench.tasks.contrasts import Contrasts
from litotes.bench.tasks.cue_traps import SIDES, CueTraps
from litotes.bench.tasks.demetr import Demetr
from litotes.bench.tasks.ladder import Ladders
from litotes.bench.tasks.opposites import Opposites
from litotes.bench.tasks.retrieval import Search
from litotes.data.ladders import RUNGS
from litotes.data.quadruples import TEXTS
from litotes.types import Contrast

UNJUDGED = {
    "similarity": "its pairs have grades, and no grade of one pair is right or wrong",
    "series": "it measures how far a similarity falls, and no fall of one sentence is right or wrong",
    "mteb": "mteb gives a figure and no row an item",
    "harness": "the harness gives a figure and no row an item",
}
REFERENCE = "base_reference"
SHOWN = 3
"""how many of a query's relevant documents are shown"""


@dataclass(frozen=True, slots=True)
class Item:
    """What an item says, by the names of its texts, and the answer that is wanted."""

    texts: dict[str, str]
    gold: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How the items of one family are read."""

    items: Callable[[Any], dict[str, Item]]
    right: Callable[[Row], bool | None]
    """None where the item was left out"""
    answer: Callable[[Row], str]
    divisions: tuple[str, ...] = ()
    """what items are told apart by: the first of these an item has is its slice"""
    joined: Callable[[Sequence[Row]], list[Row]] = list
    """where an item has several rows: the rows as one an item"""

    def slice(self, row: Row) -> str:
        """The slice of an item, as figures call it ("kind: exceptor"); "" where it has none."""
        return next((f"{name}: {row.groups[name]}" for name in self.divisions if row.groups.get(name)), "")


def _contrasts(task: Contrasts) -> dict[str, Item]:
    return {one.id: _contrast(one) for one in task.items}


def _contrast(one: Contrast) -> Item:
    texts = {"q1": one.q1} | ({} if one.q2 is None else {"q2": one.q2})
    gold = "q1 → doc1" if one.q2 is None else "q1 → doc1, q2 → doc2"
    return Item(texts | {"doc1": one.doc1, "doc2": one.doc2}, gold)


def _preferred(row: Row) -> str:
    margins = [f"q{place} {_margin(row.numbers.get(f'margin{place}'))}" for place in _questions(row)]
    return f"{row.groups.get('outcome', '')} ({', '.join(margins)})"


def _contrast_lists(task: ContrastLists) -> dict[str, Item]:
    found = {}
    for one in task.items:
        item = _contrast(one.contrast)
        found[one.contrast.id] = Item(item.texts, f"{item.gold}, in a list of {len(one.documents)}")
    return found


def _listed(row: Row) -> str:
    ranks = {place: row.numbers.get(f"rank{place}") for place in _questions(row)}
    each = (f"doc{place} at rank {rank:.0f}" if rank else f"doc{place} unread" for place, rank in ranks.items())
    return f"{_preferred(row)}; {', '.join(each)}"


def _questions(row: Row) -> range:
    return range(1, 1 + int(row.groups.get("queries", "2")))


def _cue_traps(task: CueTraps) -> dict[str, Item]:
    gold = "a1 = a2, b1 = b2; a denies b"
    return {one.id: Item({name: getattr(one, name) for name in TEXTS}, gold) for one in task.items}


def _trapped(row: Row) -> str:
    margins = [row.numbers.get(f"trap {side}") for side in range(1, SIDES + 1)]
    right = sum(margin is not None and margin > 0 for margin in margins)
    each = ", ".join(f"{name} {_margin(margin)}" for name, margin in zip(TEXTS, margins, strict=True))
    return f"{right} of {SIDES} right ({each})"


def _opposites(task: Opposites) -> dict[str, Item]:
    return {
        one.id: Item({"first": one.first, "second": one.second}, "opposites" if one.opposite else "no opposites")
        for one in task.items
    }


def _judged(row: Row) -> str:
    margin = row.numbers.get("margin")
    said = "unread" if margin is None else "opposites" if margin > 0 else "no opposites"
    return f"{said} ({_margin(margin)})"


def _utterances(task: Classification) -> dict[str, Item]:
    return {one.id: Item({"text": one.text}, one.label) for one in task.tested}


def _sorted(row: Row) -> str:
    return ", ".join(f"{name}: {RIGHT if value == 1 else 'wrong'}" for name, value in row.numbers.items())


def _queries(task: Search) -> dict[str, Item]:
    passages = {one.id: one.text for one in task.collection.passages}
    relevant: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for one in task.collection.judgements:
        if one.grade > 0 and one.passage in passages:
            relevant[one.query].append((one.grade, one.passage))
    found = {}
    for query in task.collection.queries:
        best = [name for _, name in sorted(relevant[query.id], key=lambda judged: -judged[0])]
        texts = {"query": query.text} | {f"relevant {name}": passages[name] for name in best[:SHOWN]}
        more = f", {len(best) - SHOWN} of them not shown" if len(best) > SHOWN else ""
        found[query.id] = Item(texts, f"relevant: {len(best)}{more}")
    return found


def _ranked(row: Row) -> str:
    reciprocal = row.numbers.get("MRR@10", 0.0)
    rank = f"first relevant document at rank {round(1 / reciprocal)}" if reciprocal else "none relevant in the first 10"
    return f"{rank} (nDCG@10 {row.numbers.get('nDCG@10', 0.0):.2f})"


def _ladders(task: Ladders) -> dict[str, Item]:
    gold = " > ".join(RUNGS)
    return {one.id: Item({"claim": one.claim, **dict(zip(RUNGS, one.rungs, strict=True))}, gold) for one in task.items}


def _one_a_ladder(rows: Sequence[Row]) -> list[Row]:
    rungs: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.value is not None:
            rungs[row.groups["ladder"]][row.groups["rung"]] = row.value
    return [Row(name, None, {}, numbers) for name, numbers in rungs.items()]


def _in_order(row: Row) -> bool | None:
    if set(row.numbers) != set(RUNGS):
        return None
    return all(preference(row.numbers[upper], row.numbers[lower]) > 0 for upper, lower in pairwise(RUNGS))


def _perturbed(task: Demetr) -> dict[str, Item]:
    return {
        f"{one.perturbation}/{one.id}": Item(
            {"reference": one.reference, "translation": one.translation, "perturbed": one.perturbed},
            "translation > perturbed",
        )
        for one in task.items
    }


def _noticed(row: Row) -> bool | None:
    # of the items in which the reference itself stands in the translation's place nothing is damaged
    if not row.numbers or row.groups.get("perturbation") == REFERENCE:
        return None
    return preference(row.numbers["unchanged"], row.numbers["perturbed"]) > 0


def _damaged(row: Row) -> str:
    return f"translation {row.numbers['unchanged']:.3f}, perturbed {row.numbers['perturbed']:.3f}"


def _numbers(row: Row) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in row.numbers.items())


def _whole(row: Row) -> bool | None:
    return None if row.value is None else row.value == 1


def _margin(margin: float | None) -> str:
    """How far a comparison is decided; below 0 for the wrong side."""
    if margin is None:
        return "unread"
    return f"{'−' if margin < 0 else '+'}{abs(margin):.3g}" if margin else "tied"


READINGS = {
    "contrasts": Reading(_contrasts, _whole, _preferred, ("kind", "edit", "style")),
    "contrast_lists": Reading(_contrast_lists, _whole, _listed, ("kind",)),
    "cue_traps": Reading(_cue_traps, _whole, _trapped, ("mechanism",)),
    "opposites": Reading(_opposites, _whole, _judged, ("kind", "answer")),
    "classification": Reading(_utterances, _whole, _sorted, ("label",)),
    # a search is right when what stands first is relevant
    "retrieval": Reading(_queries, lambda row: row.numbers["MRR@10"] == 1, _ranked),
    "ladder": Reading(_ladders, _in_order, _numbers, joined=_one_a_ladder),
    "demetr": Reading(_perturbed, _noticed, _damaged, ("perturbation",)),
}
