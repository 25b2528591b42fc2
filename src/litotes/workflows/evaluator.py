"""Measuring models before, during and after training, on the tasks of the benchmark."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, MissingError

if TYPE_CHECKING:
    from litotes.evaluation import CachedScorer, Result
    from litotes.evaluation.tasks import Task
    from litotes.types import Contrast

SHIPPED_TASKS = ("taxonomy", "mini-retrieval", "mini-sts")
LLM_TASKS = ("opposites",)
"""Language models are slow, so they are measured on one task."""
PUBLIC_TASKS = ("nevir", "stsb")
"""Measured in addition if there is a folder of data sets, on the rows that choices are made on."""
MINIMAL_PAIR_COSINE, MINIMAL_PAIR_MARGIN = "minimal-pair cosine", "minimal-pair margin"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of one model."""

    model: str
    results: tuple[Result, ...]
    minimal_pairs: tuple[float, ...] = ()
    """the similarity of each text with its negation; of a ranker, by how much it prefers the right one"""

    def headlines(self) -> dict[tuple[str, str], Result]:
        """Return the first figure of each task and split."""
        headlines: dict[tuple[str, str], Result] = {}
        for result in self.results:
            headlines.setdefault((result.task, result.split), result)
        return headlines


class Evaluator:
    """Measures models of one family on a list of tasks."""

    def __init__(
        self,
        tasks: Sequence[Task],
        family: str,
        name: str,
        *,
        device: str | None = None,
        options: Mapping[str, Any] | None = None,
        base_family: str = "",
    ) -> None:
        """`name` is the name of the model in training in the results; `options` are passed to the family's loader.

        `base_family` is the family that the base is measured as, if it differs from `family`.
        """
        self.tasks, self.name = tuple(tasks), name
        self._family, self._device, self._options = family, device, dict(options or {})
        self._base_family = base_family or family
        self._known: dict[tuple[str, str], Measurement] = {}
        self._contrasts = _contrasts(tasks)
        self.on_start: Callable[[], None] = lambda: None
        """called before each measurement"""

    def __call__(self, model: Any) -> Mapping[str, float]:
        """Return the scores that a recipe records after an epoch."""
        return self.scores(self.measure(model))

    def scores(self, measurement: Measurement) -> dict[str, float]:
        """Return the headline of each task by its score name, and the mean over the minimal pairs."""
        from litotes.evaluation import score_name

        headlines = measurement.headlines()
        scores = {score_name(task): headlines[task.name, task.split].value for task in self.tasks}
        if measurement.minimal_pairs:
            scores[self.minimal_pair_measure] = sum(measurement.minimal_pairs) / len(measurement.minimal_pairs)
        return {name: round(value, 4) for name, value in scores.items()}

    @property
    def minimal_pair_measure(self) -> str:
        """What is measured on minimal pairs: an encoder's cosine, or a ranker's margin."""
        return MINIMAL_PAIR_COSINE if self._family == "dense" else MINIMAL_PAIR_MARGIN

    def measure(self, model: Any) -> Measurement:
        """Measure a model in training: a SentenceTransformer, or a ranker as the recipes pass it."""
        if self._family == "dense":
            from litotes.models.dense import Dense

            return self._measure(Dense(model, name=self.name))
        return self._measure(model, name=self.name)

    def measure_saved(self, folder: Path) -> Measurement:
        """Measure the model that a run saved in a folder."""
        return self._measure(self._load(str(folder), self._family), name=self.name)

    def measure_base(self, base: str) -> Measurement:
        """Measure the base before training."""
        return self._measure(self._load(base, self._base_family))

    def read_base(self, folder: Path, base: str) -> Measurement | None:
        """Read the base's measurement from a run's folder; None if it is missing or was made on other items."""
        measurement = read_measurement(folder, f"{self._base_family}:{base}", self._family)
        headlines = measurement.headlines()
        for task in self.tasks:
            headline = headlines.get((task.name, task.split))
            if headline is None or f"|revision:{task.revision}|" not in headline.signature:
                return None
        return measurement if bool(measurement.minimal_pairs) == bool(self._contrasts) else None

    def _load(self, target: str, family: str) -> Any:
        from litotes.models import load

        return load(f"{family}:{target}", device=self._device, **self._options)

    def _measure(self, model: Any, *, name: str = "") -> Measurement:
        """Measure a model, or return its earlier measurement. A model without a fingerprint may have changed."""
        from litotes.evaluation import CachedScorer
        from litotes.models import load

        fingerprint = str(getattr(model, "fingerprint", ""))
        key = name or str(model.name), fingerprint
        if fingerprint and key in self._known:
            return self._known[key]
        self.on_start()
        first_stage: Any = None if hasattr(model, "encode") or hasattr(model, "matrix") else load("bm25")
        scorer = CachedScorer(model, first_stage=first_stage)
        scorer.name = key[0]
        try:
            self._known[key] = self._measure_scorer(scorer)
        finally:
            scorer.close()
        return self._known[key]

    def _measure_scorer(self, scorer: CachedScorer) -> Measurement:
        from litotes.data.result_files import Provenance
        from litotes.evaluation.figures import fold
        from litotes.evaluation.run import signature
        from litotes.evaluation.tasks import figures

        texts: dict[str, dict[str, None]] = {}
        for task in self.tasks:
            for role, role_texts in task.texts().items():
                texts.setdefault(role, {}).update(dict.fromkeys(role_texts))
        scorer.warm(texts)
        results: list[Result] = []
        for task in self.tasks:
            about = Provenance(scorer.name, task.name, task.split, signature(scorer, task, 0))
            results += fold(figures(task.family, task.evaluate(scorer)), about)
        pairs = tuple(round(float(value), 4) for value in self._minimal_pairs(scorer))
        return Measurement(scorer.name, tuple(results), pairs)

    def _minimal_pairs(self, scorer: CachedScorer) -> Any:
        queries = [contrast.q1 for contrast in self._contrasts]
        first = [contrast.doc1 for contrast in self._contrasts]
        second = [contrast.doc2 for contrast in self._contrasts]
        if self.minimal_pair_measure == MINIMAL_PAIR_COSINE:
            return scorer.pairs(first, second, roles=("document", "document"))
        return scorer.margins(queries, first, second)


def tasks_to_measure(names: Sequence[str], data: Path | None, *, family: str = "") -> list[Task]:
    """Build the tasks to measure on.

    These are the named ones. Without names they are the shipped ones and, if there is a folder of data sets, NevIR and
    STS-B.
    """
    from litotes.evaluation import DataSelection, build
    from litotes.evaluation.catalogue import members

    half = "all" if data is None else "select"
    if names:
        tasks = [build(name, DataSelection(data, "dev", half)) for name in members(names)]
    elif family == "llm":
        tasks = [build(name, DataSelection()) for name in LLM_TASKS]
    else:
        tasks = [build(name, DataSelection()) for name in SHIPPED_TASKS]
        for name in PUBLIC_TASKS if data else ():
            try:
                tasks.append(build(name, DataSelection(data, "dev", half)))
            except MissingError as error:
                logger.warning("skipped: %s", error)
    empty = next((task.name for task in tasks if not len(task)), "")
    if empty:
        raise InputError(f"the task {empty} has no items; leave it out")
    return tasks


def write_measurements(folder: Path, measurements: Sequence[Measurement], family: str) -> None:
    """Write results.json and the file of minimal pairs, which the report reads."""
    from litotes.data.result_files import write_margins, write_minimal_pairs, write_results

    write_results(folder, [result for measurement in measurements for result in measurement.results])
    pairs = {one.model: one.minimal_pairs for one in measurements if one.minimal_pairs}
    if pairs:
        (write_minimal_pairs if family == "dense" else write_margins)(folder, pairs)


def read_measurement(folder: Path, model: str, family: str) -> Measurement:
    """Read what `write_measurements` wrote for a model; an empty measurement if it wrote nothing."""
    from litotes.data.result_files import read_margins, read_minimal_pairs, read_results

    pairs = (read_minimal_pairs if family == "dense" else read_margins)(folder)
    results = tuple(result for result in read_results(folder) if result.model == model)
    return Measurement(model, results, pairs.get(model, ()))


def _contrasts(tasks: Sequence[Task]) -> list[Contrast]:
    """Return the contrasts of the first task that has some: their two documents are the minimal pairs."""
    from litotes.evaluation.tasks.contrast_pairs import ContrastTask

    return next((list(task.items) for task in tasks if isinstance(task, ContrastTask)), [])
