"""Tasks by name, built from the records of `litotes.data.benchmarks`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from litotes.data.catalogue import benchmarks, find_benchmark, suites
from litotes.data.records import Benchmark
from litotes.data.selection import DataSelection
from litotes.errors import InputError
from litotes.evaluation.tasks import FAMILIES, Task

_UNNAMED_SPLITS = ("shipped", "file")


def task_names() -> tuple[str, ...]:
    """Return the names of all tasks, without templates (contrasts:FILE) and tasks of other libraries (mteb:NAME)."""
    return tuple(name for name in benchmarks() if ":" not in name)


def build(task: str | Benchmark, selection: DataSelection | None = None) -> Task:
    """Build a task from its name or its record.

    Names such as "contrasts:FILE", "opposites:FILE", "beir:FOLDER", "mteb:NAME" and "lm-eval:NAME" open the user's own
    files, or a task of another library.
    """
    selection = selection or DataSelection()
    record, name = (task, task.name) if isinstance(task, Benchmark) else (find_benchmark(task), task)
    make = import_module(f"litotes.evaluation.tasks.{FAMILIES[record.family]}").TASK
    target = name.partition(":")[2]
    if record.items is None:
        if selection.half != "all":
            raise InputError(f"{name} can only be measured as a whole; expected --half all, got {selection.half}")
        external: Task = make(target)
        return external
    split = record.split(selection)
    items = record.items(selection, target if record.template else split)
    built: Task = make(name, selection.label(split), items, **record.settings)
    return built


def members(names: Sequence[str]) -> list[str]:
    """Return the names of the tasks of some suites, each once; a name of a task stands for itself."""
    known = suites()
    tasks: dict[str, None] = {}
    for name in names:
        if not name:
            raise InputError(f"one of the suites has an empty name; expected any of {', '.join(known)}")
        tasks |= dict.fromkeys(known.get(name, (name,)))
    return list(tasks)


def suite(names: Sequence[str], selection: DataSelection | None = None) -> list[Task]:
    """Build the tasks of some suites, each once."""
    return [build(name, selection) for name in members(names)]


def score_name(task: Task) -> str:
    """Return the name of a task's score in a training run, such as "negation.taxonomy dev" or "general.mini pairs".

    The part before the point says what it measures: recipes choose the best epoch by it.
    """
    record = find_benchmark(task.name)
    title = record.title or Path(task.name.partition(":")[2]).stem or task.name.replace("-", " ")
    split = "" if task.split in _UNNAMED_SPLITS else task.split.rpartition("/")[2]
    return f"{record.ability}.{title} {split}".strip()
