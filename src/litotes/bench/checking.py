"""The check for other people's CI: does a model hear negation, and is it as good as its baseline at all else?"""

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

from litotes.bench.catalogue import Where, build
from litotes.bench.compare import paired_figures
from litotes.bench.requirements import Bars, Requirement
from litotes.bench.rows import ALL, About, Figure, Row, read_rows
from litotes.bench.run import NO_VECTORS, Watch, bench, rows_file
from litotes.bench.scoring import Matrix
from litotes.bench.suites import SUITES
from litotes.bench.tasks import Task
from litotes.bench.tasks.contrasts import Contrasts
from litotes.errors import CheckError, InputError
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
    """the baseline less the model, item by item where both answered: paired, so its interval is narrower than theirs"""

    def line(self) -> dict[str, Any]:
        """Its part of the JSON object of `litotes check`."""
        return {"model": self.model.line(), "baseline": self.baseline.line(), "loss": self.lost.line()}


@dataclass(frozen=True, slots=True)
class Check:
    """What was asked of a model and what it reached."""

    model: str
    baseline: str
    """ "" where there was none"""
    requirements: tuple[Requirement, ...]
    negation: Result
    kinds: tuple[Result, ...]
    general: tuple[Loss, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """general tasks that one of the two could not be measured on, and why"""

    @property
    def passed(self) -> bool:
        """Whether every requirement is met."""
        return not self.missed

    @property
    def missed(self) -> tuple[Requirement, ...]:
        """The requirements that are not met."""
        return tuple(one for one in self.requirements if not one.met)

    @property
    def verdict(self) -> str:
        """One line a person understands."""
        told = self.missed or self.requirements
        word = f"fell short in {len(told)} of {len(self.requirements)}" if self.missed else "passed"
        notes = [] if self.baseline else [NO_BASELINE]
        notes += [f"{task} left out: {why}" for task, why in self.left_out.items()]
        return "; ".join((f"{word}: {self.model}: {', '.join(one.short for one in told)}", *notes))

    @property
    def general_loss(self) -> Result | None:
        """What was lost on average; None without a baseline."""
        return next((one.figure for one in self.requirements if one.name == GENERAL_LOSS), None)

    def enforce(self) -> None:
        """CheckError where the model fell short."""
        if self.missed:
            raise CheckError(f"{self.model} fell short: {', '.join(one.name for one in self.missed)}")

    def line(self) -> dict[str, Any]:
        """The JSON object of `litotes check`."""
        return {
            "model": self.model,
            "baseline": self.baseline or None,
            "passed": self.passed,
            "verdict": self.verdict,
            "requirements": [one.line() for one in self.requirements],
            "negation": self.negation.line(),
            "kinds": [one.line() for one in self.kinds],
            "general": [one.line() for one in self.general],
            "left_out": dict(self.left_out),
        }


def negation_task() -> Contrasts:
    """The contrasts of the taxonomy's test split: every kind of negation, and pairs without any."""
    found = build("taxonomy", Where(split="test"))
    if not isinstance(found, Contrasts):
        raise TypeError(f"the taxonomy is a {type(found).__name__}; expected contrasts")
    return found


def general_tasks() -> list[Task]:
    """general-mini: graded pairs, retrieval, intents."""
    return [build(name, Where()) for name in SUITES["general-mini"]]


def check(
    model: Any,
    baseline: Any = None,
    *,
    load: Callable[[Any], Any] = lambda given: given,
    bars: Bars | None = None,
    negation: Contrasts | None = None,
    general: Sequence[Task] | None = None,
    cache: Path | None = None,
    first_stage: Matrix | None = None,
    seed: int = 0,
    rounds: int = ROUNDS,
    watch: Watch | None = None,
) -> Check:
    """Hold a model against bars: accuracy on contrasts and, with a baseline, what it lost on general tasks.

    `load` makes a model of what names it: one at a time, so that the two need not fit in memory together. Under `cache`
    vectors and rows are kept, and what has not changed is not measured again.
    """
    asked = bars or Bars()
    contrasts = negation_task() if negation is None else negation
    _refuse_what_cannot_be_checked(asked, contrasts, baseline)
    how: dict[str, Any] = {"first_stage": first_stage, "seed": seed, "rounds": rounds, "watch": watch}
    with ExitStack() as stack:
        out = cache or Path(stack.enter_context(TemporaryDirectory()))
        started = perf_counter()
        loaded = load(model)
        heard = bench([loaded], [contrasts], out, **how)
        requirements = _negation(heard, asked, perf_counter() - started)
        found = Check(heard[0].model, "", requirements, heard[0], _kinds(heard))
        if baseline is None:
            return found
        started = perf_counter()
        tasks = general_tasks() if general is None else general
        ours = _measured(loaded, tasks, out, how)
        del loaded
        theirs = _measured(load(baseline), tasks, out, how)
    losses, mean = _losses(ours, theirs, seed=seed, rounds=rounds)
    other = losses[0].baseline.model
    about = f"what {found.model} lost against {other}, the mean over {', '.join(one.model.task for one in losses)},"
    spent = perf_counter() - started
    lost = Requirement(GENERAL_LOSS, about, mean, asked.loss, ceiling=True, seconds=spent)
    left_out = {task.name: NO_VECTORS for task in tasks if not (task.name in ours and task.name in theirs)}
    return replace(found, baseline=other, requirements=(*requirements, lost), general=tuple(losses), left_out=left_out)


def _refuse_what_cannot_be_checked(bars: Bars, negation: Contrasts, baseline: Any) -> None:
    """Before any model is loaded."""
    known = sorted({item.kind for item in negation.items if item.kind})
    for kind in bars.min_kinds:
        if kind not in known:
            raise InputError(f"{negation.name} has no kind {kind!r}; expected one of {', '.join(known) or 'none'}")
    if baseline is None and bars.max_general_loss is not None:
        raise InputError(
            f"a general loss of at most {bars.max_general_loss:g} is asked for, but there is no baseline to lose "
            "against. Name the model this one was made from as its baseline"
        )


def _kinds(heard: Sequence[Result]) -> tuple[Result, ...]:
    """The accuracy on each kind: the first figure of its slice."""
    found: dict[str, Result] = {}
    for one in heard:
        if one.slice.startswith(KIND):
            found.setdefault(one.slice, one)
    return tuple(found.values())


def _negation(heard: Sequence[Result], bars: Bars, seconds: float) -> tuple[Requirement, ...]:
    """The requirement on all contrasts, and those on kinds, which come with it."""
    first, by_slice = heard[0], {one.slice: one for one in _kinds(heard)}
    where = f"of {first.model} on {first.task} {first.split}"
    found = [Requirement(NEGATION, f"{first.measure} {where}", first, bars.min_negation, seconds=seconds)]
    for kind, bar in bars.min_kinds.items():
        one = by_slice[f"{KIND}{kind}"]
        found.append(Requirement(one.slice, f"{one.measure} {where}, {kind} alone,", one, bar))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Measured:
    """A model on one general task: the headline, and the rows it is folded from."""

    headline: Result
    family: str
    rows: tuple[Row, ...]


def _measured(model: Any, tasks: Sequence[Task], out: Path, how: Mapping[str, Any]) -> dict[str, Measured]:
    """By the name of the task; one that needs vectors is left out where the model has none.

    The rows are read at once: those of a model without a fingerprint are written over by the next of its name.
    """
    headlines: dict[str, Result] = {}
    for one in bench([model], tasks, out, **how):
        headlines.setdefault(one.task, one)
    found = {}
    for task in tasks:
        if task.name in headlines:
            one = headlines[task.name]
            about = About(one.model, one.task, one.split, one.signature)
            found[task.name] = Measured(one, task.family, tuple(read_rows(rows_file(out, about))))
    return found


def _losses(
    ours: Mapping[str, Measured], theirs: Mapping[str, Measured], *, seed: int, rounds: int
) -> tuple[list[Loss], Result]:
    """What was lost on each task both were measured on, and on average: paired item by item."""
    names = [name for name in ours if name in theirs]
    if not names:
        raise InputError("model and baseline have no general task in common; expected a task that needs no vectors")
    values, drawn, found = [], [], []
    for number, name in enumerate(names):
        one, other = ours[name], theirs[name]
        pair = paired_figures(one.family, one.rows, other.rows)[0]
        values.append(_lost(pair))
        drawn.append(_drawn(pair, seed=seed + number, rounds=rounds))
        about = About(one.headline.model, name, one.headline.split, _together(one.headline, other.headline))
        items = pair[0].items - pair[0].beside
        lost = _result(about, f"{one.headline.measure}, lost", values[-1], drawn[-1], items)
        found.append(Loss(one.headline, other.headline, lost))
    parts = [one.lost for one in found]
    splits = ", ".join(dict.fromkeys(part.split for part in parts))
    whole = About(parts[0].model, GENERAL_LOSS, splits, _together(*parts))
    items = sum(part.n for part in parts)
    return found, _result(whole, "mean", float(np.mean(values)), np.mean(drawn, axis=0), items)


def _lost(pair: tuple[Figure, Figure]) -> float:
    ours, theirs = (figure.scale * point(figure.statistic, figure.items) for figure in pair)
    return theirs - ours


def _drawn(pair: tuple[Figure, Figure], *, seed: int, rounds: int) -> np.ndarray:
    """The loss of resamples that draw the same items for both."""
    ours, theirs = pair
    apart = draws(
        lambda counts: theirs.statistic(counts) - ours.statistic(counts), ours.items, seed=seed, rounds=rounds
    )
    return ours.scale * apart


def _result(about: About, measure: str, value: float, drawn: np.ndarray, n: int) -> Result:
    low, high = percentiles(drawn)
    return Result(about.model, about.task, about.split, ALL, measure, value, low, high, n, about.signature)


def _together(*parts: Result) -> str:
    """The signature of a figure made of others: theirs, hashed."""
    hashed = hashlib.sha256("\n".join(part.signature for part in parts).encode()).hexdigest()[:16]
    return f"litotes:{version('litotes')}|task:{GENERAL_LOSS}|of:{hashed}"
