"""The files that benchmarks and training runs write: their names, their content, and how to read and write them.

A folder of results contains any of these files:

- `results.json`: a list of `Result` lines. The first line of each model, task and split is its headline.
- `rows/*.jsonl`: one line per item (`ItemRow`). The results are computed from these rows.
- `run.json`: what was run. `litotes bench` writes {model: {"fingerprint", "facts", "skipped": {task: reason}}}, and
  for rerankers "seconds per query": {signature: seconds}; a training run writes its settings, data and libraries.
- `minimal_pairs.json`: a list of {"model", "cosines"}: the similarity of each text with its negation.
- `margins.json`: a list of {"model", "margins"}: by how much a ranker prefers the right text of each minimal pair.
- `maxsim.json`: a list of `Maxsim` lines: the similarity of every query token with every document token.
- `exclusions.json`: a list of `ExcludingQueries` lines: the queries of a task that exclude something.
- `curves.jsonl`: one line per point of training: {"step" or "epoch": 3, "loss": 0.7, …, "scores": {…}}.
- `sweep.json`: {"sweep": "size=100,200", "points": [{"name", "at", "before": {…}, "scores": {…}}, …]}: runs that differ
  in one setting. `at` is the value of that setting, `before` are the scores of the base.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.types import MALFORMED, Exclusion, Maxsim, Result

RESULTS, ROWS, RUN = "results.json", "rows", "run.json"
MINIMAL_PAIRS, MARGINS, MAXSIM, EXCLUSIONS = "minimal_pairs.json", "margins.json", "maxsim.json", "exclusions.json"
CURVES, SWEEP = "curves.jsonl", "sweep.json"
REPORTED = (RESULTS, MINIMAL_PAIRS, MAXSIM, CURVES, SWEEP)
"""A folder with any of these files can be reported on."""
SECONDS_PER_QUERY = "seconds per query"
"""The entry of run.json with the time that a reranker took per query, without its first stage, by signature."""
REMOVE = "Remove the file to have it written again"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a result or a file of rows was measured with."""

    model: str
    task: str
    split: str
    signature: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What one model scored on one item of a task."""

    id: str
    value: float | None
    """The item's own score: right (1) or wrong (0), an nDCG, a similarity; None if the item does not count."""
    groups: dict[str, str] = field(default_factory=dict)
    """The groups the item belongs to, such as {"kind": "exceptor", "outcome": "right"}."""
    numbers: dict[str, float] = field(default_factory=dict)
    """The numbers that figures are computed from."""


@dataclass(frozen=True, slots=True)
class ExcludingQueries:
    """The queries of a task that exclude something."""

    task: str
    queries: int
    """How many different queries the task has."""
    fired: int
    """How many of them exclude something."""
    examples: tuple[Exclusion, ...]

    def line(self) -> dict[str, Any]:
        """Return the JSON object of exclusions.json."""
        examples = [{"query": exclusion.text} | exclusion.line() for exclusion in self.examples]
        return {"task": self.task, "queries": self.queries, "fired": self.fired, "examples": examples}


@dataclass(frozen=True, slots=True)
class Sweep:
    """Runs that differ in one setting."""

    what: str
    """The setting and its values, such as "size=100,200"."""
    points: tuple[dict[str, Any], ...]
    """One per run, with at least "at" and "scores"."""
    recipe: str = ""
    base: str = ""


def read_results(folder: Path) -> list[Result]:
    """Return the results of a folder; an empty list if it has none."""
    path = folder / RESULTS
    results = []
    for number, row in enumerate(_json_list(path), start=1):
        try:
            results.append(Result.from_line(row))
        except MALFORMED as error:
            raise _malformed(f"{path}, result {number}", error, "a result as litotes bench writes it") from error
    return results


def write_results(folder: Path, results: Iterable[Result]) -> None:
    """Write results.json."""
    lines = [result.line() for result in results]
    write_atomically(folder / RESULTS, json.dumps(lines, ensure_ascii=False, indent=1))


def rows_path(folder: Path, source: Provenance) -> Path:
    """Return the file of the rows with this provenance; another signature has another file."""
    key = hashlib.sha256(source.signature.encode("utf-8", "replace")).hexdigest()[:8]
    name = re.sub(r"[^\w.-]+", "-", f"{source.model}--{source.task}--{source.split}")
    return folder / ROWS / f"{name}--{key}.jsonl"


def write_rows(folder: Path, rows: Sequence[ItemRow], source: Provenance, family: str) -> None:
    """Write the rows of a model on a task; `family` is the family of the task."""
    shared = {"model": source.model, "task": source.task, "family": family, "split": source.split}
    lines = (json.dumps({**shared, **asdict(row)}, ensure_ascii=False) for row in rows)
    write_atomically(rows_path(folder, source), "".join(f"{line}\n" for line in lines))


def read_rows(path: Path) -> list[ItemRow]:
    """Return the rows of a file that `write_rows` wrote."""
    rows = []
    for where, _, row in json_objects(text_lines(path), str(path)):
        try:
            rows.append(ItemRow(row["id"], row["value"], dict(row["groups"]), dict(row["numbers"])))
        except MALFORMED as error:
            raise _malformed(where, error, "a row as litotes bench writes it") from error
    return rows


def read_family(path: Path) -> str:
    """Return the family of the task whose rows a file contains; "" if the file is empty."""
    return next((str(row.get("family", "")) for _, _, row in json_objects(text_lines(path), str(path))), "")


def read_bench_run(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what `litotes bench` wrote into run.json: a record per model; empty if there is none."""
    path = folder / RUN
    record = _json(path) if path.exists() else {}
    if not isinstance(record, dict):
        raise InputError(f"{path}: expected a JSON object with one entry per model, as litotes bench writes it")
    return record


def write_bench_run(folder: Path, models: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the record of each model into run.json."""
    write_atomically(folder / RUN, json.dumps(models, ensure_ascii=False, indent=1))


def read_skipped(folder: Path) -> dict[str, dict[str, str]]:
    """Return the tasks that each model was not measured on, with the reasons."""
    records = {model: record for model, record in read_bench_run(folder).items() if isinstance(record, dict)}
    skipped = {model: record["skipped"] for model, record in records.items() if record.get("skipped")}
    if not all(isinstance(reasons, dict) for reasons in skipped.values()):
        raise InputError(f'{folder / RUN}: expected "skipped" to be an object with one reason per task')
    return skipped


def read_seconds_per_query(folder: Path) -> dict[str, float]:
    """Return how long rerankers took per query, by the signature of the result."""
    seconds: dict[str, float] = {}
    for record in read_bench_run(folder).values():
        entry = record.get(SECONDS_PER_QUERY, {}) if isinstance(record, dict) else {}
        if not isinstance(entry, dict) or not all(isinstance(value, int | float) for value in entry.values()):
            raise InputError(f'{folder / RUN}: expected "{SECONDS_PER_QUERY}" to be an object with numbers')
        seconds |= entry
    return seconds


def read_minimal_pairs(folder: Path) -> dict[str, tuple[float, ...]]:
    """Return the cosines of each model's minimal pairs; values that are not finite are dropped."""
    return _numbers_by_model(folder / MINIMAL_PAIRS, "cosines")


def write_minimal_pairs(folder: Path, cosines: Mapping[str, Sequence[float]]) -> None:
    """Write minimal_pairs.json: the cosines of each model."""
    _write_numbers(folder / MINIMAL_PAIRS, "cosines", cosines)


def read_margins(folder: Path) -> dict[str, tuple[float, ...]]:
    """Return the margins of each ranker's minimal pairs; values that are not finite are dropped."""
    return _numbers_by_model(folder / MARGINS, "margins")


def write_margins(folder: Path, margins: Mapping[str, Sequence[float]]) -> None:
    """Write margins.json: the margins of each ranker."""
    _write_numbers(folder / MARGINS, "margins", margins)


def read_maxsims(folder: Path) -> list[Maxsim]:
    """Return the token similarities of a folder."""
    path = folder / MAXSIM
    maxsims = []
    for row in _json_list(path):
        try:
            maxsim = Maxsim.from_line(row)
        except MALFORMED as error:
            raise _malformed(str(path), error, "model, query_tokens, document_tokens and matrix") from error
        widths = {len(line) for line in maxsim.matrix}
        if len(maxsim.matrix) != len(maxsim.query_tokens) or widths != {len(maxsim.document_tokens)}:
            raise InputError(
                f"{path}: the matrix of {maxsim.model!r} has {len(maxsim.matrix)} rows of {sorted(widths)} numbers; "
                f"expected {len(maxsim.query_tokens)} rows (query tokens) of {len(maxsim.document_tokens)} (document "
                "tokens)"
            )
        maxsims.append(maxsim)
    return maxsims


def write_maxsims(folder: Path, maxsims: Iterable[Maxsim]) -> None:
    """Write maxsim.json, one matrix per line."""
    lines = [json.dumps(maxsim.line(), ensure_ascii=False) for maxsim in maxsims]
    write_atomically(folder / MAXSIM, "[\n" + ",\n".join(lines) + "\n]\n")


def read_exclusions(folder: Path) -> list[ExcludingQueries]:
    """Return the excluding queries of each task."""
    path = folder / EXCLUSIONS
    tasks = []
    for row in _json_list(path):
        try:
            examples = tuple(
                Exclusion(
                    str(example["query"]),
                    str(example["kept"]),
                    tuple(map(str, example["excluded"])),
                    tuple(map(str, example["cues"])),
                    *(tuple((int(a), int(b)) for a, b in example[name]) for name in ("excluded_spans", "cue_spans")),
                )
                for example in row["examples"]
            )
            tasks.append(ExcludingQueries(str(row["task"]), int(row["queries"]), int(row["fired"]), examples))
        except MALFORMED as error:
            raise _malformed(str(path), error, "task, queries, fired and examples") from error
    return tasks


def write_exclusions(folder: Path, tasks: Iterable[ExcludingQueries]) -> None:
    """Write exclusions.json."""
    lines = [task.line() for task in tasks]
    write_atomically(folder / EXCLUSIONS, json.dumps(lines, ensure_ascii=False, indent=2) + "\n")


def read_curves(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the lines of curves.jsonl, each with its place ("file, line 3"); nothing if there is no such file."""
    path = folder / CURVES
    if path.exists():
        yield from ((where, row) for where, _, row in json_objects(text_lines(path), str(path)))


def read_sweep(folder: Path) -> Sweep | None:
    """Return the sweep of a folder; None if it has none."""
    path = folder / SWEEP
    if not path.exists():
        return None
    row = _json(path)
    try:
        points = tuple(dict(point) for point in row["points"])
        for point in points:
            if (
                "at" not in point
                or not isinstance(point["scores"], dict)
                or not isinstance(point.get("before", {}), dict)
            ):
                raise TypeError("a point lacks at, or its scores are not an object")
        return Sweep(str(row["sweep"]), points, str(row.get("recipe", "")), str(row.get("base", "")))
    except (*MALFORMED, AttributeError) as error:
        raise _malformed(str(path), error, "a sweep as litotes train --sweep writes it") from error


def write_sweep(folder: Path, sweep: Sweep) -> None:
    """Write sweep.json."""
    written = {"sweep": sweep.what, "recipe": sweep.recipe, "base": sweep.base, "points": list(sweep.points)}
    write_atomically(folder / SWEEP, json.dumps(written, ensure_ascii=False, indent=1) + "\n")


def _numbers_by_model(path: Path, name: str) -> dict[str, tuple[float, ...]]:
    numbers = {}
    for row in _json_list(path):
        try:
            values = (float(value) for value in row[name] if value is not None)
            numbers[str(row["model"])] = tuple(value for value in values if isfinite(value))
        except MALFORMED as error:
            raise _malformed(str(path), error, f'{{"model": …, "{name}": [numbers]}}') from error
    return numbers


def _write_numbers(path: Path, name: str, numbers: Mapping[str, Sequence[float]]) -> None:
    lines = [{"model": model, name: list(values)} for model, values in numbers.items()]
    write_atomically(path, json.dumps(lines, ensure_ascii=False))


def _json_list(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one object or a list of them; an empty list if there is no file."""
    content = _json(path) if path.exists() else []
    rows = [content] if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: expected a JSON object or a list of JSON objects. {REMOVE}")
    return rows


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error}). {REMOVE}") from error


def _malformed(where: str, error: Exception, expected: str) -> InputError:
    problem = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
    return InputError(f"{where}: {problem}; expected {expected}. {REMOVE}")
