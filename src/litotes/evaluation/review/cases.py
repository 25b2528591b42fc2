"""Compare two models item by item, and draw items that one got right and the other wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from litotes.data.catalogue import SUITES
from litotes.data.result_files import ItemRow, Provenance, read_family, read_results, read_rows, rows_path
from litotes.data.selection import DataSelection
from litotes.errors import InputError, did_you_mean
from litotes.evaluation.catalogue import build
from litotes.evaluation.review.families import REVIEW_FAMILIES, UNJUDGED, ReviewFamily
from litotes.types import Case, Result

ITEMS = 50
WHICH = {"lost": (True, False), "won": (False, True), "both-wrong": (False, False)}
"""Whether the baseline and the model are right."""
ONE_ONLY = "only one of the two models was measured on it"
NO_ROWS = "the folder has no rows of its items"

Pair = tuple[ItemRow, ItemRow]
"""The rows of one item: the baseline's and the model's."""
Element = TypeVar("Element")


@dataclass(frozen=True, slots=True)
class ComparedTask:
    """One task that both models were measured on, with their rows item by item."""

    task: str
    split: str
    revision: str
    family: ReviewFamily
    pairs: tuple[Pair, ...]

    def matching(self, which: str) -> list[Pair]:
        """Return the items on which the baseline and the model are right or wrong as WHICH says."""
        return [pair for pair in self.pairs if tuple(map(self.family.right, pair)) == WHICH[which]]

    @property
    def baseline_right(self) -> int:
        """How many items the baseline got right."""
        return sum(self.family.right(baseline) is True for baseline, _ in self.pairs)


@dataclass(frozen=True, slots=True)
class Review:
    """The items that people review, and what they were drawn from."""

    model: str
    baseline: str
    which: str
    cases: tuple[Case, ...]
    counts: dict[str, dict[str, int]]
    """By task and split: items compared, items the baseline got right, items found, items drawn."""
    left_out: dict[str, str]
    """By task and split: why its items cannot be reviewed."""

    def total(self, name: str) -> int:
        """Return one of the counts, summed over all tasks."""
        return sum(counts[name] for counts in self.counts.values())

    def line(self) -> dict[str, Any]:
        """Return the review as plain JSON, without the cases."""
        about = {"model": self.model, "baseline": self.baseline, "which": self.which}
        return {**about, "items": len(self.cases), "found": self.total("found"), "tasks": self.counts}


def review(
    folder: Path,
    model: str,
    baseline: str,
    *,
    which: str = "lost",
    items: int = ITEMS,
    tasks: Sequence[str] = (),
    data: Path | None = None,
    seed: int = 0,
) -> Review:
    """Return items from a folder of results that `model` lost against `baseline` (or won, or that both got wrong).

    At most `items` are drawn, evenly over tasks and, within a task, over its slices. The folder has no texts: the tasks
    are built again, from the data sets in `data` if they need any.
    """
    if which not in WHICH:
        raise InputError(f"there is no kind of items {which!r}; expected one of {', '.join(WHICH)}")
    left_out: dict[str, str] = {}
    compared = list(_compare(_results(folder, model, baseline, tasks), folder, left_out))
    names = {task.task for task in compared}
    if not names or not set(tasks) <= names:
        reasons = "; ".join(f"{task}: {reason}" for task, reason in left_out.items())
        raise InputError(f"no items can be reviewed. {reasons}. Measure both models on a task with right answers")
    matching = [task.matching(which) for task in compared]
    queues = [
        [(task, pair) for pair in _shuffled(task, pairs, seed)] for task, pairs in zip(compared, matching, strict=True)
    ]
    drawn = list(islice(_round_robin(queues), items))
    cases, counts = [], {}
    for task, pairs in zip(compared, matching, strict=True):
        own = [pair for owner, pair in drawn if owner is task]
        cases += _cases(task, own, data)
        counts[f"{task.task} {task.split}"] = {
            "compared": len(task.pairs),
            "baseline right": task.baseline_right,
            "found": len(pairs),
            "drawn": len(own),
        }
    return Review(model, baseline, which, tuple(cases), counts, left_out)


def _results(folder: Path, model: str, baseline: str, tasks: Sequence[str]) -> dict[tuple[str, str], list[Result]]:
    """Return the headlines of the baseline and the model, or of the one that was measured, by task and split."""
    results = read_results(folder)
    models = dict.fromkeys(result.model for result in results)
    if not models:
        raise InputError(f"{folder} has no results; expected a folder that litotes bench wrote")
    for name in (model, baseline):
        if name not in models:
            expected = f"expected one of {', '.join(models)}.{did_you_mean(name, models)}"
            raise InputError(f"{folder} has no results of {name!r}; {expected}")
    if model == baseline:
        raise InputError(f"model and baseline are both {model}; expected two models to compare")
    headlines: dict[tuple[str, str], dict[str, Result]] = {}
    means = {suite.mean for suite in SUITES}
    for result in results:
        if result.model in {model, baseline} and result.task not in means:
            headlines.setdefault((result.task, result.split), {}).setdefault(result.model, result)
    known = dict.fromkeys(task for task, _ in headlines)
    for task in tasks:
        if task not in known:
            expected = f"expected one of {', '.join(known)}.{did_you_mean(task, known)}"
            raise InputError(f"{folder} has no results on {task!r}; {expected}")
    return {
        key: [own[name] for name in (baseline, model) if name in own]
        for key, own in headlines.items()
        if not tasks or key[0] in tasks
    }


def _compare(
    results: Mapping[tuple[str, str], Sequence[Result]], folder: Path, left_out: dict[str, str]
) -> Iterator[ComparedTask]:
    """Yield the tasks whose items are right or wrong, with their rows; note why the others are left out."""
    for (task, split), both in results.items():
        paths = [rows_path(folder, Provenance(result.model, task, split, result.signature)) for result in both]
        family_name = read_family(paths[0]) if all(path.is_file() for path in paths) else ""
        if len(both) < 2 or family_name not in REVIEW_FAMILIES:
            left_out[f"{task} {split}"] = ONE_ONLY if len(both) < 2 else UNJUDGED.get(family_name, NO_ROWS)
            continue
        family = REVIEW_FAMILIES[family_name]
        revisions = [_revision(result) for result in both]
        baseline, model = ({row.id: row for row in family.join_rows(read_rows(path))} for path in paths)
        if revisions[0] != revisions[1] or set(baseline) != set(model):
            raise InputError(
                f"{task} {split}: the two models were measured on different items. Measure both again, into one folder"
            )
        pairs = ((baseline[name], model[name]) for name in baseline)
        judged = tuple(pair for pair in pairs if None not in map(family.right, pair))
        yield ComparedTask(task, split, revisions[0], family, judged)


def _revision(result: Result) -> str:
    match = re.search(r"\|revision:([^|]*)", result.signature)
    return match[1] if match else ""


def _shuffled(task: ComparedTask, pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """Yield the items of a task in a random order: one of each slice, then the next of each."""
    slices: dict[str, list[Pair]] = {}
    for pair in pairs:
        slices.setdefault(task.family.slice(pair[0]), []).append(pair)
    names = sorted(slices)
    # each task and slice has its own draw, so that another task changes nothing
    random.Random(f"{seed} {task.task} {task.split}").shuffle(names)
    for name in names:
        random.Random(f"{seed} {task.task} {task.split} {name}").shuffle(slices[name])
    yield from _round_robin([slices[name] for name in names])


def _round_robin(queues: Sequence[Sequence[Element]]) -> Iterator[Element]:
    """Yield the first of each queue, then the second of each, until all are empty."""
    for place in range(max(map(len, queues), default=0)):
        yield from (queue[place] for queue in queues if place < len(queue))


def _cases(task: ComparedTask, pairs: Sequence[Pair], data: Path | None) -> list[Case]:
    """Return the items with their texts, sorted by slice."""
    if not pairs:
        return []
    split, _, half = task.split.partition("/")
    built = build(task.task, DataSelection(data, "test" if split == "test" else "dev", half or "all"))
    if task.revision and built.revision != task.revision:
        raise InputError(
            f"{task.task} {task.split} is not what was measured (revision {built.revision}, measured {task.revision}). "
            "Point --data at the same data, or measure again with this version"
        )
    family = task.family
    items = family.items(built)
    return [
        Case(
            row.id,
            task.task,
            task.split,
            family.slice(row),
            items[row.id].texts,
            items[row.id].gold,
            baseline=family.answer(row),
            model=family.answer(other),
        )
        for row, other in sorted(pairs, key=lambda pair: (family.slice(pair[0]), pair[0].id))
    ]
