"""The check for other people's CI: does a model hear negation, and is it as good as its baseline at all else?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from litotes.bench.catalogue import Where, build
from litotes.bench.compare import paired_figures
from litotes.bench.requirements import Bars, Requirement
from litotes.bench.rows import ALL, About, Figure, read_rows
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
NO_BASELINE = "general ability was not checked: no baseline was given"


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
        of = len(self.requirements)
        told = self.missed or self.requirements
        what = f"misses {len(told)} of {of} requirements" if self.missed else "meets what was asked"
        notes = [] if self.baseline else [NO_BASELINE]
        notes += [f"{task} left out: {why}" for task, why in self.left_out.items()]
        begin = f"{'passed' if self.passed else 'fell short'}: {self.model} {what}"
        return "; ".join((f"{begin}: {', '.join(one.short for one in told)}", *notes))

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
    load: Callable[[Any], Any],
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
        ours = load(model)
        heard = bench([ours], [contrasts], out, **how)
        requirements = _negation(heard, asked, perf_counter() - started)
        kinds = tuple(one for one in heard if one.slice.startswith(KIND) and one.measure == heard[0].measure)
        if baseline is None:
            return Check(heard[0].model, "", requirements, heard[0], kinds)
        started = perf_counter()
        tasks = general_tasks() if general is None else general
        before = Measured.of(ours, tasks, out, how)
        del ours
        other = Measured.of(load(baseline), tasks, out, how)
        losses, mean = _losses(before, other, seed=seed, rounds=rounds)
        about = f"what {before.model} lost against {other.model}, the mean over {', '.join(_names(losses))},"
        spent = perf_counter() - started
        lost = Requirement(GENERAL_LOSS, about, mean, asked.loss, ceiling=True, seconds=spent)
    there = {one.model.task for one in losses}
    left_out = {task.name: NO_VECTORS for task in tasks if task.name not in there}
    return Check(before.model, other.model, (*requirements, lost), heard[0], kinds, tuple(losses), left_out)


def _refuse_what_cannot_be_checked(bars: Bars, negation: Contrasts, baseline: Any) -> None:
    """Before any model is loaded."""
    known = list(dict.fromkeys(item.kind for item in negation.items if item.kind))
    for kind in bars.min_kinds:
        if kind not in known:
            raise InputError(f"{negation.name} has no kind {kind!r}; expected one of {', '.join(sorted(known))}")
    if baseline is None and bars.max_general_loss is not None:
        raise InputError(
            f"a general loss of at most {bars.max_general_loss:g} is asked for, but there is no baseline to lose "
            "against. Name the model it was made from: --baseline BASE"
        )


def _negation(heard: Sequence[Result], bars: Bars, seconds: float) -> tuple[Requirement, ...]:
    """The requirement on all contrasts, and those on kinds, which come with it."""
    first = heard[0]
    by_slice = {one.slice: one for one in heard if one.measure == first.measure}
    what = f"{first.measure} of {first.model} on {first.task} {first.split}"
    found = [Requirement(NEGATION, what, first, bars.min_negation, seconds=seconds)]
    for kind, bar in bars.min_kinds.items():
        # a kind may have contrasts of the other measure alone
        figure = by_slice.get(f"{KIND}{kind}") or next(one for one in heard if one.slice == f"{KIND}{kind}")
        found.append(Requirement(f"{KIND}{kind}", f"{what}, {kind} alone,", figure, bar))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Measured:
    """A model on the general tasks: the headline of each, and where the rows are."""

    model: str
    headlines: dict[str, Result]
    families: dict[str, str]
    out: Path

    @classmethod
    def of(cls, model: Any, tasks: Sequence[Task], out: Path, how: Mapping[str, Any]) -> Measured:
        """Tasks that need vectors are left out where a model has none."""
        headlines: dict[str, Result] = {}
        for one in bench([model], tasks, out, **how):
            headlines.setdefault(one.task, one)
        families = {task.name: task.family for task in tasks}
        name = str(getattr(model, "name", "") or type(model).__name__)
        return cls(name, headlines, families, out)

    def rows(self, task: str) -> list[Any]:
        """The rows the headline of a task is folded from."""
        one = self.headlines[task]
        return read_rows(rows_file(self.out, About(one.model, one.task, one.split, one.signature)))


def _losses(ours: Measured, theirs: Measured, *, seed: int, rounds: int) -> tuple[list[Loss], Result]:
    """What was lost on each task both were measured on, and on average: paired item by item."""
    names = [name for name in ours.headlines if name in theirs.headlines]
    if not names:
        raise InputError(f"{ours.model} and {theirs.model} have no general task in common; expected models of one sort")
    values, drawn, found = [], [], []
    for number, name in enumerate(names):
        pair = paired_figures(ours.families[name], ours.rows(name), theirs.rows(name))[0]
        values.append(_lost(pair))
        drawn.append(_drawn(pair, seed=seed + number, rounds=rounds))
        head, other = ours.headlines[name], theirs.headlines[name]
        about = About(head.model, name, head.split, _together(head, other))
        items = pair[0].items - pair[0].beside
        found.append(Loss(head, other, _result(about, f"{head.measure}, lost", values[-1], drawn[-1], items)))
    splits = ", ".join(dict.fromkeys(one.model.split for one in found))
    whole = About(ours.model, GENERAL_LOSS, splits, _together(*(one.lost for one in found)))
    return found, _result(whole, "mean", float(np.mean(values)), np.mean(drawn, axis=0), len(found))


def _lost(pair: tuple[Figure, Figure]) -> float:
    ours, theirs = (figure.scale * point(figure.statistic, figure.items) for figure in pair)
    return theirs - ours


def _drawn(pair: tuple[Figure, Figure], *, seed: int, rounds: int) -> np.ndarray:
    """The loss of resamples that draw the same items for both."""
    ours, theirs = pair
    apart = draws(lambda counts: theirs.statistic(counts) - ours.statistic(counts), ours.items, seed=seed, rounds=rounds)
    return ours.scale * apart


def _result(about: About, measure: str, value: float, drawn: np.ndarray, n: int) -> Result:
    low, high = percentiles(drawn)
    return Result(about.model, about.task, about.split, ALL, measure, value, low, high, n, about.signature)


def _together(*parts: Result) -> str:
    """The signature of a figure made of others: theirs, hashed."""
    hashed = hashlib.sha256("\n".join(part.signature for part in parts).encode()).hexdigest()[:16]
    return f"litotes:{version('litotes')}|task:{GENERAL_LOSS}|of:{hashed}"


def _names(losses: Sequence[Loss]) -> list[str]:
    return [one.model.task for one in losses]
