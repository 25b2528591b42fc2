"""How the items of each family of tasks are shown to a person: their texts, the right answer, and a model's answer.

Rows have numbers and no texts, so the texts come from the task. Families whose single items are neither right nor
wrong are in UNJUDGED, with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from litotes.data.benchmarks.ladders import RUNGS
from litotes.data.quadruples import TEXTS
from litotes.data.result_files import ItemRow
from litotes.evaluation.measures import RIGHT, preference
from litotes.evaluation.tasks.classification import ClassificationTask
from litotes.evaluation.tasks.contrast_lists import ContrastListTask
from litotes.evaluation.tasks.contrast_pairs import ContrastTask
from litotes.evaluation.tasks.cue_traps import COMPARISONS, CueTrapTask
from litotes.evaluation.tasks.demetr import DemetrTask
from litotes.evaluation.tasks.ladder import LadderTask
from litotes.evaluation.tasks.opposites import OppositesTask
from litotes.evaluation.tasks.retrieval import RetrievalTask
from litotes.types import Contrast

UNJUDGED = {
    "similarity": "its pairs have grades, and a single pair is neither right nor wrong",
    "series": "it measures how far a similarity falls, and a single sentence is neither right nor wrong",
    "same_answer": "a score is right or wrong only at a threshold, which depends on the use",
    "mteb": "mteb returns figures and no rows",
    "harness": "the harness returns figures and no rows",
}
REFERENCE = "base_reference"
SHOWN = 3
"""How many relevant documents of a query are shown."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """The texts of an item by their names, and the right answer."""

    texts: dict[str, str]
    gold: str


@dataclass(frozen=True, slots=True)
class ReviewFamily:
    """How the items of one family are shown."""

    items: Callable[[Any], dict[str, ReviewItem]]
    right: Callable[[ItemRow], bool | None]
    """Whether the model is right; None if the item does not count."""
    answer: Callable[[ItemRow], str]
    divisions: tuple[str, ...] = ()
    """The first of these that an item has is its slice."""
    join_rows: Callable[[Sequence[ItemRow]], list[ItemRow]] = list
    """If an item has several rows: join them into one row per item."""

    def slice(self, row: ItemRow) -> str:
        """Return the slice of an item, such as "kind: exceptor"; "" if it has none."""
        return next((f"{name}: {row.groups[name]}" for name in self.divisions if row.groups.get(name)), "")


def _contrasts(task: ContrastTask) -> dict[str, ReviewItem]:
    return {contrast.id: _contrast(contrast) for contrast in task.items}


def _contrast(contrast: Contrast) -> ReviewItem:
    texts = {"q1": contrast.q1} | ({} if contrast.q2 is None else {"q2": contrast.q2})
    gold = "q1 → doc1" if contrast.q2 is None else "q1 → doc1, q2 → doc2"
    return ReviewItem(texts | {"doc1": contrast.doc1, "doc2": contrast.doc2}, gold)


def _preferred(row: ItemRow) -> str:
    margins = [f"q{number} {_margin(row.numbers.get(f'margin{number}'))}" for number in _queries_of(row)]
    return f"{row.groups.get('outcome', '')} ({', '.join(margins)})"


def _contrast_lists(task: ContrastListTask) -> dict[str, ReviewItem]:
    items = {}
    for listed in task.items:
        item = _contrast(listed.contrast)
        items[listed.contrast.id] = ReviewItem(item.texts, f"{item.gold}, in a list of {len(listed.documents)}")
    return items


def _list_ranks(row: ItemRow) -> str:
    ranks = {number: row.numbers.get(f"rank{number}") for number in _queries_of(row)}
    each = (f"doc{number} at rank {rank:.0f}" if rank else f"doc{number} unread" for number, rank in ranks.items())
    return f"{_preferred(row)}; {', '.join(each)}"


def _queries_of(row: ItemRow) -> range:
    return range(1, 1 + int(row.groups.get("queries", "2")))


def _cue_traps(task: CueTrapTask) -> dict[str, ReviewItem]:
    gold = "a1 = a2, b1 = b2; a denies b"
    return {item.id: ReviewItem({name: getattr(item, name) for name in TEXTS}, gold) for item in task.items}


def _trap_margins(row: ItemRow) -> str:
    margins = [row.numbers.get(f"trap {number}") for number in range(1, COMPARISONS + 1)]
    right = sum(margin is not None and margin > 0 for margin in margins)
    each = ", ".join(f"{name} {_margin(margin)}" for name, margin in zip(TEXTS, margins, strict=True))
    return f"{right} of {COMPARISONS} right ({each})"


def _opposites(task: OppositesTask) -> dict[str, ReviewItem]:
    return {
        pair.id: ReviewItem({"first": pair.first, "second": pair.second}, _opposite(pair.opposite))
        for pair in task.items
    }


def _opposite_answer(row: ItemRow) -> str:
    margin = row.numbers.get("margin")
    answer = "unread" if margin is None else _opposite(margin > 0)
    return f"{answer} ({_margin(margin)})"


def _opposite(opposite: bool) -> str:
    return "opposites" if opposite else "not opposites"


def _utterances(task: ClassificationTask) -> dict[str, ReviewItem]:
    return {utterance.id: ReviewItem({"text": utterance.text}, utterance.label) for utterance in task.items.test}


def _by_classifier(row: ItemRow) -> str:
    return ", ".join(f"{name}: {RIGHT if value == 1 else 'wrong'}" for name, value in row.numbers.items())


def _queries(task: RetrievalTask) -> dict[str, ReviewItem]:
    passages = {passage.id: passage.text for passage in task.items.passages}
    relevant: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for judgement in task.items.judgements:
        if judgement.grade > 0 and judgement.passage in passages:
            relevant[judgement.query].append((judgement.grade, judgement.passage))
    items = {}
    for query in task.items.queries:
        best = [name for _, name in sorted(relevant[query.id], key=lambda graded: -graded[0])]
        texts = {"query": query.text} | {f"relevant {name}": passages[name] for name in best[:SHOWN]}
        more = f", {len(best) - SHOWN} of them not shown" if len(best) > SHOWN else ""
        items[query.id] = ReviewItem(texts, f"relevant: {len(best)}{more}")
    return items


def _first_relevant(row: ItemRow) -> str:
    reciprocal = row.numbers.get("MRR@10", 0.0)
    rank = f"first relevant document at rank {round(1 / reciprocal)}" if reciprocal else "none relevant in the first 10"
    return f"{rank} (nDCG@10 {row.numbers.get('nDCG@10', 0.0):.2f})"


def _ladders(task: LadderTask) -> dict[str, ReviewItem]:
    gold = " > ".join(RUNGS)
    return {
        ladder.id: ReviewItem({"claim": ladder.claim, **dict(zip(RUNGS, ladder.rungs, strict=True))}, gold)
        for ladder in task.items
    }


def _one_row_per_ladder(rows: Sequence[ItemRow]) -> list[ItemRow]:
    rungs: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.value is not None:
            rungs[row.groups["ladder"]][row.groups["rung"]] = row.value
    return [ItemRow(name, None, {}, numbers) for name, numbers in rungs.items()]


def _in_order(row: ItemRow) -> bool | None:
    if set(row.numbers) != set(RUNGS):
        return None
    return all(preference(row.numbers[upper], row.numbers[lower]) > 0 for upper, lower in pairwise(RUNGS))


def _perturbed(task: DemetrTask) -> dict[str, ReviewItem]:
    return {
        f"{item.perturbation}/{item.id}": ReviewItem(
            {"reference": item.reference, "translation": item.translation, "perturbed": item.perturbed},
            "translation > perturbed",
        )
        for item in task.items
    }


def _noticed(row: ItemRow) -> bool | None:
    # in these items the reference itself is the translation, so nothing is damaged
    if not row.numbers or row.groups.get("perturbation") == REFERENCE:
        return None
    return preference(row.numbers["unchanged"], row.numbers["perturbed"]) > 0


def _translation_scores(row: ItemRow) -> str:
    return f"translation {row.numbers['unchanged']:.3f}, perturbed {row.numbers['perturbed']:.3f}"


def _numbers(row: ItemRow) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in row.numbers.items())


def _full_marks(row: ItemRow) -> bool | None:
    return None if row.value is None else row.value == 1


def _margin(margin: float | None) -> str:
    """Return a margin with its sign; it is negative if the wrong side wins."""
    if margin is None:
        return "unread"
    return f"{'−' if margin < 0 else '+'}{abs(margin):.3g}" if margin else "tied"


REVIEW_FAMILIES = {
    "contrasts": ReviewFamily(_contrasts, _full_marks, _preferred, ("kind", "edit", "style")),
    "contrast_lists": ReviewFamily(_contrast_lists, _full_marks, _list_ranks, ("kind",)),
    "cue_traps": ReviewFamily(_cue_traps, _full_marks, _trap_margins, ("mechanism",)),
    "opposites": ReviewFamily(_opposites, _full_marks, _opposite_answer, ("kind", "answer")),
    "classification": ReviewFamily(_utterances, _full_marks, _by_classifier, ("label",)),
    # a query is right if the document in the first place is relevant
    "retrieval": ReviewFamily(_queries, lambda row: row.numbers["MRR@10"] == 1, _first_relevant),
    "ladder": ReviewFamily(_ladders, _in_order, _numbers, join_rows=_one_row_per_ladder),
    "demetr": ReviewFamily(_perturbed, _noticed, _translation_scores, ("perturbation",)),
}
