"""Train one run per point of a sweep. Points that are complete are not trained again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litotes.data.result_files import RESULTS
from litotes.errors import InputError
from litotes.workflows.evaluator import Measurement, read_measurement, write_measurements
from litotes.workflows.progress import Progress
from litotes.workflows.training import (
    Data,
    TrainingJob,
    TrainingOptions,
    is_first_process,
    make_job,
    merged_settings,
    run_job,
)


@dataclass(frozen=True, slots=True)
class Sweep:
    """A finished sweep."""

    folder: Path
    points: tuple[dict[str, Any], ...]
    """per point: its name, its place on the axis, the examples, the steps, and the scores before and after"""


def sweep(
    data: Data | Sequence[Data],
    over: str,
    *,
    out: Data,
    options: TrainingOptions | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Train and measure one run per point, each in a folder of its own in `out`.

    `over` names what changes: "size=1000,2000", "kind", "sources", "positives", "diversity", "shares=0.2,0.8", or a
    setting of the recipe such as "lr=1e-4,3e-4". `options` are common to all points. A point that is in OUT/sweep.json
    with the same settings, examples and measures is not trained again.
    """
    from litotes.data.result_files import Sweep as SweepFile
    from litotes.data.result_files import write_sweep
    from litotes.training.settings import make_settings, setting_names
    from litotes.training.sweeps import sweep_points

    options = options or TrainingOptions()
    job, sets = make_job(data, Path(out), options)
    settings = merged_settings(job.recipe, options)
    points = sweep_points(over, sets, settings=setting_names(job.recipe.config()), seed=job.config.seed)
    known = _known_points(job.out)
    base = _base(job)
    lines: list[dict[str, Any]] = []
    for number, point in enumerate(points, start=1):
        config = make_settings(job.recipe.config(), {**settings, **point.settings})
        one = replace(job, config=config, examples=point.examples, out=job.out / point.name)
        key = _fingerprint(one)
        earlier = known.get(point.name, {})
        if earlier.get("key") == key and (one.out / RESULTS if one.tasks else one.out).exists():
            lines.append(earlier)
        else:
            same_base = base if one.config.base == job.config.base else None
            title = f"{number}/{len(points)} {point.name}"
            try:
                done = run_job(one, name=point.name, base=same_base, title=title, progress=progress)
            except InputError as error:
                raise InputError(f"point {point.name}: {error}") from error
            facts = {"name": point.name, "at": point.at, "examples": done.examples, "steps": done.steps}
            lines.append(facts | {"before": done.before, "scores": done.scores, "key": key})
        if is_first_process():
            write_sweep(job.out, SweepFile(over, tuple(lines), job.recipe.name, job.config.base))
            _write_results(job, base, lines)
    return Sweep(job.out, tuple({name: value for name, value in line.items() if name != "key"} for line in lines))


def _base(job: TrainingJob) -> Measurement | None:
    """Measure the base once for all points, or read its measurement from an earlier start of the sweep."""
    if not job.tasks or not is_first_process():
        return None
    evaluator = job.evaluator()
    measurement = evaluator.read_base(job.out, job.config.base)
    if measurement is None:
        measurement = evaluator.measure_base(job.config.base)
        write_measurements(job.out, [measurement], job.recipe.family)
    return measurement


def _write_results(job: TrainingJob, base: Measurement | None, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write the results of the base and of all points so far, which the report puts into tables."""
    measurements = [base] if base else []
    for line in lines:
        name = str(line["name"])
        point = read_measurement(job.out / name, name, job.recipe.family)
        if point.results:
            measurements.append(point)
    if measurements:
        write_measurements(job.out, measurements, job.recipe.family)


def _known_points(out: Path) -> dict[str, dict[str, Any]]:
    """Read the points of an earlier start of the sweep, by name."""
    from litotes.data.result_files import read_sweep

    earlier = read_sweep(out)
    return {str(point["name"]): point for point in earlier.points if "name" in point} if earlier else {}


def _fingerprint(job: TrainingJob) -> str:
    """Hash everything that a point's figures depend on."""
    from litotes.models.loading import fingerprint
    from litotes.training.examples import digest

    return fingerprint(
        {
            "recipe": job.recipe.name,
            "settings": job.config.plain(),
            "examples": digest(job.examples),
            "replay": digest(job.replay),
            "tasks": [f"{task.name} {task.split} {task.revision}" for task in job.tasks],
        }
    )
