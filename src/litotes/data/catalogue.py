"""The registry: every data set, benchmark and suite by name.

catalogue.tsv has one row per file and form. The form is one of

- public: the file as its home publishes it. Its sha256 is empty if nobody has verified it yet; such a file is not
  pinned. The source is empty if users must get the file by hand: the record's `by_hand` then says how.
- measured: the copy that our published figures were measured on. Some are a part of a public split (the note says
  which), so a path can have both forms.
- shipped: our own data, in the package.

The names in its first column are also the names of the modules in `litotes.data.benchmarks`, with underscores for
hyphens. Their order is the order in which data sets and benchmarks are listed.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.data.records import Benchmark, DataSet, File, Suite
from litotes.data.selection import FOLDER_VARIABLE
from litotes.errors import InputError, MissingError, did_you_mean

CATALOGUE = "catalogue.tsv"
WITHOUT_FILES = ("mteb", "lm_eval", "your_files")
"""Modules of benchmarks whose data other libraries or users provide."""
SUITES = (
    Suite("negation", "negation in retrieval and similarity"),
    Suite("sensitivity", "how far scores fall when a text is negated or damaged"),
    Suite("lists", "contrasts in lists of ten documents"),
    Suite("exclusion", "queries that exclude something"),
    Suite("caches", "messages that do or do not deserve the same answer"),
    Suite("yes-no", "questions about pairs of texts, for language models"),
    Suite("general", "general ability, on public data", mean="general mean"),
    Suite("general-mini", "general ability, on shipped data"),
    Suite("mteb-lite", "16 tasks of mteb, from its hub", mean="mteb-lite mean"),
    Suite("llm-general", "three tasks of lm-eval, for language models"),
)
"""A benchmark joins a suite by naming it in its record. A suite that is not listed here comes last."""


@cache
def data_sets() -> tuple[DataSet, ...]:
    """Return every data set."""
    rows: defaultdict[str, list[File]] = defaultdict(list)
    for row in csv.DictReader(_table().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        count = int(row["rows"]) if row["rows"] else None
        file = File(row["split"], row["path"], count, row["form"], row["sha256"], row["source"], row["note"])
        rows[row["set"]].append(file)
    return tuple(replace(_module(name).DATA_SET, files=tuple(own)) for name, own in rows.items())


def data_set(name: str) -> DataSet:
    """Return the data set with this name."""
    for candidate in data_sets():
        if candidate.name == name:
            return candidate
    names = [candidate.name for candidate in data_sets()]
    raise InputError(f"there is no data set {name!r}; expected one of {', '.join(names)}.{did_you_mean(name, names)}")


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark by name, in the order of the catalogue."""
    records = [benchmark for data_set in data_sets() for benchmark in data_set.benchmarks]
    records += [benchmark for name in WITHOUT_FILES for benchmark in _module(name).BENCHMARKS]
    return {benchmark.name: benchmark for benchmark in records}


def find_benchmark(name: str) -> Benchmark:
    """Return the benchmark with this name, or the template that the name fits (contrasts:my.jsonl)."""
    known = benchmarks()
    if name in known:
        return known[name]
    prefix, _, target = name.partition(":")
    templates = {record.name.partition(":")[0]: record for record in known.values() if record.template}
    if prefix in templates and target:
        return templates[prefix]
    names = [record.name for record in known.values() if record.template or ":" not in record.name]
    hint = did_you_mean(name, (*names, *suites()))
    raise InputError(f"there is no task {name!r}; expected one of {', '.join(names)}.{hint}")


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Return the names of the benchmarks of each suite."""
    members: dict[str, list[str]] = {suite.name: [] for suite in SUITES}
    for benchmark in benchmarks().values():
        for suite in benchmark.suites:
            members.setdefault(suite, []).append(benchmark.name)
    return {suite: tuple(names) for suite, names in members.items()}


def suite_mean(name: str) -> str:
    """Return the name under which the mean of a suite is reported; "" if it is not."""
    return next((suite.mean for suite in SUITES if suite.name == name), "")


def task_help() -> str:
    """Return the suites and tasks as text for `litotes bench --help`: two lists, one line per suite and per task."""
    help_by_suite = {suite.name: suite.help for suite in SUITES}
    tasks = [record for record in benchmarks().values() if record.template or ":" not in record.name]
    width = max(len(record.name) for record in tasks) + 2
    lines = ["Suites:", *(f"  {name:{width}}{help_by_suite.get(name, '')}".rstrip() for name in suites())]
    lines += ["Tasks:", *(f"  {record.name:{width}}{record.help}" for record in tasks)]
    return "\n".join(lines)


def root(data_set: DataSet, data: Path | None) -> Path:
    """Return the folder that the paths of a data set's files start from."""
    if data_set.shipped:
        return Path(str(files("litotes.data")))
    if data is None:
        raise MissingError(
            f"{data_set.name} is not shipped with litotes. Name the folder of data sets: --data DIR or "
            f"{FOLDER_VARIABLE}=DIR"
        )
    return data


def shipped_files() -> Iterator[tuple[str, Path]]:
    """Yield the shipped files by the names that users give them: "taxonomy:dev", "seed:sentences", "cue-traps"."""
    for record in data_sets():
        if record.shipped:
            for path in record.paths():
                folder, _, file = path.rpartition("/")
                name = f"{folder}:{file.partition('.')[0]}" if folder else record.name
                yield name, root(record, None) / path


def clear_caches() -> None:
    """Forget the registered records, so that the table and the modules are read again (for tests)."""
    for cached in (data_sets, benchmarks, suites):
        cached.cache_clear()


def _table() -> str:
    return files("litotes.data").joinpath(CATALOGUE).read_text(encoding="utf-8")


def _module(name: str) -> Any:
    return import_module(f"litotes.data.benchmarks.{name.replace('-', '_')}")
