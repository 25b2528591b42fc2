"""Read everything that a report shows from folders of results (`litotes.data.result_files` describes the files)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from litotes.data import result_files
from litotes.data.result_files import REPORTED, ExcludingQueries, Provenance, read_rows, rows_path
from litotes.errors import InputError
from litotes.types import Maxsim, Result

ALL = "all"
MINIMAL_PAIR_TASK, MINIMAL_PAIR_SERIES = "series", "negation"
STEPS = ("step", "epoch")
CLOCK = "seconds"
"""Written beside the loss of a run; it is not a measure of the model."""
HIGHEST_COSINE = 1.001
"""A cosine of 1 plus rounding errors."""


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves of a training run: the points of each measure by step or epoch."""

    run: str
    against: str
    lines: dict[str, list[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class SweepLines:
    """A sweep as it is drawn: the value of each measure at each point, and the value of the base."""

    name: str
    what: str
    lines: dict[str, list[tuple[float | str, float]]]
    before: dict[str, float]

    @property
    def numeric(self) -> bool:
        """Whether the points are numbers; otherwise they are names."""
        return not any(isinstance(at, str) for points in self.lines.values() for at, _ in points)


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything that was read from the folders."""

    folders: tuple[str, ...] = ()
    scores: tuple[Result, ...] = ()
    minimal_pairs: dict[str, tuple[float, ...]] = field(default_factory=dict)
    maxsims: tuple[Maxsim, ...] = ()
    exclusions: tuple[ExcludingQueries, ...] = ()
    curves: tuple[Curves, ...] = ()
    sweeps: tuple[SweepLines, ...] = ()
    skipped: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model, in order of first appearance."""
        scored = (score.model for score in self.scores)
        return tuple(dict.fromkeys((*scored, *self.minimal_pairs, *(maxsim.model for maxsim in self.maxsims))))

    @property
    def cosines(self) -> dict[str, tuple[float, ...]]:
        """The minimal pairs of the models whose scores are cosines; lexical scores and logits have other scales."""
        return {
            model: values
            for model, values in self.minimal_pairs.items()
            if values and max(map(abs, values)) <= HIGHEST_COSINE
        }


def read_folders(folders: Sequence[Path]) -> ReportData:
    """Read all result files of some folders.

    If two folders measured a model differently (their signatures differ), the second is shown as another model: its
    name ends with the number of its folder.
    """
    if not folders:
        raise InputError("there is nothing to report on; expected folders that litotes bench or litotes train wrote")
    data = ReportData()
    for number, folder in enumerate(folders, start=1):
        data = _joined(data, _read_folder(folder), number)
    return data


def _read_folder(path: Path) -> ReportData:
    folder = path.parent if path.name in REPORTED and path.is_file() else path
    if not any((folder / name).is_file() for name in REPORTED):
        problem = "contains none of" if folder.is_dir() else "is not a folder with any of"
        raise InputError(
            f"{path} {problem} {', '.join(REPORTED)}. Expected a folder that litotes bench or litotes train wrote"
        )
    scores = tuple(result_files.read_results(folder))
    return ReportData(
        folders=(str(path),),
        scores=scores,
        minimal_pairs=dict(_from_series(folder, scores)) | result_files.read_minimal_pairs(folder),
        maxsims=tuple(result_files.read_maxsims(folder)),
        exclusions=tuple(result_files.read_exclusions(folder)),
        curves=tuple(_curves(folder)),
        sweeps=tuple(_sweeps(folder)),
        skipped=result_files.read_skipped(folder),
    )


def _joined(old: ReportData, new: ReportData, number: int) -> ReportData:
    known = {(score.model, score.task, score.split): score.signature for score in old.scores}
    differing = {
        score.model
        for score in new.scores
        if known.get((score.model, score.task, score.split), score.signature) != score.signature
    }

    def name(model: str) -> str:
        return f"{model} ({number})" if model in differing else model

    added = [
        score for score in new.scores if score.model in differing or (score.model, score.task, score.split) not in known
    ]
    return ReportData(
        folders=old.folders + new.folders,
        scores=(*old.scores, *(replace(score, model=name(score.model)) for score in added)),
        minimal_pairs={name(model): cosines for model, cosines in new.minimal_pairs.items()} | old.minimal_pairs,
        maxsims=(*old.maxsims, *(replace(maxsim, model=name(maxsim.model)) for maxsim in new.maxsims)),
        exclusions=(*old.exclusions, *(task for task in new.exclusions if task not in old.exclusions)),
        curves=old.curves + new.curves,
        sweeps=old.sweeps + new.sweeps,
        skipped={name(model): reasons for model, reasons in new.skipped.items()} | old.skipped,
    )


def _from_series(folder: Path, scores: Sequence[Result]) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the similarities of the negated sentences of the task `series`, which are minimal pairs."""
    sources = (Provenance(score.model, score.task, score.split, score.signature) for score in scores)
    for source in dict.fromkeys(source for source in sources if source.task == MINIMAL_PAIR_TASK):
        path = rows_path(folder, source)
        if path.is_file():
            rows = [row for row in read_rows(path) if row.groups.get("series") == MINIMAL_PAIR_SERIES]
            values = (row.numbers.get("impaired") for row in rows)
            yield source.model, tuple(float(value) for value in values if value is not None and _is_number(value))


def _curves(folder: Path) -> Iterator[Curves]:
    against = ""
    lines: dict[str, list[tuple[float, float]]] = {}
    for where, row in result_files.read_curves(folder):
        against = against or next((name for name in STEPS if _is_number(row.get(name))), "")
        if not _is_number(row.get(against)):
            raise InputError(f"{where}: {against or ' or '.join(STEPS)} is missing; expected a number in each line")
        scores = row.get("scores")
        for name, value in (row | scores if isinstance(scores, dict) else row).items():
            if name not in (*STEPS, CLOCK) and _is_number(value):
                lines.setdefault(name, []).append((float(row[against]), float(value)))
    if lines:
        yield Curves(folder.resolve().name, against, lines)


def _sweeps(folder: Path) -> Iterator[SweepLines]:
    sweep = result_files.read_sweep(folder)
    lines: dict[str, list[tuple[float | str, float]]] = {}
    before: dict[str, float] = {}
    for point in sweep.points if sweep else ():
        at = float(point["at"]) if _is_number(point["at"]) else str(point["at"])
        for name, value in point["scores"].items():
            if _is_number(value):
                lines.setdefault(str(name), []).append((at, float(value)))
        before = {name: float(value) for name, value in point.get("before", {}).items() if _is_number(value)}
    if sweep and lines:
        yield SweepLines(folder.resolve().name, sweep.what, lines, before)


def _is_number(value: object) -> bool:
    # An integer beyond the range of floats cannot be drawn; NaN fails the comparison.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
