"""litotes train --recipe blend: a fine-tuned model's weights mixed with its base's, or several runs' averaged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.cli.measuring import Evaluator, Measured, score_name, write_results
from litotes.cli.sweeping import SWEEP
from litotes.cli.training import RECORD
from litotes.errors import InputError
from litotes.types import MALFORMED

if TYPE_CHECKING:
    from litotes.bench.tasks import Task

FAMILY = "dense"
SHARE = 0.3
"""the feasibility run's own: most of the negation, little of the cost"""


@dataclass(frozen=True, slots=True)
class Blending:
    """What is blended, at which shares, and on what the blends are measured."""

    tuned: Path
    base: str
    shares: Sequence[float]
    out: Path
    tasks: Sequence[Task] = ()
    device: str | None = None
    max_general_loss: float | None = None


def blending(
    data: Sequence[str], out: Path, base: str, shares: Sequence[float], tasks: Sequence[Task], **options: Any
) -> Blending:
    """The job as the command line names it: DATA is one fine-tuned model, or the run that made it."""
    if len(data) != 1:
        raise InputError(f"a blend is made of one fine-tuned model; got {len(data)}")
    given = Path(data[0])
    tuned = given / "model" if (given / "model").is_dir() else given
    if not tuned.is_dir():
        raise InputError(f"{given} is no folder; expected a fine-tuned model, or the folder of its run")
    named = base or _base_of(tuned.parent / RECORD)
    if not named:
        raise InputError(f"{given} does not say what it was tuned from; name the base with --base")
    groups = {score_name(task).partition(".")[0] for task in tasks}
    if options.get("max_general_loss") is not None and groups != {"negation", "general"}:
        raise InputError(
            f"--max-general-loss weighs negation against general ability; the tasks measure {' and '.join(groups)} "
            "alone. Name tasks of both with --measure, or leave it out"
        )
    return Blending(tuned, named, list(shares) or [SHARE], out, tasks, **options)


def blends(job: Blending) -> Iterator[dict[str, Any]]:
    """Makes, measures and saves a blend a share; OUT/sweep.json and OUT/results.json are what the report draws."""
    from litotes.bench.rows import write_whole
    from litotes.models.tower.build import find_base
    from litotes.train.blending import blend
    from litotes.train.finetune import opened

    one, other = opened(find_base(job.base), "cpu"), opened(find_base(str(job.tuned)), "cpu")
    measured = [_measured(job, "", f"{FAMILY}:{job.base}")] if job.tasks else []
    before = _scores(job, measured[0]) if measured else {}
    lines: list[dict[str, Any]] = []
    for share in job.shares:
        name = f"share-{share:g}"
        home = job.out / name / "model"
        blend(one, other, share).save_pretrained(str(home), create_model_card=False)
        line = {"name": name, "at": share, "model": f"{FAMILY}:{home}", "examples": 0, "before": before, "scores": {}}
        if job.tasks:
            measured.append(_measured(job, str(home), name))
            line["scores"] = _scores(job, measured[-1])
            write_results(job.out, measured, FAMILY)
        lines.append(line)
        written = {"sweep": "share", "recipe": "blend", "base": job.base, "points": lines}
        write_whole(job.out / SWEEP, json.dumps(written, ensure_ascii=False, indent=1) + "\n")
        yield line


def mean(data: Sequence[str], out: Path, tasks: Sequence[Task] = (), *, device: str | None = None) -> dict[str, Any]:
    """Makes, measures and saves the mean of towers or metrics that began alike; OUT/results.json is for the report."""
    from litotes.models.loading import configuration
    from litotes.train.averaging import KINDS, average

    home = average(data, out)
    card, _ = KINDS[home.name]
    base = str(configuration(home, card)["base"]["name"])
    family = FAMILY if home.name == "tower" else "score"
    line: dict[str, Any] = {"name": "mean", "model": f"{family}:{home}", "examples": 0, "before": {}, "scores": {}}
    if tasks:
        evaluator = Evaluator(tasks, family, line["name"], device=device, before=FAMILY)
        measured = [evaluator.base(base), evaluator.saved(home)]
        line |= {"before": evaluator.scores(measured[0]), "scores": evaluator.scores(measured[1])}
        write_results(out, measured, family)
    return line


def chosen(job: Blending, lines: Sequence[dict[str, Any]]) -> str:
    """Which blend to take, where a limit of general loss was set: one sentence."""
    from litotes.train.choosing import choose, point_of

    if job.max_general_loss is None or not job.tasks:
        return ""
    points = [point_of(0, lines[0]["before"]), *(point_of(line["at"], line["scores"]) for line in lines)]
    best = choose(points, job.max_general_loss)
    if not best.at:
        return f"every blend lost more than {job.max_general_loss:g} of general ability, or heard negation no better"
    return f"share {best.at:g} hears negation best among those that lost at most {job.max_general_loss:g}"


def _measured(job: Blending, folder: str, name: str) -> Measured:
    evaluator = Evaluator(job.tasks, FAMILY, name, device=job.device)
    return evaluator.saved(Path(folder)) if folder else evaluator.base(job.base)


def _scores(job: Blending, measured: Measured) -> dict[str, float]:
    return Evaluator(job.tasks, FAMILY, measured.model).scores(measured)


def _base_of(record: Path) -> str:
    if not record.is_file():
        return ""
    try:
        return str(json.loads(record.read_text(encoding="utf-8"))["base"]["name"])
    except (*MALFORMED, RecursionError) as error:
        raise InputError(f"{record} is no record of a run ({error}); name the base with --base") from error
