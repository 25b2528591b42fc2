"""Measure models on tasks: one file of rows per model and task, and results.json computed from them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from litotes.data.catalogue import suite_mean, suites
from litotes.data.result_files import (
    SECONDS_PER_QUERY,
    ItemRow,
    Provenance,
    read_bench_run,
    read_family,
    read_results,
    read_rows,
    rows_path,
    write_bench_run,
    write_results,
    write_rows,
)
from litotes.errors import EndpointError, InputError, MissingError, require
from litotes.evaluation.figures import Figure, fold
from litotes.evaluation.scoring import DEPTH, CachedScorer, MatrixRanker, described
from litotes.evaluation.suites import GENERAL, MTEB_LITE, general_mean, mteb_lite_mean
from litotes.evaluation.tasks import Task, figures
from litotes.stats import ROUNDS
from litotes.types import Result

NO_VECTORS = "it scores pairs of texts, and the task needs vectors"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the measuring of one model has come."""

    model: str
    what: str
    """What is being counted, such as "query texts encoded" or "measuring nevir"."""
    done: int
    total: int


OnProgress = Callable[[Progress], None]
OnMissing = Callable[[str, MissingError], None]
"""Called with the name of a model and the error of a task whose data is missing; the error says how to get it."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are computed: the seed and the number of draws."""

    seed: int
    rounds: int


def bench(
    models: Iterable[Any],
    tasks: Sequence[Task],
    out: Path,
    *,
    cache: Path | None = None,
    first_stage: MatrixRanker | None = None,
    depth: int = DEPTH,
    seed: int = 0,
    rounds: int = ROUNDS,
    progress: OnProgress | None = None,
    missing: OnMissing | None = None,
) -> list[Result]:
    """Measure models on tasks; return the results and write them to OUT/results.json, with the rows in OUT/rows.

    Rows that exist under the same signature are not measured again. A model without a `fingerprint` may have changed,
    so it is always measured again. Results of other runs in the folder are kept. If the data of a task is missing, the
    run stops with MissingError, or calls `missing` and skips the task.
    """
    require("scipy", extra="bench", why="the bench")
    _require_usable(tasks, out)
    results: list[Result] = []
    names: set[str] = set()
    for model in models:
        scorer = CachedScorer(model, cache=cache or out / "vectors", first_stage=first_stage, depth=depth)
        try:
            if scorer.name in names:
                raise InputError(f"two models are called {scorer.name!r}; give each a name of its own")
            names.add(scorer.name)
            results += _measure(scorer, tasks, out, Bootstrap(seed, rounds), progress, missing)
        finally:
            scorer.close()
    if not names:
        raise InputError("there is no model to measure")
    return results


def signature(scorer: CachedScorer, task: Task, seed: int) -> str:
    """Return everything that is needed to reproduce a figure, in one line."""
    parts = {
        "litotes": version("litotes"),
        "task": task.name,
        "revision": task.revision,
        "split": task.split,
        "n": len(task),
        **described(scorer),
        "seed": seed,
    }
    if task.family == "retrieval":
        parts |= scorer.stages
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def measured(out: Path, model: str, task: str) -> tuple[str, list[ItemRow]]:
    """Return the family of a task and a model's rows on it, from a folder of results: the arguments of `compare`."""
    for result in read_results(out):
        if (result.model, result.task) == (model, task):
            path = rows_path(out, Provenance(model, task, result.split, result.signature))
            return read_family(path), read_rows(path)
    raise InputError(f"{out} has no results of {model!r} on {task!r}")


def _require_usable(tasks: Sequence[Task], out: Path) -> None:
    names = [(task.name, task.split) for task in tasks]
    repeated = [name for name in names if names.count(name) > 1]
    if not names or repeated:
        raise InputError(f"the task {repeated[0][0]} is given twice" if repeated else "there is no task to measure on")
    empty = [task for task in tasks if not len(task)]
    if empty:
        raise InputError(f"the task {empty[0].name} has no items in {empty[0].split}")
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; expected a folder for the results")


def _measure(
    scorer: CachedScorer,
    tasks: Sequence[Task],
    out: Path,
    bootstrap: Bootstrap,
    progress: OnProgress | None,
    missing: OnMissing | None,
) -> list[Result]:
    """Measure one model on all tasks that it can be measured on."""
    suitable = [task for task in tasks if scorer.encodes or not task.needs_vectors]
    sources = [
        Provenance(scorer.name, task.name, task.split, signature(scorer, task, bootstrap.seed)) for task in suitable
    ]
    skipped = {task.name: NO_VECTORS for task in tasks if task.needs_vectors and not scorer.encodes}
    _record_run(out, scorer, skipped)
    unfinished = [task for task, source in zip(suitable, sources, strict=True) if not _finished(scorer, out, source)]
    _encode_texts(scorer, unfinished, progress)
    results: list[Result] = []
    headlines: dict[str, Figure] = {}
    for number, (task, source) in enumerate(zip(suitable, sources, strict=True)):
        if progress:
            progress(Progress(scorer.name, f"measuring {task.name}", number, len(suitable)))
        try:
            rows = _rows(scorer, task, source, out)
        except MissingError as error:
            # an endpoint that is down will also be down for the next task
            if missing is None or isinstance(error, EndpointError):
                raise
            missing(scorer.name, error)
            skipped[task.name] = str(error)
            _record_run(out, scorer, skipped)
            continue
        computed = figures(task.family, rows)
        headlines[task.name] = computed[0]
        results += fold(computed, source, seed=bootstrap.seed, rounds=bootstrap.rounds)
        _save(out, results)
    if progress:
        progress(Progress(scorer.name, "tasks measured", len(suitable), len(suitable)))
    means = (
        general_mean(headlines, _combined(sources, GENERAL), seed=bootstrap.seed, rounds=bootstrap.rounds),
        mteb_lite_mean(headlines, _combined(sources, MTEB_LITE)),
    )
    results += [mean for mean in means if mean is not None]
    _save(out, results)
    return results


def _encode_texts(scorer: CachedScorer, tasks: Sequence[Task], progress: OnProgress | None) -> None:
    """Encode the distinct texts of all tasks in one pass."""
    texts: dict[str, dict[str, None]] = {}
    for task in tasks:
        for role, role_texts in task.texts().items():
            texts.setdefault(role, {}).update(dict.fromkeys(role_texts))
    for role, distinct in texts.items():

        def report(done: int, total: int, what: str = f"{role} texts encoded".strip()) -> None:
            if progress:
                progress(Progress(scorer.name, what, done, total))

        scorer.warm({role: distinct}, report)


def _rows(scorer: CachedScorer, task: Task, source: Provenance, out: Path) -> list[ItemRow]:
    """Read the rows of a finished task, or measure them."""
    if _finished(scorer, out, source):
        return read_rows(rows_path(out, source))
    rows = task.evaluate(scorer)
    write_rows(out, rows, source, task.family)
    if task.family == "retrieval" and scorer.reranks:
        records = read_bench_run(out)
        records[scorer.name].setdefault(SECONDS_PER_QUERY, {})[source.signature] = round(scorer.seconds_per_query, 6)
        write_bench_run(out, records)
    return rows


def _finished(scorer: CachedScorer, out: Path, source: Provenance) -> bool:
    return bool(scorer.fingerprint) and rows_path(out, source).exists()


def _combined(sources: Sequence[Provenance], suite: str) -> Provenance:
    """Return the provenance of a mean over tasks: a hash of the signatures of its parts, and all their splits."""
    parts = [source for source in sources if source.task in suites()[suite]]
    name = suite_mean(suite)
    digest = hashlib.sha256("\n".join(source.signature for source in parts).encode()).hexdigest()[:16]
    splits = ", ".join(dict.fromkeys(source.split for source in parts))
    model = sources[0].model if sources else ""
    return Provenance(model, name, splits, f"litotes:{version('litotes')}|task:{name}|of:{digest}")


def _save(out: Path, results: Sequence[Result]) -> None:
    """Write the results, and keep those of other models and tasks that are in the file."""
    replaced = {(result.model, result.task, result.split) for result in results}
    kept = [result for result in read_results(out) if (result.model, result.task, result.split) not in replaced]
    write_results(out, (*kept, *results))


def _record_run(out: Path, scorer: CachedScorer, skipped: Mapping[str, str]) -> None:
    """Add the model to run.json: its facts, and the tasks it could not be measured on."""
    records = read_bench_run(out)
    record = {"fingerprint": scorer.fingerprint, "facts": scorer.facts, "skipped": dict(skipped)}
    seconds = records.get(scorer.name, {}).get(SECONDS_PER_QUERY)
    records[scorer.name] = record | ({SECONDS_PER_QUERY: seconds} if seconds else {})
    write_bench_run(out, records)
