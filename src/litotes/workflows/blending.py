"""Mix the weights of models without training: a fine-tuned model with its base, or several runs with each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.data.result_files import RUN, Sweep, write_sweep
from litotes.errors import InputError
from litotes.types import MALFORMED
from litotes.workflows.evaluator import Evaluator, Measurement, tasks_to_measure, write_measurements
from litotes.workflows.progress import Progress, Step, ignore
from litotes.workflows.training import Data, refuse_file

if TYPE_CHECKING:
    from litotes.evaluation.tasks import Task

FAMILY = "dense"
DEFAULT_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Blend:
    """One blend, or the mean of several runs."""

    name: str
    model: str
    """as `litotes bench` takes it"""
    before: dict[str, float]
    """the base's scores; empty if nothing was measured"""
    scores: dict[str, float]
    share: float | None = None
    """of the fine-tuned model's weights; None for a mean"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes blend` and `litotes average` print."""
        facts: dict[str, Any] = {"name": self.name} | ({} if self.share is None else {"at": self.share})
        return facts | {"model": self.model, "examples": 0, "before": self.before, "scores": self.scores}


@dataclass(frozen=True, slots=True)
class Blends:
    """The blends of one fine-tuned model, one per share."""

    folder: Path
    blends: tuple[Blend, ...]
    best: float | None = None
    """the share that hears negation best within max_general_loss; 0 is the base; None if no limit was given"""


def blend(
    model: Data,
    *,
    out: Data,
    base: str = "",
    shares: Sequence[float] = (DEFAULT_SHARE,),
    measure: Sequence[str] | None = None,
    data_dir: Data | None = None,
    max_general_loss: float | None = None,
    device: str | None = None,
    progress: Progress | None = None,
) -> Blends:
    """Mix a fine-tuned encoder's weights with its base's, save one blend per share in `out` and measure each.

    `model` is a fine-tuned model or the run that made it; `base` is needed only if the run does not name it. A share of
    0 is the base, 1 the fine-tuned model. With `max_general_loss` the result names the share that is best at negation
    among those that lost at most that many points of general ability.
    """
    from litotes.models.base_encoder import find_base
    from litotes.training.blending import blend as mix
    from litotes.training.finetune import load_base

    folder = Path(out)
    refuse_file(folder)
    _refuse_shares(shares)
    tuned = _tuned_model(Path(model))
    base = base or _base_of(tuned.parent / RUN)
    if not base:
        raise InputError(f"{model} does not say what it was fine-tuned from; name the base")
    tasks = _tasks(measure, data_dir)
    _refuse_limit(max_general_loss, tasks)
    report = progress or ignore
    one, other = load_base(find_base(base), "cpu"), load_base(find_base(str(tuned)), "cpu")
    measurements: list[Measurement] = []
    before: dict[str, float] = {}
    if tasks:
        evaluator = Evaluator(tasks, FAMILY, f"{FAMILY}:{base}", device=device)
        measurements.append(evaluator.measure_base(base))
        before = evaluator.scores(measurements[0])
    blends: list[Blend] = []
    for number, share in enumerate(shares, start=1):
        name = f"share-{share:g}"
        home = folder / name / "model"
        mix(one, other, share).save_pretrained(str(home), create_model_card=False)
        scores: dict[str, float] = {}
        if tasks:
            evaluator = Evaluator(tasks, FAMILY, name, device=device)
            measurements.append(evaluator.measure_saved(home))
            scores = evaluator.scores(measurements[-1])
            write_measurements(folder, measurements, FAMILY)
        blends.append(Blend(name, f"{FAMILY}:{home}", before, scores, share))
        write_sweep(folder, Sweep("share", tuple(made.line() for made in blends), "blend", base))
        report(Step("blending", number, len(shares), name))
    return Blends(folder, tuple(blends), best_share(blends, max_general_loss))


def average(
    runs: Sequence[Data],
    *,
    out: Data,
    measure: Sequence[str] | None = None,
    data_dir: Data | None = None,
    device: str | None = None,
) -> Blend:
    """Average the weights of towers or pair models that started from the same seed; save and measure the mean."""
    from litotes.models.loading import configuration
    from litotes.training.averaging import PAIR, TOWER
    from litotes.training.averaging import average as mean

    folder = Path(out)
    refuse_file(folder)
    tasks = _tasks(measure, data_dir)
    home = mean([str(run) for run in runs], folder)
    tower = configuration(home, TOWER.card)
    family = FAMILY if tower else "cross"
    base = str((tower or configuration(home, PAIR.card))["base"]["name"])
    before, scores = {}, {}
    if tasks:
        evaluator = Evaluator(tasks, family, "mean", device=device, base_family=FAMILY)
        measurements = [evaluator.measure_base(base), evaluator.measure_saved(home)]
        before, scores = (evaluator.scores(measurement) for measurement in measurements)
        write_measurements(folder, measurements, family)
    return Blend("mean", f"{family}:{home}", before, scores)


def _tasks(measure: Sequence[str] | None, data_dir: Data | None) -> list[Task]:
    if measure is not None and not measure:
        return []
    return tasks_to_measure(measure or (), Path(data_dir) if data_dir else None)


def _tuned_model(given: Path) -> Path:
    """Return the folder of a fine-tuned model, given it or its run."""
    tuned = given / "model" if (given / "model").is_dir() else given
    if not tuned.is_dir():
        raise InputError(f"there is no folder {str(given)!r}; expected a fine-tuned model, or the folder of its run")
    return tuned


def _refuse_shares(shares: Sequence[float]) -> None:
    shown = ", ".join(f"{share:g}" for share in shares)
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise InputError(f"the shares are {shown or 'none'}; expected numbers from 0 (base) to 1 (fine-tuned model)")
    if len(set(shares)) < len(shares):
        raise InputError(f"the shares are {shown}; expected each once")


def _refuse_limit(max_general_loss: float | None, tasks: Sequence[Task]) -> None:
    from litotes.evaluation import score_name

    groups = {score_name(task).partition(".")[0] for task in tasks}
    if max_general_loss is not None and groups != {"negation", "general"}:
        measured = " and ".join(sorted(groups)) or "nothing"
        raise InputError(
            f"max_general_loss weighs negation against general ability, but the tasks measure {measured}. "
            "Measure tasks of both kinds, or leave it out"
        )


def best_share(blends: Sequence[Blend], max_general_loss: float | None) -> float | None:
    """Return the share that is best at negation within the limit; 0 is the base, None means there is no limit."""
    from litotes.training.choosing import choose, point_of

    if max_general_loss is None:
        return None
    points = [point_of(0, blends[0].before), *(point_of(one.share or 0, one.scores) for one in blends)]
    return choose(points, max_general_loss).at


def _base_of(record: Path) -> str:
    if not record.is_file():
        return ""
    try:
        return str(json.loads(record.read_text(encoding="utf-8"))["base"]["name"])
    except (*MALFORMED, RecursionError) as error:
        raise InputError(f"{record} is not the record of a run ({error}); name the base") from error
