"""Train a model with a recipe and measure it before and after."""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.data.result_files import RUN
from litotes.errors import InputError, require
from litotes.workflows.evaluator import Evaluator, Measurement, tasks_to_measure, write_measurements
from litotes.workflows.progress import Progress, Step, ignore

if TYPE_CHECKING:
    from litotes.evaluation.tasks import Task
    from litotes.training import Example
    from litotes.training.card import CardRow
    from litotes.training.recipes import Recipe

CARD = "README.md"
CHECKPOINTS = "checkpoints"
Data = str | Path

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A finished run."""

    model: str
    """the trained model, as `litotes bench` takes it: "dense:RUN/tower" """
    folder: Path
    examples: int
    steps: int
    before: dict[str, float]
    """the base's scores; empty if nothing was measured"""
    scores: dict[str, float]

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes train` prints."""
        facts = {"model": self.model, "examples": self.examples, "steps": self.steps}
        return facts | {"before": self.before, "scores": self.scores}


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How to train and what to measure; the fields are the keyword arguments of `train`."""

    recipe: str = "tower"
    base: str | None = None
    replay: Sequence[Data] = ()
    settings: Mapping[str, Any] | None = None
    preset: str | None = None
    seed: int | None = None
    measure: Sequence[str] | None = None
    data_dir: Data | None = None
    max_general_loss: float | None = None
    device: str | None = None


def train(
    data: Data | Sequence[Data],
    *,
    out: Data,
    recipe: str = "tower",
    base: str | None = None,
    replay: Sequence[Data] = (),
    settings: Mapping[str, Any] | None = None,
    preset: str | None = None,
    seed: int | None = None,
    measure: Sequence[str] | None = None,
    data_dir: Data | None = None,
    max_general_loss: float | None = None,
    device: str | None = None,
    progress: Progress | None = None,
) -> TrainingRun:
    """Train a model, resume an interrupted run, or return at once if the run in `out` is complete.

    Args:
        data: Files of triples, contrasts or pairs, or folders that `litotes.synth` wrote. "FILE=0.5" uses half of a
            file's examples.
        out: The folder of the run: run.json, curves.jsonl, the model, its card README.md and, if anything is measured,
            results.json.
        recipe: What to train: "tower" (the default), "finetune", "late", "cross", "pair", "seq2seq" or "llm".
        base: The model to start from, by name or path, such as "minilm" or "dense:minilm". The default is the
            recipe's own.
        replay: Files of ordinary pairs (query, positive) that keep general ability.
        settings: Settings of the recipe by name, such as {"epochs": 2, "lr": 2e-4}.
        preset: For "finetune": the settings of a paper ("hedge", "negmpnet" or "nevir").
        seed: The seed of all random choices. The default is 0.
        measure: Tasks to measure before training, after each epoch and at the end. None measures the shipped tasks; an
            empty list measures nothing.
        data_dir: The folder with the public data sets. If given, NevIR and STS-B are measured too.
        max_general_loss: Stop when general ability has fallen by more points, and keep the best epoch before that.
        device: "cpu", "cuda" or "mps".
        progress: Called every few steps.
    """
    options = TrainingOptions(recipe, base, replay, settings, preset, seed, measure, data_dir, max_general_loss, device)
    job, _ = make_job(data, Path(out), options)
    return run_job(job, progress=progress)


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """Everything that determines one run."""

    recipe: Recipe
    config: Any
    examples: Sequence[Example]
    replay: Sequence[Example]
    manifest: Sequence[Mapping[str, Any]]
    out: Path
    tasks: Sequence[Task] = ()
    device: str | None = None

    @property
    def steps(self) -> int:
        """The number of steps if the run is not stopped early."""
        count = self.recipe.count(self.config, self.examples, self.replay)
        batch = int(self.config.batch) * int(os.environ.get("WORLD_SIZE", "1"))
        return int(self.config.epochs) * math.ceil(count / batch)

    @property
    def model(self) -> str:
        """The name of the trained model, as family:path."""
        return f"{self.recipe.family}:{self.out / self.recipe.folder}"

    def evaluator(self, name: str = "") -> Evaluator:
        """Return an evaluator for this job's models; `name` is the trained model's name in the results."""
        loading = self.recipe.loader_options(self.config)
        options: Any = {"device": self.device, "options": loading, "base_family": self.recipe.base_family}
        return Evaluator(self.tasks, self.recipe.family, name, **options)


def make_job(
    data: Data | Sequence[Data], out: Path, options: TrainingOptions
) -> tuple[TrainingJob, list[Sequence[Example]]]:
    """Read the data and the settings; return the job and its examples file by file."""
    from litotes.training.recipes import recipe_of
    from litotes.training.sets import read_sets
    from litotes.training.settings import make_settings

    refuse_file(out)
    if options.measure is not None and not options.measure and options.max_general_loss is not None:
        raise InputError("max_general_loss needs measurements, and measure is empty; leave one of them out")
    recipe = recipe_of(options.recipe)
    config = make_settings(recipe.config(), merged_settings(recipe, options))
    names = [str(one) for one in ([data] if isinstance(data, str | Path) else data)]
    sets = read_sets(names, seed=config.seed)
    replayed = read_sets([str(one) for one in options.replay], seed=config.seed, role="replay")
    folder = Path(options.data_dir) if options.data_dir else None
    measured = options.measure is None or len(options.measure) > 0
    tasks = tasks_to_measure(options.measure or (), folder, family=recipe.family) if measured else []
    job = TrainingJob(
        recipe,
        config,
        [example for one in sets for example in one.examples],
        [example for one in replayed for example in one.examples],
        [one.line for one in (*sets, *replayed)],
        out,
        tasks,
        options.device,
    )
    return job, [one.examples for one in sets]


def merged_settings(recipe: Recipe, options: TrainingOptions) -> dict[str, Any]:
    """Merge the preset, the settings and the options of their own; the later ones win."""
    settings = recipe.preset(options.preset) if options.preset else {}
    settings |= options.settings or {}
    base = _without_family(options.base)
    own = {"base": base, "seed": options.seed, "max_general_loss": options.max_general_loss}
    return settings | {name: value for name, value in own.items() if value is not None}


def _without_family(base: str | None) -> str | None:
    """Return a base without its family: "minilm" for "dense:minilm", as `litotes bench` names models."""
    from litotes.models import FAMILIES

    family, colon, name = (base or "").partition(":")
    return name if colon and family in FAMILIES else base


def run_job(
    job: TrainingJob,
    *,
    name: str = "",
    base: Measurement | None = None,
    title: str = "",
    progress: Progress | None = None,
) -> TrainingRun:
    """Train, measure and write the model card.

    `base` is the base's measurement if there is one already; `name` is the model's name in the results.
    """
    require("sentence_transformers", extra="train", why="training")
    family = job.recipe.family
    evaluator = job.evaluator(name or job.model) if job.tasks else None
    track = _Tracker(job, title, progress or ignore)
    before = after = None
    with _explained_interruption(job.out):
        if evaluator is not None and is_first_process():
            evaluator.on_start = track.measuring
            before = base or evaluator.read_base(job.out, job.config.base)
            if before is None:
                before = evaluator.measure_base(job.config.base)
                write_measurements(job.out, [before], family)
        trained = job.recipe.train()(
            job.config,
            job.examples,
            replay=job.replay,
            out=job.out,
            manifest=job.manifest,
            evaluate=evaluator,
            progress=track,
            device=job.device,
        )
        if evaluator is not None and is_first_process():
            saved = job.out / job.recipe.folder
            after = evaluator.measure(trained.model) if family == "dense" else evaluator.measure_saved(saved)
    measurements = [one for one in (before, after) if one is not None]
    if is_first_process():
        if measurements:
            write_measurements(job.out, measurements, family)
        _write_card(job, evaluator, before, after)
    scores = [evaluator.scores(one) if evaluator is not None and one is not None else {} for one in (before, after)]
    return TrainingRun(job.model, job.out, len(job.examples), trained.steps, *scores)


def is_first_process() -> bool:
    """Return whether this process measures and writes; torchrun and accelerate start several."""
    return int(os.environ.get("RANK", "0")) == 0


def refuse_file(out: Path) -> None:
    """Raise InputError if the folder of a run is a file."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; expected a folder for the run")


class _Tracker:
    """Turns the lines of the training curves into steps for a progress callback."""

    def __init__(self, job: TrainingJob, title: str, progress: Progress) -> None:
        self._total, self._progress = job.steps, progress
        self._title = f"{title}: " if title else ""
        self._done, self._detail = 0, ""

    def __call__(self, line: Mapping[str, Any]) -> None:
        if "loss" in line:
            self._done, self._detail = line["step"], f"loss {line['loss']:.3f}, lr {line['lr']:.1e}"
            self._tell("training")

    def measuring(self) -> None:
        """Say that a measurement starts."""
        self._tell("measuring")

    def _tell(self, what: str) -> None:
        if is_first_process():
            self._progress(Step(f"{self._title}{what}", self._done, self._total, self._detail))


@contextmanager
def _explained_interruption(out: Path) -> Iterator[None]:
    """Say how to resume when the run is interrupted with Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        if (out / CHECKPOINTS).exists():
            logger.warning("interrupted; %s has the last checkpoint. Run the same command again to resume from it", out)
        else:
            logger.warning("interrupted before the first checkpoint. Run the same command again to start over")
        raise


def _write_card(
    job: TrainingJob, evaluator: Evaluator | None, before: Measurement | None, after: Measurement | None
) -> None:
    from litotes.training.card import METRIC, CardSubject, model_card

    described = json.loads((job.out / RUN).read_text(encoding="utf-8"))
    scored = all(example.score is not None for example in (*job.examples, *job.replay))
    family = METRIC if scored else job.recipe.family
    about = CardSubject(job.recipe.name, family, job.recipe.folder, job.out.resolve().name)
    compared = _compare(evaluator, before, after) if evaluator is not None else []
    (job.out / CARD).write_text(model_card(described, compared, about), encoding="utf-8")


def _compare(evaluator: Evaluator, before: Measurement | None, after: Measurement | None) -> list[CardRow]:
    """List each measure before and after training, for the card."""
    from litotes.evaluation import score_name
    from litotes.stats import interval, mean
    from litotes.training.card import CardFigure, CardRow

    rows = []
    headlines = [one.headlines() if one else {} for one in (before, after)]
    for task in evaluator.tasks:
        results = [head.get((task.name, task.split)) for head in headlines]
        figures = [CardFigure(one.value, one.low, one.high) if one else None for one in results]
        latest = next(one for one in reversed(results) if one)
        rows.append(CardRow(score_name(task), latest.measure, latest.n, figures[0], figures[1]))
    pairs = [one.minimal_pairs if one else () for one in (before, after)]
    if any(pairs):
        means = [
            CardFigure(sum(values) / len(values), *interval(mean(values), len(values))) if values else None
            for values in pairs
        ]
        count = len(pairs[1] or pairs[0])
        rows.append(CardRow(evaluator.minimal_pair_measure, "", count, means[0], means[1]))
    return rows
