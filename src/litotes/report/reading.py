"""Folders → everything a report is made of.

A folder is what `litotes bench` or a training run wrote; whatever stands in it of these is read:

- `results.json`: a list of {"model", "task", "split", "slice", "measure", "value", "low", "high", "n", "signature"};
  the first of each model, task and split is its headline.
- `rows/*.jsonl`: a line an item. Of the task `series` the negated sentences are read: they are twins.
- `run.json`: {model: {"skipped": {task: why}}}: what a model could not be measured on.
- `twins.json`: {"model": …, "cosines": […]}, or a list of such: the similarity of each text with its negation.
  Where it is there, the rows of `series` are not asked for that model.
- `maxsim.json`: {"model": …, "pair": "a name", "query_tokens": […], "document_tokens": […], "matrix": [[…], …]}, or a
  list of such, as `litotes bench --maxsim` writes it: the similarity of every query token (a row of the matrix) with
  every document token. Models that share a pair are drawn side by side.
- `curves.jsonl`: a line a point of training, {"step" or "epoch": 3, "loss": 0.7, …}; every number is a curve, under
  the name of the folder, and so is every number of its "scores". What is no number is left out.
- `sweep.json`: {"sweep": "size=100,200", "points": [{"name", "at", "before": {…}, "scores": {…}}, …]}: runs that
  differ in one thing, `at` being where a point stands; scores by measure, and `before` those of the base.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.types import MALFORMED, Exclusion, Maxsim, Result

RESULTS, RECORD, TWINS, MAXSIM, CURVES = "results.json", "run.json", "twins.json", "maxsim.json", "curves.jsonl"
LEFT_OUT = "exclusions.json"
SWEEP = "sweep.json"
FILES = (RESULTS, TWINS, MAXSIM, CURVES, SWEEP)
ALL = "all"
TWIN_TASK, TWIN_SERIES = "series", "negation"
PLACES = ("step", "epoch")
CLOCK = "seconds"
"""is noted beside a loss and is no measure of it"""
COSINE = 1.001
"""the most a cosine can be, and what rounding adds"""


@dataclass(frozen=True, slots=True)
class Curves:
    """A training run: for each measure its points, against the step or the epoch."""

    run: str
    against: str
    lines: dict[str, list[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Runs that differ in one thing: for each measure its value at each point, and the base's."""

    name: str
    what: str
    lines: dict[str, list[tuple[float | str, float]]]
    before: dict[str, float]

    @property
    def numeric(self) -> bool:
        """Whether the points stand on a scale; else they are names."""
        return not any(isinstance(at, str) for points in self.lines.values() for at, _ in points)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many queries of a task leave something out, and some of them taken apart."""

    task: str
    queries: int
    fired: int
    examples: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found in the folders."""

    folders: tuple[str, ...] = ()
    scores: tuple[Result, ...] = ()
    twins: dict[str, tuple[float, ...]] = field(default_factory=dict)
    maxsims: tuple[Maxsim, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    curves: tuple[Curves, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    skipped: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model, in order of first sight."""
        named = (*(score.model for score in self.scores), *self.twins, *(one.model for one in self.maxsims))
        return tuple(dict.fromkeys(named))

    @property
    def cosines(self) -> dict[str, tuple[float, ...]]:
        """The twins of the models whose scores are cosines: a lexical score or a logit has a scale of its own."""
        return {model: those for model, those in self.twins.items() if those and max(map(abs, those)) <= COSINE}


def read(folders: Sequence[Path]) -> Evidence:
    """All that stands in the folders.

    A model that two folders measured differently (the signatures say so) is two models: the second is called by its
    name and the number of its folder.
    """
    if not folders:
        raise InputError("there is nothing to report on; expected folders that litotes bench or litotes train wrote")
    found = Evidence()
    for number, folder in enumerate(folders, start=1):
        found = _joined(found, _folder(folder), number)
    return found


def _folder(path: Path) -> Evidence:
    folder = path.parent if path.name in FILES and path.is_file() else path
    if not any((folder / name).is_file() for name in FILES):
        why = "holds none of" if folder.is_dir() else "is no folder with any of"
        raise InputError(f"{path} {why} {', '.join(FILES)}. Expected a folder litotes bench or a training run wrote")
    scores = tuple(_scores(folder / RESULTS))
    return Evidence(
        folders=(str(path),),
        scores=scores,
        twins=dict(_twin_rows(folder, scores)) | dict(_twins(folder / TWINS)),
        maxsims=tuple(_maxsims(folder / MAXSIM)),
        left_out=tuple(_left_out(folder / LEFT_OUT)),
        curves=tuple(_curves(folder / CURVES)),
        sweeps=tuple(_sweeps(folder / SWEEP)),
        skipped=_skipped(folder / RECORD),
    )


def _joined(old: Evidence, new: Evidence, number: int) -> Evidence:
    known = {(one.model, one.task, one.split): one.signature for one in old.scores}
    other = {
        one.model for one in new.scores if known.get((one.model, one.task, one.split), one.signature) != one.signature
    }

    def name(model: str) -> str:
        return f"{model} ({number})" if model in other else model

    fresh = [one for one in new.scores if one.model in other or (one.model, one.task, one.split) not in known]
    return Evidence(
        folders=old.folders + new.folders,
        scores=(*old.scores, *(replace(one, model=name(one.model)) for one in fresh)),
        twins={name(model): cosines for model, cosines in new.twins.items()} | old.twins,
        maxsims=(*old.maxsims, *(replace(one, model=name(one.model)) for one in new.maxsims)),
        left_out=(*old.left_out, *(one for one in new.left_out if one not in old.left_out)),
        curves=old.curves + new.curves,
        sweeps=old.sweeps + new.sweeps,
        skipped={name(model): why for model, why in new.skipped.items()} | old.skipped,
    )


def _scores(path: Path) -> Iterator[Result]:
    for number, row in enumerate(_objects(path), start=1):
        try:
            yield Result.from_line(row)
        except MALFORMED as error:
            raise InputError(
                f"{path}, result {number}: {_said(error)}. Expected it as litotes bench writes it"
            ) from error


def _twins(path: Path) -> Iterator[tuple[str, tuple[float, ...]]]:
    for row in _objects(path):
        try:
            yield str(row["model"]), _finite(row["cosines"])
        except MALFORMED as error:
            raise InputError(f'{path}: {_said(error)}. Expected {{"model": …, "cosines": [numbers]}}') from error


def _twin_rows(folder: Path, scores: Sequence[Result]) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The similarities of the negated sentences of `series`, from the rows filed under the results' signature."""
    for model, signature in dict.fromkeys((one.model, one.signature) for one in scores if one.task == TWIN_TASK):
        key = sha256(signature.encode("utf-8", "replace")).hexdigest()[:8]
        for path in sorted((folder / "rows").glob(f"*--{key}.jsonl")):
            try:
                rows = [row for row in _lines(path) if row.get("groups", {}).get("series") == TWIN_SERIES]
                yield model, _finite([row.get("numbers", {}).get("impaired") for row in rows])
            except (*MALFORMED, AttributeError) as error:
                raise InputError(f"{path}: {_said(error)}. Expected rows as litotes bench writes them") from error


def _maxsims(path: Path) -> Iterator[Maxsim]:
    for row in _objects(path):
        try:
            one = Maxsim.from_line(row)
        except MALFORMED as error:
            raise InputError(
                f"{path}: {_said(error)}. Expected model, query_tokens, document_tokens, matrix"
            ) from error
        widths = {len(line) for line in one.matrix}
        if len(one.matrix) != len(one.query_tokens) or widths != {len(one.document_tokens)} or not one.matrix:
            raise InputError(
                f"{path}: the matrix of {one.model!r} has {len(one.matrix)} rows of {sorted(widths)} numbers; expected "
                f"{len(one.query_tokens)} (query tokens) of {len(one.document_tokens)} (document tokens)"
            )
        yield one


def _left_out(path: Path) -> Iterator[LeftOut]:
    for row in _objects(path):
        try:
            found = [
                Exclusion(
                    str(one["query"]),
                    str(one["kept"]),
                    *(tuple(map(str, one[name])) for name in ("excluded", "cues", "rules")),
                )
                for one in row["examples"]
            ]
            yield LeftOut(str(row["task"]), int(row["queries"]), int(row["fired"]), tuple(found))
        except MALFORMED as error:
            raise InputError(f"{path}: {_said(error)}. Expected task, queries, fired and examples") from error


def _curves(path: Path) -> Iterator[Curves]:
    if not path.exists():
        return
    against = ""
    lines: dict[str, list[tuple[float, float]]] = {}
    for number, row in enumerate(_lines(path), start=1):
        against = against or next((name for name in PLACES if _number(row.get(name))), "")
        if not _number(row.get(against)):
            raise InputError(
                f"{path}, line {number}: no {against or ' or '.join(PLACES)}. Expected a number in each line"
            )
        scores = row.get("scores")
        for name, value in (row | scores if isinstance(scores, dict) else row).items():
            if name not in (*PLACES, CLOCK) and _number(value):
                lines.setdefault(name, []).append((float(row[against]), float(value)))
    if lines:
        yield Curves(path.parent.resolve().name, against, lines)


def _sweeps(path: Path) -> Iterator[Sweep]:
    if not path.exists():
        return
    lines: dict[str, list[tuple[float | str, float]]] = {}
    before: dict[str, float] = {}
    for row in _objects(path):
        try:
            what = str(row["sweep"])
            for point in row["points"]:
                at = float(point["at"]) if _number(point["at"]) else str(point["at"])
                for name, value in point["scores"].items():
                    if _number(value):
                        lines.setdefault(str(name), []).append((at, float(value)))
                before = {name: float(value) for name, value in point.get("before", {}).items() if _number(value)}
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: {_said(error)}. Expected it as litotes train --sweep writes it") from error
        if lines:
            yield Sweep(path.parent.resolve().name, what, lines, before)


def _skipped(path: Path) -> dict[str, dict[str, str]]:
    record = _json(path) if path.exists() else {}
    if not isinstance(record, dict):
        raise InputError(f"{path}: expected an object, a model each, as litotes bench writes it")
    told = {model: one["skipped"] for model, one in record.items() if isinstance(one, dict) and one.get("skipped")}
    if not all(isinstance(why, dict) for why in told.values()):
        raise InputError(f"{path}: expected what was skipped as an object, a task each, as litotes bench writes it")
    return told


def _objects(path: Path) -> list[dict[str, Any]]:
    """A file of one object or a list of them; none where there is no file."""
    found = _json(path) if path.exists() else []
    rows = [found] if isinstance(found, dict) else found
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: expected a JSON object or a list of them")
    return rows


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: not JSON ({error})") from error
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}: expected a JSON object")
            yield row


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON ({error})") from error


def _finite(values: Sequence[Any]) -> tuple[float, ...]:
    """The numbers; what a model gave no number for is left out."""
    return tuple(float(value) for value in values if value is not None and isfinite(float(value)))


def _number(value: object) -> bool:
    # so large a whole number is none that can be drawn
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _said(error: Exception) -> str:
    return f"no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)
