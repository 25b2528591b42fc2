"""The run: models × tasks → a file of rows each, and results.json folded from them. What is finished stays so."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from litotes.bench.rows import About, Figure, Row, fold, read_rows, write_rows, write_whole
from litotes.bench.scoring import DEPTH, Matrix, Scorer, described
from litotes.bench.suites import GENERAL, GENERAL_MEAN, MTEB_LITE, MTEB_LITE_MEAN, general_mean, mteb_lite_mean
from litotes.bench.tasks import Task, figures
from litotes.errors import EndpointError, InputError, MissingError, require
from litotes.stats import ROUNDS
from litotes.types import MALFORMED, Result

RESULTS, RECORD = "results.json", "run.json"
NO_VECTORS = "it scores pairs of texts, and the task needs vectors"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: texts encoded, or tasks done, of one model."""

    model: str
    what: str
    done: int
    total: int


Watch = Callable[[Progress], None]
Missing = Callable[[str, MissingError], None]
"""told which model could not be measured, and on what: the error says how to get it"""


def bench(
    models: Iterable[Any],
    tasks: Sequence[Task],
    out: Path,
    *,
    cache: Path | None = None,
    first_stage: Matrix | None = None,
    depth: int = DEPTH,
    seed: int = 0,
    rounds: int = ROUNDS,
    watch: Watch | None = None,
    missing: Missing | None = None,
) -> list[Result]:
    """Measure models on tasks; results come back and stand in OUT/results.json, the rows beside it.

    A (model, task) whose rows are there is not measured again: they are filed under their signature. A model without a
    `fingerprint` may have changed, so it is measured anew. Results of other runs in the folder are kept. A task whose
    data turns out not to be there when it is asked stops the run or, with `missing`, is told and left out.
    """
    require("scipy", extra="bench", why="the bench")
    _check(tasks, out)
    found: list[Result] = []
    names: set[str] = set()
    for model in models:
        scorer = Scorer(model, cache=cache or out / "vectors", first_stage=first_stage, depth=depth)
        try:
            if scorer.name in names:
                raise InputError(f"two models are called {scorer.name!r}; give each a name of its own")
            names.add(scorer.name)
            found += _measure(scorer, tasks, out, Fold(seed, rounds), watch, missing)
        finally:
            scorer.close()
    if not names:
        raise InputError("there is no model to measure")
    return found


@dataclass(frozen=True, slots=True)
class Fold:
    """How figures are folded: the seed of the draws, and how many."""

    seed: int
    rounds: int


def signature(scorer: Scorer, task: Task, seed: int) -> str:
    """All that is needed to get a figure again, in one line."""
    parts = {
        "litotes": version("litotes"),
        "task": task.name,
        "revision": task.revision,
        "split": task.split,
        "n": len(task),
        **described(scorer),
        "seed": seed,
    }
    if task.family == "retrieval" and scorer.reranks:
        parts["reranks"] = scorer.reranks
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _check(tasks: Sequence[Task], out: Path) -> None:
    names = [(task.name, task.split) for task in tasks]
    twice = [name for name in names if names.count(name) > 1]
    if not names or twice:
        raise InputError(f"the task {twice[0][0]} is given twice" if twice else "there is no task to measure on")
    empty = [task for task in tasks if not len(task)]
    if empty:
        raise InputError(f"the task {empty[0].name} has no items in {empty[0].split}")
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; expected a folder for the results")


def _measure(
    scorer: Scorer, tasks: Sequence[Task], out: Path, how: Fold, watch: Watch | None, missing: Missing | None
) -> list[Result]:
    """One model on all tasks it can be measured on."""
    fit = [task for task in tasks if scorer.encodes or not task.needs_vectors]
    abouts = [About(scorer.name, task.name, task.split, signature(scorer, task, how.seed)) for task in fit]
    skipped = {task.name: NO_VECTORS for task in tasks if task.needs_vectors and not scorer.encodes}
    _record(out, scorer, skipped)
    waiting = [task for task, about in zip(fit, abouts, strict=True) if not _finished(scorer, out, about)]
    _warm(scorer, waiting, watch)
    found: list[Result] = []
    headlines: dict[str, Figure] = {}
    for number, (task, about) in enumerate(zip(fit, abouts, strict=True), start=1):
        try:
            rows = _rows(scorer, task, about, out)
        except MissingError as error:
            # an endpoint that is down will be so for the next task too
            if missing is None or isinstance(error, EndpointError):
                raise
            missing(scorer.name, error)
            skipped[task.name] = str(error)
            _record(out, scorer, skipped)
            continue
        folded = figures(task.family, rows)
        headlines[task.name] = folded[0]
        found += fold(folded, about, seed=how.seed, rounds=how.rounds)
        _save(out, found)
        if watch:
            watch(Progress(scorer.name, f"tasks, last {task.name}", number, len(fit)))
    general = _together(abouts, GENERAL, GENERAL_MEAN)
    lite = _together(abouts, MTEB_LITE, MTEB_LITE_MEAN)
    means = (general_mean(headlines, general, seed=how.seed, rounds=how.rounds), mteb_lite_mean(headlines, lite))
    there = [mean for mean in means if mean is not None]
    if there:
        found += there
        _save(out, found)
    return found


def _warm(scorer: Scorer, tasks: Sequence[Task], watch: Watch | None) -> None:
    """One pass over the distinct texts of all tasks."""
    texts: dict[str, dict[str, None]] = {}
    for task in tasks:
        for role, those in task.texts().items():
            texts.setdefault(role, {}).update(dict.fromkeys(those))
    for role, distinct in texts.items():

        def tell(done: int, total: int, what: str = f"{role or 'plain'} texts encoded") -> None:
            if watch:
                watch(Progress(scorer.name, what, done, total))

        scorer.warm({role: distinct}, tell)


def _rows(scorer: Scorer, task: Task, about: About, out: Path) -> list[Row]:
    """The rows on file, or measured now."""
    path = rows_file(out, about)
    if _finished(scorer, out, about):
        return read_rows(path)
    rows = task.evaluate(scorer)
    write_rows(path, rows, about, task.family)
    return rows


def rows_file(out: Path, about: About) -> Path:
    """Where the rows of a signature stand: another signature is another file."""
    key = hashlib.sha256(about.signature.encode()).hexdigest()[:8]
    name = re.sub(r"[^\w.-]+", "-", f"{about.model}--{about.task}--{about.split}")
    return out / "rows" / f"{name}--{key}.jsonl"


def _finished(scorer: Scorer, out: Path, about: About) -> bool:
    return bool(scorer.fingerprint) and rows_file(out, about).exists()


def _together(abouts: Sequence[About], tasks: Sequence[str], name: str) -> About:
    """Whose the mean over tasks is: the signatures of its parts, hashed, and all their splits."""
    parts = [about for about in abouts if about.task in tasks]
    hashed = hashlib.sha256("\n".join(about.signature for about in parts).encode()).hexdigest()[:16]
    splits = ", ".join(dict.fromkeys(about.split for about in parts))
    model = abouts[0].model if abouts else ""
    return About(model, name, splits, f"litotes:{version('litotes')}|task:{name}|of:{hashed}")


def _save(out: Path, found: Sequence[Result]) -> None:
    """The results, and those of other models and tasks that stood there before."""
    mine = {(result.model, result.task, result.split) for result in found}
    others = [one for one in read_results(out) if (one.model, one.task, one.split) not in mine]
    write_whole(out / RESULTS, json.dumps([one.line() for one in (*others, *found)], ensure_ascii=False, indent=1))


def read_results(out: Path) -> list[Result]:
    """The results of a run's folder; none where there is no run yet."""
    path = out / RESULTS
    if not path.exists():
        return []
    try:
        return [Result.from_line(row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (*MALFORMED, RecursionError) as error:
        raise InputError(f"{path} is no results file ({error}). Remove it; the rows are beside it") from error


def measured(out: Path, model: str, task: str) -> tuple[str, list[Row]]:
    """The family of a task and a model's rows for it, from a run's folder: what `compare` takes."""
    for result in read_results(out):
        if (result.model, result.task) == (model, task):
            path = rows_file(out, About(model, task, result.split, result.signature))
            with path.open(encoding="utf-8") as stream:
                family = str(json.loads(stream.readline() or "{}").get("family", ""))
            return family, read_rows(path)
    raise InputError(f"{out} holds no results of {model!r} on {task!r}")


def _record(out: Path, scorer: Scorer, skipped: Mapping[str, str]) -> None:
    """run.json: what each model is, and which tasks it could not be measured on."""
    path = out / RECORD
    try:
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON ({error}). Remove it; it will be made anew") from error
    if not isinstance(known, dict):
        raise InputError(f"{path} is no record of a run. Remove it; it will be made anew")
    known[scorer.name] = {
        "fingerprint": scorer.fingerprint,
        "facts": scorer.facts,
        "skipped": dict(skipped),
    }
    write_whole(path, json.dumps(known, ensure_ascii=False, indent=1))
