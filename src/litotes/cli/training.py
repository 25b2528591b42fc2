"""One run of a recipe as the command line has it: watched, measured before and after, with its card."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from litotes.cli.measuring import Evaluator, Measured, score_name, write_results
from litotes.errors import require

if TYPE_CHECKING:
    from litotes.bench.tasks import Task
    from litotes.train import Example
    from litotes.train.card import Compared
    from litotes.train.recipes import Recipe

CARD, RECORD = "README.md", "run.json"
CHECKPOINTS = ("checkpoint.safetensors", "checkpoints")


@dataclass(frozen=True, slots=True)
class Job:
    """All that a run is made of."""

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
        """How many steps it will take, where nothing stops it early."""
        whole = self.recipe.count(self.config, self.examples)
        return int(self.config.epochs) * math.ceil(whole / int(self.config.batch))

    @property
    def options(self) -> dict[str, Any]:
        """What the family's adapter must be told to read the model as the recipe does."""
        if self.recipe.family == "seq2seq":
            return {"answers": (self.config.yes, self.config.no)}
        return {"label": self.config.label} if self.recipe.family == "cross" else {}


@dataclass(frozen=True, slots=True)
class Done:
    """A finished run: its steps, and what was measured before and after."""

    steps: int
    before: dict[str, float]
    after: dict[str, float]


def run(job: Job, *, name: str = "", base: Measured | None = None, title: str = "") -> Done:
    """Trains, measures and writes the card; `base` is the base if it is measured, `name` the model's in the results."""
    require("sentence_transformers", extra="train", why="training")
    family = job.recipe.family
    evaluator = None
    if job.tasks:
        name = name or f"{family}:{job.out / job.recipe.folder}"
        options: Any = {"device": job.device, "options": job.options, "before": job.recipe.before}
        evaluator = Evaluator(job.tasks, family, name, **options)
    with _bar(job, title) as (watch, say), _going_on(job.out):
        before = None
        if evaluator is not None and is_first():
            evaluator.begins = lambda: say("measuring")
            before = base or evaluator.kept(job.out, job.config.base)
            if before is None:
                before = evaluator.base(job.config.base)
                write_results(job.out, [before], family)
        trained = job.recipe.train()(
            job.config,
            job.examples,
            replay=job.replay,
            out=job.out,
            manifest=job.manifest,
            evaluate=evaluator,
            watch=watch,
            device=job.device,
        )
        after = None
        if evaluator is not None and is_first():
            after = evaluator.of(trained.model) if family == "dense" else evaluator.saved(job.out / job.recipe.folder)
    measured = [one for one in (before, after) if one is not None]
    if is_first():
        if measured:
            write_results(job.out, measured, family)
        _write_card(job, evaluator, before, after)
    scores = [evaluator.scores(one) if evaluator is not None and one is not None else {} for one in (before, after)]
    return Done(trained.steps, *scores)


def is_first() -> bool:
    """Whether this is the process that measures and writes: torchrun and accelerate number them."""
    return int(os.environ.get("RANK", "0")) == 0


@contextmanager
def _bar(job: Job, title: str) -> Iterator[tuple[Any, Any]]:
    """A progress bar, where somebody watches: what to call with each line of the curves, and with what is going on."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[loss]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    lead = f"{title}: " if title else ""
    hidden = not sys.stderr.isatty() or not is_first()
    with Bars(*columns, console=Console(stderr=True), disable=hidden) as bars:
        line = bars.add_task(f"{lead}loading", total=job.steps, loss="")

        def say(what: str) -> None:
            bars.update(line, description=f"{lead}{what}")

        def watch(noted: Mapping[str, Any]) -> None:
            if "loss" in noted:
                speed = bars.tasks[0].speed
                rate = f"{speed:.1f} steps/s" if speed else ""
                loss = f"loss {noted['loss']:.3f}  lr {noted['lr']:.1e}  {rate}"
                bars.update(line, completed=noted["step"], loss=loss, description=f"{lead}training")

        yield watch, say


@contextmanager
def _going_on(out: Path) -> Iterator[None]:
    """Ctrl-C leaves what is on disk, and says how to go on from it."""
    try:
        yield
    except KeyboardInterrupt:
        if any((out / name).exists() for name in CHECKPOINTS):
            said = f"stopped; the last checkpoint stays in {out}. The same command again goes on from it"
        else:
            said = "stopped before the first checkpoint. The same command again begins anew"
        click.echo(f"litotes: {said}", err=True)
        raise


def _write_card(job: Job, evaluator: Evaluator | None, before: Measured | None, after: Measured | None) -> None:
    from litotes.train.card import About, model_card

    described = json.loads((job.out / RECORD).read_text(encoding="utf-8"))
    about = About(job.recipe.name, job.recipe.family, job.recipe.folder, job.out.resolve().name)
    compared = _compared(evaluator, before, after) if evaluator is not None else []
    (job.out / CARD).write_text(model_card(described, compared, about), encoding="utf-8")


def _compared(evaluator: Evaluator, before: Measured | None, after: Measured | None) -> list[Compared]:
    """Each measure before and after, for the card."""
    from litotes.stats import interval, mean
    from litotes.train.card import Compared, Figure

    found = []
    heads = [one.headlines() if one else {} for one in (before, after)]
    for task in evaluator.tasks:
        pair = [head.get((task.name, task.split)) for head in heads]
        figures = [Figure(one.value, one.low, one.high) if one else None for one in pair]
        there = next(one for one in reversed(pair) if one)
        found.append(Compared(score_name(task), there.measure, there.n, figures[0], figures[1]))
    twins = [one.twins if one else () for one in (before, after)]
    if any(twins):
        spread = [
            Figure(sum(those) / len(those), *interval(mean(those), len(those))) if those else None for those in twins
        ]
        found.append(Compared(evaluator.twins_are, "", len(twins[1] or twins[0]), spread[0], spread[1]))
    return found
