"""A sweep from the command line: a run a point, each in a folder of its own; what is finished is not run again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.cli.measuring import Evaluator, Measured, read_measured, write_results
from litotes.cli.training import Job, is_first, run
from litotes.errors import InputError
from litotes.types import MALFORMED

if TYPE_CHECKING:
    from litotes.train.sweeps import Point

SWEEP = "sweep.json"


def sweep(job: Job, what: str, points: Sequence[Point], settings: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Trains the points one after the other and gives each one's line; OUT/sweep.json has them all.

    `settings` are those common to all points. A point that stands in sweep.json with the same settings, examples and
    measures is taken from there.
    """
    from litotes.bench.rows import write_whole
    from litotes.train.settings import configured

    jobs = [
        replace(
            job,
            config=configured(job.recipe.config(), {**settings, **point.settings}),
            examples=point.examples,
            out=job.out / point.name,
        )
        for point in points
    ]
    known = _known(job.out)
    base = _base(job)
    lines: list[dict[str, Any]] = []
    for number, (point, one) in enumerate(zip(points, jobs, strict=True), start=1):
        key = _key(one)
        old = known.get(point.name, {})
        if old.get("key") == key and (one.out / "results.json" if one.tasks else one.out).exists():
            lines.append(old)
        else:
            same_base = base if one.config.base == job.config.base else None
            try:
                done = run(one, name=point.name, base=same_base, title=f"{number}/{len(points)} {point.name}")
            except InputError as error:
                raise InputError(f"point {point.name}: {error}") from error
            facts = {"name": point.name, "at": point.at, "examples": len(point.examples), "steps": done.steps}
            lines.append(facts | {"before": done.before, "scores": done.after, "key": key})
        if is_first():
            written = {"sweep": what, "recipe": job.recipe.name, "base": job.config.base, "points": lines}
            write_whole(job.out / SWEEP, json.dumps(written, ensure_ascii=False, indent=1) + "\n")
            _write_results(job, base, lines)
        yield lines[-1]


def _base(job: Job) -> Measured | None:
    """The base measured once for all points, or taken from an earlier start of the sweep."""
    if not job.tasks or not is_first():
        return None
    options: Any = {"device": job.device, "options": job.options, "before": job.recipe.before}
    evaluator = Evaluator(job.tasks, job.recipe.family, "", **options)
    found = evaluator.kept(job.out, job.config.base)
    if found is None:
        found = evaluator.base(job.config.base)
        write_results(job.out, [found], job.recipe.family)
    return found


def _write_results(job: Job, base: Measured | None, lines: Sequence[Mapping[str, Any]]) -> None:
    """The results of the base and of all points so far, which the report puts into tables."""
    found = [base] if base else []
    for line in lines:
        name = str(line["name"])
        point = read_measured(job.out / name, name, job.recipe.family)
        if point.results:
            found.append(point)
    if found:
        write_results(job.out, found, job.recipe.family)


def _known(out: Path) -> dict[str, dict[str, Any]]:
    """The points of an earlier start of the sweep, by name."""
    path = out / SWEEP
    if not path.is_file():
        return {}
    try:
        return {str(point["name"]): point for point in json.loads(path.read_text(encoding="utf-8"))["points"]}
    except (*MALFORMED, RecursionError) as error:
        raise InputError(f"{path} is no sweep ({error}). Remove it, or give another folder") from error


def _key(job: Job) -> str:
    """Changes with anything a point's figures depend on."""
    from litotes.models.loading import fingerprint
    from litotes.train.examples import digest

    return fingerprint(
        {
            "recipe": job.recipe.name,
            "settings": job.config.plain(),
            "examples": digest(job.examples),
            "replay": digest(job.replay),
            "tasks": [f"{task.name} {task.split} {task.revision}" for task in job.tasks],
        }
    )
