"""Two models on the same items: those that one got right and the other wrong, drawn evenly over tasks and slices."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from litotes.bench.catalogue import Where, build
from litotes.bench.review.families import READINGS, UNJUDGED, Reading
from litotes.bench.rows import About, Row, read_rows
from litotes.bench.run import read_results, rows_file
from litotes.bench.suites import GENERAL_MEAN, MTEB_LITE_MEAN
from litotes.errors import InputError
from litotes.types import Case, Result

ITEMS = 50
WHICH = {"lost": (True, False), "won": (False, True), "both-wrong": (False, False)}
"""whether the baseline and the model were right"""
ONE_ONLY = "only one of the two models was measured on it"
NO_ROWS = "there are no rows of its items in the folder"

One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Compared:
    """One task that both models were measured on: item by item the baseline's row and the model's."""

    task: str
    split: str
    revision: str
    reading: Reading
    pairs: tuple[tuple[Row, Row], ...]

    def found(self, which: str) -> list[tuple[Row, Row]]:
        """The items of which the baseline and the model were right, or wrong, as WHICH says."""
        return [pair for pair in self.pairs if tuple(map(self.reading.right, pair)) == WHICH[which]]

    @property
    def baseline_right(self) -> int:
        """How many items the baseline got right."""
        return sum(self.reading.right(base) is True for base, _ in self.pairs)


@dataclass(frozen=True, slots=True)
class Review:
    """What is given to people to read, and what it was drawn from."""

    model: str
    baseline: str
    which: str
    cases: tuple[Case, ...]
    counts: dict[str, dict[str, int]]
    """task and split → items compared, items the baseline got right, items found, items drawn"""
    left_out: dict[str, str]
    """task and split → why none of its items can be lost"""

    def total(self, name: str) -> int:
        """One of the counts, over all tasks."""
        return sum(counts[name] for counts in self.counts.values())

    def line(self) -> dict[str, Any]:
        """As plain JSON, without the cases."""
        whose = {"model": self.model, "baseline": self.baseline, "which": self.which}
        return {**whose, "items": len(self.cases), "found": self.total("found"), "tasks": self.counts}


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
    """The items of a bench's folder that `model` lost against `baseline` (or won, or neither has), as people read them.

    At most `items` are drawn, evenly over tasks and within a task over its slices. Texts are not in the folder: the
    tasks are built again, on the data sets in `data` where they need any.
    """
    if which not in WHICH:
        raise InputError(f"there are no items {which!r}; expected one of {', '.join(WHICH)}")
    left_out: dict[str, str] = {}
    shared = list(_compared(_results(folder, model, baseline, tasks), folder, left_out))
    there = {one.task for one in shared}
    if not there or not set(tasks) <= there:
        reasons = "; ".join(f"{task}: {why}" for task, why in left_out.items())
        raise InputError(f"no items can be reviewed. {reasons}. Measure both models on a task with right answers")
    found = [one.found(which) for one in shared]
    queues = [[(one, pair) for pair in _drawn(one, those, seed)] for one, those in zip(shared, found, strict=True)]
    picked = list(islice(_in_turn(queues), items))
    cases, counts = [], {}
    for one, those in zip(shared, found, strict=True):
        taken = [pair for whose, pair in picked if whose is one]
        cases += _cases(one, taken, data)
        counts[f"{one.task} {one.split}"] = {
            "compared": len(one.pairs),
            "baseline right": one.baseline_right,
            "found": len(those),
            "drawn": len(taken),
        }
    return Review(model, baseline, which, tuple(cases), counts, left_out)


def _results(folder: Path, model: str, baseline: str, tasks: Sequence[str]) -> dict[tuple[str, str], list[Result]]:
    """By task and split, whose rows there are: the baseline's result and the model's, or that of one alone."""
    results = read_results(folder)
    models = dict.fromkeys(one.model for one in results)
    if not models:
        raise InputError(f"{folder} holds no results; expected a folder that litotes bench wrote")
    for name in (model, baseline):
        if name not in models:
            raise InputError(f"{folder} holds no results of {name!r}; expected one of {', '.join(models)}")
    if model == baseline:
        raise InputError(f"model and baseline are both {model}; expected two models to compare")
    found: dict[tuple[str, str], dict[str, Result]] = {}
    for one in results:
        if one.model in {model, baseline} and one.task not in {GENERAL_MEAN, MTEB_LITE_MEAN}:
            found.setdefault((one.task, one.split), {}).setdefault(one.model, one)
    known = dict.fromkeys(task for task, _ in found)
    for task in tasks:
        if task not in known:
            raise InputError(f"{folder} holds no results on {task!r}; expected one of {', '.join(known)}")
    whose = (baseline, model)
    return {
        key: [own[name] for name in whose if name in own] for key, own in found.items() if not tasks or key[0] in tasks
    }


def _compared(
    results: Mapping[tuple[str, str], Sequence[Result]], folder: Path, left_out: dict[str, str]
) -> Iterator[Compared]:
    """The tasks whose items are right or wrong, with their rows; the others are left out, with the reason."""
    for (task, split), both in results.items():
        paths = [rows_file(folder, About(one.model, task, split, one.signature)) for one in both]
        there = all(path.is_file() for path in paths)
        family = _family(paths[0]) if there else ""
        if len(both) < 2 or family not in READINGS:
            left_out[f"{task} {split}"] = ONE_ONLY if len(both) < 2 else UNJUDGED.get(family, NO_ROWS)
            continue
        reading = READINGS[family]
        revisions = [_revision(one) for one in both]
        sides = [{row.id: row for row in reading.joined(read_rows(path))} for path in paths]
        if revisions[0] != revisions[1] or set(sides[0]) != set(sides[1]):
            raise InputError(
                f"{task} {split}: the two models were measured on different items. Measure both again, into one folder"
            )
        pairs = ((sides[0][name], sides[1][name]) for name in sides[0])
        judged = tuple(pair for pair in pairs if None not in map(reading.right, pair))
        yield Compared(task, split, revisions[0], reading, judged)


def _family(path: Path) -> str:
    with path.open(encoding="utf-8") as stream:
        first = stream.readline() or "{}"
    try:
        return str(json.loads(first)["family"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}, line 1: no row as litotes bench writes it ({error})") from error


def _revision(result: Result) -> str:
    found = re.search(r"\|revision:([^|]*)", result.signature)
    return found[1] if found else ""


def _drawn(one: Compared, pairs: Iterable[tuple[Row, Row]], seed: int) -> Iterator[tuple[Row, Row]]:
    """The items of a task in the order they are taken: one of each slice, then another of each."""
    slices: dict[str, list[tuple[Row, Row]]] = {}
    for pair in pairs:
        slices.setdefault(one.reading.slice(pair[0]), []).append(pair)
    names = sorted(slices)
    # a draw of its own for each task and slice, so that another task beside it changes nothing
    random.Random(f"{seed} {one.task} {one.split}").shuffle(names)
    for name in names:
        random.Random(f"{seed} {one.task} {one.split} {name}").shuffle(slices[name])
    yield from _in_turn([slices[name] for name in names])


def _in_turn(queues: Sequence[Sequence[One]]) -> Iterator[One]:
    """One of each queue, then the next of each, until all are empty."""
    for place in range(max(map(len, queues), default=0)):
        yield from (queue[place] for queue in queues if place < len(queue))


def _cases(one: Compared, pairs: Sequence[tuple[Row, Row]], data: Path | None) -> list[Case]:
    """The items with their texts, by slice."""
    if not pairs:
        return []
    base, _, half = one.split.partition("/")
    task = build(one.task, Where(data, "test" if base == "test" else "dev", half or "all"))
    if one.revision and task.revision != one.revision:
        raise InputError(
            f"{one.task} {one.split} is not what was measured (revision {task.revision}, measured {one.revision}). "
            "Point --data at the same data, or measure again with this version"
        )
    items = one.reading.items(task)
    answer, order = one.reading.answer, sorted(pairs, key=lambda pair: (one.reading.slice(pair[0]), pair[0].id))
    return [
        Case(
            row.id,
            one.task,
            one.split,
            one.reading.slice(row),
            items[row.id].texts,
            items[row.id].gold,
            baseline=answer(row),
            model=answer(other),
        )
        for row, other in order
    ]
