"""The evaluator `litotes train` hands to its recipes: the bench's tasks, on a model that is still in training."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.errors import InputError, MissingError
from litotes.types import MALFORMED

if TYPE_CHECKING:
    from litotes.bench import Result, Scorer
    from litotes.bench.tasks import Task
    from litotes.types import Contrast

SHIPPED = ("taxonomy", "mini-retrieval", "mini-sts")
ASKED = ("opposites",)
"""what a language model is measured on: it is asked, and slowly"""
FETCHED = ("nevir", "stsb")
"""what is measured besides where there is a folder of data sets: on the half that choices are made on"""
TWIN_COSINE, TWIN_MARGIN = "twin cosine", "twin margin"
TWINS_FILE, MARGINS_FILE = "twins.json", "margins.json"
_TITLES = {"mini-sts": "mini pairs"}


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a model: the figures of the tasks, and the similarity of each text with its negation."""

    model: str
    results: tuple[Result, ...]
    twins: tuple[float, ...] = ()

    def headlines(self) -> dict[tuple[str, str], Result]:
        """The first figure of each task and split."""
        found: dict[tuple[str, str], Result] = {}
        for one in self.results:
            found.setdefault((one.task, one.split), one)
        return found


class Evaluator:
    """Measures models of one family on some tasks; what was measured once is not measured again."""

    def __init__(
        self,
        tasks: Sequence[Task],
        family: str,
        name: str,
        *,
        device: str | None = None,
        options: Mapping[str, Any] | None = None,
        before: str = "",
    ) -> None:
        """`name` is what the model in training is called in the results, `options` are the family's own.

        `before` is the family its base is measured as, where that is another one.
        """
        self.tasks, self.name = tuple(tasks), name
        self._family, self._device, self._options = family, device, dict(options or {})
        self._before = before or family
        self._known: dict[tuple[str, str], Measured] = {}
        self._contrasts = _contrasts(tasks)
        self.begins: Callable[[], None] = lambda: None
        """called before each measuring, which takes a while"""

    def __call__(self, model: Any) -> Mapping[str, float]:
        """The scores a recipe notes after an epoch."""
        return self.scores(self.of(model))

    def scores(self, measured: Measured) -> dict[str, float]:
        """The headline of each task under its name for the recipes, and the twins' mean."""
        first = measured.headlines()
        found = {score_name(task): first[task.name, task.split].value for task in self.tasks}
        if measured.twins:
            found[self.twins_are] = sum(measured.twins) / len(measured.twins)
        return {name: round(value, 4) for name, value in found.items()}

    @property
    def twins_are(self) -> str:
        """What is measured of twins: an encoder's cosine, or by how much a ranker prefers the right one."""
        return TWIN_COSINE if self._family == "dense" else TWIN_MARGIN

    def of(self, model: Any) -> Measured:
        """A model in training, measured: a SentenceTransformer, or a ranker as the recipes hand it over."""
        if self._family == "dense":
            from litotes.models.dense import Dense

            return self._measured(Dense(model, name=self.name))
        return self._measured(model, name=self.name)

    def saved(self, folder: Path) -> Measured:
        """The model a run left in a folder, measured."""
        return self._measured(self._load(str(folder)), name=self.name)

    def base(self, base: str) -> Measured:
        """The base as it was before."""
        return self._measured(self._load(base, self._before))

    def _load(self, target: str, family: str = "") -> Any:
        from litotes.models import load

        return load(f"{family or self._family}:{target}", device=self._device, **self._options)

    def kept(self, folder: Path, base: str) -> Measured | None:
        """The base as a run's folder has it measured; None where it has not, or on other items."""
        found = read_measured(folder, f"{self._before}:{base}", self._family)
        first = found.headlines()
        for task in self.tasks:
            head = first.get((task.name, task.split))
            if head is None or f"|revision:{task.revision}|" not in head.signature:
                return None
        return found if bool(found.twins) == bool(self._contrasts) else None

    def _measured(self, model: Any, *, name: str = "") -> Measured:
        """A ranker whose weights change has no fingerprint, and is measured each time."""
        from litotes.bench import Scorer
        from litotes.models import load

        fingerprint = str(getattr(model, "fingerprint", ""))
        key = name or str(model.name), fingerprint
        if fingerprint and key in self._known:
            return self._known[key]
        self.begins()
        first_stage: Any = None if hasattr(model, "encode") or hasattr(model, "matrix") else load("bm25")
        scorer = Scorer(model, first_stage=first_stage)
        scorer.name = key[0]
        try:
            self._known[key] = self._measure(scorer)
        finally:
            scorer.close()
        return self._known[key]

    def _measure(self, scorer: Scorer) -> Measured:
        from litotes.bench.rows import About, fold
        from litotes.bench.run import signature
        from litotes.bench.tasks import figures

        texts: dict[str, dict[str, None]] = {}
        for task in self.tasks:
            for role, those in task.texts().items():
                texts.setdefault(role, {}).update(dict.fromkeys(those))
        scorer.warm(texts)
        found: list[Result] = []
        for task in self.tasks:
            about = About(scorer.name, task.name, task.split, signature(scorer, task, 0))
            found += fold(figures(task.family, task.evaluate(scorer)), about)
        return Measured(scorer.name, tuple(found), tuple(round(float(one), 4) for one in self._twins(scorer)))

    def _twins(self, scorer: Scorer) -> Any:
        """The similarity of the two documents of each contrast; of a ranker, how much q1 prefers its own."""
        queries = [one.q1 for one in self._contrasts]
        first, second = [one.doc1 for one in self._contrasts], [one.doc2 for one in self._contrasts]
        if self.twins_are == TWIN_COSINE:
            return scorer.pairs(first, second, roles=("document", "document"))
        return scorer.margins(queries, first, second)


def tasks_of(names: Sequence[str], data: Path | None, *, family: str = "") -> list[Task]:
    """The tasks to measure on: the named ones, else the shipped ones and, with a folder of data sets, two of those."""
    from litotes.bench import Where, build
    from litotes.bench.suites import members

    half = "all" if data is None else "select"
    if names:
        found = [build(name, Where(data, "dev", half)) for name in members(names)]
    elif family == "llm":
        found = [build(name, Where()) for name in ASKED]
    else:
        found = [build(name, Where()) for name in SHIPPED]
        for name in FETCHED if data else ():
            try:
                found.append(build(name, Where(data, "dev", half)))
            except MissingError as error:
                click.echo(f"litotes: left out: {error}", err=True)
    empty = next((task.name for task in found if not len(task)), "")
    if empty:
        raise InputError(f"the task {empty} has no items; leave it out of --measure")
    return found


def score_name(task: Task) -> str:
    """ "negation.taxonomy dev", "general.mini retrieval": recipes choose epochs by what stands before the point."""
    from litotes.bench.suites import SUITES

    sort = task.name.partition(":")[0]
    general = task.name in (*SUITES["general"], *SUITES["general-mini"]) or sort == "beir"
    title = _TITLES.get(task.name, Path(task.name.partition(":")[2]).stem or task.name.replace("-", " "))
    split = {"shipped": "", "file": ""}.get(task.split, task.split.rpartition("/")[2])
    return f"{'general' if general else 'negation'}.{title} {split}".strip()


def write_results(folder: Path, measured: Sequence[Measured], family: str) -> None:
    """results.json and twins.json, which the report draws; a ranker's margins, which are no cosines, in their own."""
    from litotes.bench.rows import write_whole

    lines = [one.line() for found in measured for one in found.results]
    write_whole(folder / "results.json", json.dumps(lines, ensure_ascii=False, indent=1))
    name, measure = _twins_of(family)
    twins = [{"model": one.model, measure: one.twins} for one in measured if one.twins]
    if twins:
        write_whole(folder / name, json.dumps(twins, ensure_ascii=False))


def read_measured(folder: Path, model: str, family: str) -> Measured:
    """What `write_results` left of a model; nothing where it left none."""
    from litotes.bench import read_results

    name, measure = _twins_of(family)
    path = folder / name
    try:
        rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
        twins = next((tuple(map(float, row[measure])) for row in rows if row["model"] == model), ())
    except (*MALFORMED, RecursionError) as error:
        raise InputError(f"{path} is no file of twins ({error}). Remove it; they will be measured anew") from error
    return Measured(model, tuple(one for one in read_results(folder) if one.model == model), twins)


def _twins_of(family: str) -> tuple[str, str]:
    return (TWINS_FILE, "cosines") if family == "dense" else (MARGINS_FILE, "margins")


def _contrasts(tasks: Sequence[Task]) -> list[Contrast]:
    """The twins: the two documents of each contrast of the first task that has such."""
    from litotes.bench.tasks.contrasts import Contrasts

    return next((list(task.items) for task in tasks if isinstance(task, Contrasts)), [])
