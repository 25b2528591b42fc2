"""The check for CI: does a model respect negation, and is it as good as its baseline at everything else?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from litotes.data.result_files import ItemRow, Provenance, read_rows, rows_path
from litotes.data.selection import DataSelection
from litotes.errors import CheckError, InputError, did_you_mean
from litotes.evaluation.catalogue import build, suite
from litotes.evaluation.compare import paired_figures
from litotes.evaluation.figures import ALL, Figure
from litotes.evaluation.requirements import Requirement, Thresholds
from litotes.evaluation.run import NO_VECTORS, OnProgress, bench
from litotes.evaluation.scoring import MatrixRanker
from litotes.evaluation.tasks import Task
from litotes.evaluation.tasks.contrast_pairs import ContrastTask
from litotes.stats import ROUNDS, draws, percentiles, point
from litotes.types import Result

KIND = "kind: "
NEGATION, GENERAL_LOSS = "negation", "general loss"
NO_BASELINE = "no baseline, so general ability was not checked"


@dataclass(frozen=True, slots=True)
class Loss:
    """One general task: the model, the baseline, and how far the model is behind."""

    model: Result
    baseline: Result
    lost: Result
    """The baseline minus the model, paired item by item, so its interval is narrower than theirs."""

    def line(self) -> dict[str, Any]:
        """Return its part of the JSON object of `litotes check`."""
        return {"model": self.model.line(), "baseline": self.baseline.line(), "loss": self.lost.line()}


@dataclass(frozen=True, slots=True)
class Check:
    """What was required of a model, and what it reached."""

    model: str
    baseline: str
    """ "" if there was none."""
    requirements: tuple[Requirement, ...]
    negation: Result
    kinds: tuple[Result, ...]
    general: tuple[Loss, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """General tasks that one of the two could not be measured on, and why."""

    @property
    def passed(self) -> bool:
        """Whether every requirement is met."""
        return not self.missed

    @property
    def missed(self) -> tuple[Requirement, ...]:
        """The requirements that are not met."""
        return tuple(requirement for requirement in self.requirements if not requirement.met)

    @property
    def verdict(self) -> str:
        """The result in one line."""
        listed = self.missed or self.requirements
        word = f"failed {len(listed)} of {len(self.requirements)}" if self.missed else "passed"
        notes = [] if self.baseline else [NO_BASELINE]
        notes += [f"{task} left out: {reason}" for task, reason in self.left_out.items()]
        return "; ".join((f"{word}: {self.model}: {', '.join(each.short for each in listed)}", *notes))

    @property
    def general_loss(self) -> Result | None:
        """The mean loss; None without a baseline."""
        return next((each.figure for each in self.requirements if each.name == GENERAL_LOSS), None)

    def enforce(self) -> None:
        """Raise CheckError if a requirement is not met."""
        if self.missed:
            raise CheckError(f"{self.model} failed the check: {', '.join(each.name for each in self.missed)}")

    def line(self) -> dict[str, Any]:
        """Return the JSON object of `litotes check`."""
        return {
            "model": self.model,
            "baseline": self.baseline or None,
            "passed": self.passed,
            "verdict": self.verdict,
            "requirements": [requirement.line() for requirement in self.requirements],
            "negation": self.negation.line(),
            "kinds": [kind.line() for kind in self.kinds],
            "general": [loss.line() for loss in self.general],
            "left_out": dict(self.left_out),
        }


def negation_task() -> ContrastTask:
    """Return the contrasts of the taxonomy's test split: every kind of negation, and pairs without any."""
    task = build("taxonomy", DataSelection(split="test"))
    if not isinstance(task, ContrastTask):
        raise TypeError(f"the taxonomy is a {type(task).__name__}; expected contrasts")
    return task


def general_tasks() -> list[Task]:
    """Return general-mini: scored pairs, retrieval, intents."""
    return suite(["general-mini"])


def check(
    model: Any,
    baseline: Any = None,
    *,
    load: Callable[[Any], Any] = lambda model: model,
    thresholds: Thresholds | None = None,
    negation: ContrastTask | None = None,
    general: Sequence[Task] | None = None,
    cache: Path | None = None,
    first_stage: MatrixRanker | None = None,
    seed: int = 0,
    rounds: int = ROUNDS,
    progress: OnProgress | None = None,
) -> Check:
    """Compare a model with thresholds: its accuracy on contrasts and, with a baseline, its loss on general tasks.

    `load` turns a name into a model. Models are loaded one at a time, so that the two need not fit into memory
    together. Vectors and rows are kept in the folder `cache`, and what has not changed is not measured again.
    """
    required = thresholds or Thresholds()
    contrasts = negation_task() if negation is None else negation
    _require_checkable(required, contrasts, baseline)
    options: dict[str, Any] = {"first_stage": first_stage, "seed": seed, "rounds": rounds, "progress": progress}
    with ExitStack() as stack:
        out = cache or Path(stack.enter_context(TemporaryDirectory()))
        started = perf_counter()
        loaded = load(model)
        results = bench([loaded], [contrasts], out, **options)
        requirements = _negation_requirements(results, required, perf_counter() - started)
        found = Check(results[0].model, "", requirements, results[0], _kinds(results))
        if baseline is None:
            return found
        started = perf_counter()
        tasks = general_tasks() if general is None else general
        own = _measure(loaded, tasks, out, options)
        del loaded
        base = _measure(load(baseline), tasks, out, options)
    losses, mean = _losses(own, base, seed=seed, rounds=rounds)
    base_name = losses[0].baseline.model
    names = ", ".join(loss.model.task for loss in losses)
    about = f"the loss of {found.model} against {base_name}, the mean over {names},"
    seconds = perf_counter() - started
    lost = Requirement(GENERAL_LOSS, about, mean, required.allowed_loss, maximum=True, seconds=seconds)
    left_out = {task.name: NO_VECTORS for task in tasks if not (task.name in own and task.name in base)}
    return replace(
        found, baseline=base_name, requirements=(*requirements, lost), general=tuple(losses), left_out=left_out
    )


def _require_checkable(thresholds: Thresholds, negation: ContrastTask, baseline: Any) -> None:
    """Raise InputError for thresholds that cannot be checked, before any model is loaded."""
    known = sorted({item.kind for item in negation.items if item.kind})
    for kind in thresholds.min_kinds:
        if kind not in known:
            expected = f"expected one of {', '.join(known) or 'none'}.{did_you_mean(kind, known)}"
            raise InputError(f"{negation.name} has no kind {kind!r}; {expected}")
    if baseline is None and thresholds.max_general_loss is not None:
        raise InputError(
            f"max-general-loss is {thresholds.max_general_loss:g}, but there is no baseline to compare with. Name the "
            "model that this one was made from as its baseline"
        )


def _kinds(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the accuracy on each kind, which is the first figure of its slice."""
    kinds: dict[str, Result] = {}
    for result in results:
        if result.slice.startswith(KIND):
            kinds.setdefault(result.slice, result)
    return tuple(kinds.values())


def _negation_requirements(
    results: Sequence[Result], thresholds: Thresholds, seconds: float
) -> tuple[Requirement, ...]:
    """Return the requirement on all contrasts, and those on single kinds."""
    first, by_slice = results[0], {kind.slice: kind for kind in _kinds(results)}
    where = f"of {first.model} on {first.task} {first.split}"
    requirements = [Requirement(NEGATION, f"{first.measure} {where}", first, thresholds.min_negation, seconds=seconds)]
    for kind, threshold in thresholds.min_kinds.items():
        result = by_slice[f"{KIND}{kind}"]
        about = f"{result.measure} {where}, only {kind},"
        requirements.append(Requirement(result.slice, about, result, threshold))
    return tuple(requirements)


@dataclass(frozen=True, slots=True)
class MeasuredTask:
    """A model on one general task: the headline, and the rows that it is computed from."""

    headline: Result
    family: str
    rows: tuple[ItemRow, ...]


def _measure(model: Any, tasks: Sequence[Task], out: Path, options: Mapping[str, Any]) -> dict[str, MeasuredTask]:
    """Measure a model by the names of the tasks; without those that need vectors if the model has none.

    The rows are read at once: those of a model without a fingerprint are overwritten by the next model of its name.
    """
    headlines: dict[str, Result] = {}
    for result in bench([model], tasks, out, **options):
        headlines.setdefault(result.task, result)
    measured = {}
    for task in tasks:
        if task.name in headlines:
            result = headlines[task.name]
            source = Provenance(result.model, result.task, result.split, result.signature)
            measured[task.name] = MeasuredTask(result, task.family, tuple(read_rows(rows_path(out, source))))
    return measured


def _losses(
    own: Mapping[str, MeasuredTask], base: Mapping[str, MeasuredTask], *, seed: int, rounds: int
) -> tuple[list[Loss], Result]:
    """Return the loss on each task that both were measured on, and the mean loss, paired item by item."""
    names = [name for name in own if name in base]
    if not names:
        raise InputError("model and baseline have no general task in common; expected a task that needs no vectors")
    values, drawn, losses = [], [], []
    for number, name in enumerate(names):
        ours, theirs = own[name], base[name]
        pair = paired_figures(ours.family, ours.rows, theirs.rows)[0]
        values.append(_difference(pair))
        drawn.append(_drawn_differences(pair, seed=seed + number, rounds=rounds))
        headline = ours.headline
        source = Provenance(headline.model, name, headline.split, _combined_signature(headline, theirs.headline))
        items = pair[0].items - pair[0].reference_items
        lost = _result(source, f"{headline.measure}, lost", values[-1], drawn[-1], items)
        losses.append(Loss(headline, theirs.headline, lost))
    parts = [loss.lost for loss in losses]
    splits = ", ".join(dict.fromkeys(part.split for part in parts))
    whole = Provenance(parts[0].model, GENERAL_LOSS, splits, _combined_signature(*parts))
    items = sum(part.n for part in parts)
    return losses, _result(whole, "mean", float(np.mean(values)), np.mean(drawn, axis=0), items)


def _difference(pair: tuple[Figure, Figure]) -> float:
    ours, theirs = (figure.scale * point(figure.statistic, figure.items) for figure in pair)
    return theirs - ours


def _drawn_differences(pair: tuple[Figure, Figure], *, seed: int, rounds: int) -> np.ndarray:
    """Return the loss of each resample; a resample draws the same items for both."""
    ours, theirs = pair
    differences = draws(
        lambda counts: theirs.statistic(counts) - ours.statistic(counts), ours.items, seed=seed, rounds=rounds
    )
    return ours.scale * differences


def _result(source: Provenance, measure: str, value: float, drawn: np.ndarray, n: int) -> Result:
    low, high = percentiles(drawn)
    return Result(source.model, source.task, source.split, ALL, measure, value, low, high, n, source.signature)


def _combined_signature(*parts: Result) -> str:
    """Return the signature of a figure made of others: a hash of their signatures."""
    digest = hashlib.sha256("\n".join(part.signature for part in parts).encode()).hexdigest()[:16]
    return f"litotes:{version('litotes')}|task:{GENERAL_LOSS}|of:{digest}"
