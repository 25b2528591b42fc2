"""Measure models on benchmarks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, MissingError
from litotes.workflows.progress import Progress, Step

if TYPE_CHECKING:
    import numpy as np

    from litotes.evaluation import DataSelection
    from litotes.evaluation.run import Progress as EvaluationStep
    from litotes.evaluation.tasks import Task
    from litotes.types import Result

LATE, LLM = "late", "llm"
DEFAULT_SUITES = ("general-mini",)
FIRST_STAGE, DEPTH = "bm25", 100
SHOWN_QUERIES = 40
"""the number of excluding queries per task that are saved for the report"""
FETCH = "Download one with: litotes data get NAME --data DIR. To leave such tasks out: --skip-missing"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How models are loaded."""

    device: str | None = None
    batch: int = 32
    dtype: str = "float32"
    max_tokens: int = 256
    prompt: str | None = None
    """how language models are asked: choice, similarity, pointwise or listwise"""

    def load(self, name: str) -> Any:
        """Load a model by its name, family:name-or-path."""
        from litotes.models import load

        options: dict[str, Any] = {"prompt": self.prompt} if self.prompt and _family(name) == LLM else {}
        return load(name, device=self.device, batch=self.batch, dtype=self.dtype, max_tokens=self.max_tokens, **options)


@dataclass(frozen=True, slots=True)
class Benchmarks:
    """The outcome of a benchmark run."""

    out: Path
    results: tuple[Result, ...]
    """every figure, as in OUT/results.json"""
    skipped: tuple[str, ...]
    """what could not be measured because its data is missing"""
    seconds: float

    def headlines(self) -> list[Result]:
        """Return the first figure of each model and task."""
        headlines: dict[tuple[str, str, str], Result] = {}
        for result in self.results:
            headlines.setdefault((result.model, result.task, result.split), result)
        return list(headlines.values())


def bench(
    models: Any,
    *,
    out: str | Path,
    suites: str | Sequence[str] = DEFAULT_SUITES,
    data_dir: str | Path | None = None,
    split: str = "dev",
    half: str = "all",
    cache: str | Path | None = None,
    first_stage: str = FIRST_STAGE,
    depth: int = DEPTH,
    seed: int = 0,
    exclude: bool = False,
    rerank: bool = False,
    maxsim: Sequence[tuple[str, str]] = (),
    skip_missing: bool = False,
    device: str | None = None,
    loading: ModelOptions | None = None,
    progress: Progress | None = None,
) -> Benchmarks:
    """Measure models on suites of benchmarks and write OUT/results.json with one file of rows per model and task.

    What was measured before with the same signature is read, not measured again.

    Args:
        models: A model or a list of models. A model is a name such as "dense:minilm", or an object with
            `encode(texts)` or `score(queries, documents)`.
        out: The folder of the results.
        suites: Names of suites or tasks, such as "negation" or "nevir".
        data_dir: The folder with the public data sets; shipped benchmarks need none.
        split: "dev" or "test".
        half: "select" for the rows that choices are made on, "report" for the others, "all" for both.
        cache: The folder for cached vectors. The default is OUT/vectors.
        first_stage: The model whose best documents rerankers reorder.
        depth: The number of documents that rerankers reorder.
        seed: The seed of the bootstrap.
        exclude: Apply the exclusion operator to queries (dense models).
        rerank: Judge polarity on the sentence nearest to the query (towers).
        maxsim: Pairs of query and document whose token similarities are saved (late-interaction models).
        skip_missing: Leave out tasks whose data is missing instead of raising MissingError.
        device: "cpu", "cuda" or "mps", for models given by name.
        loading: Batch size, precision, text length and prompt for models given by name.
        progress: Called after each step.
    """
    from litotes.evaluation import DataSelection
    from litotes.evaluation import bench as measure

    started = time.monotonic()
    given = [models] if isinstance(models, str) or not isinstance(models, Sequence) else list(models)
    loading = loading or ModelOptions()
    loading = replace(loading, device=device) if device else loading
    names = [model for model in given if isinstance(model, str)]
    _refuse_options(names, loading, maxsim)
    folder = Path(out)
    where = DataSelection(Path(data_dir) if data_dir else None, split, half)
    tasks, skipped = _tasks([suites] if isinstance(suites, str) else suites, where, skip_missing=skip_missing)
    missing = MissingData(skipped)
    results = measure(
        _models(given, folder, loading, exclude=exclude, rerank=rerank, maxsim=maxsim),
        tasks,
        folder,
        cache=Path(cache) if cache else None,
        first_stage=_FirstStage(first_stage, loading, Path(cache) if cache else None),
        depth=depth,
        seed=seed,
        progress=evaluation_progress(progress),
        missing=missing,
    )
    if exclude or rerank:
        _save_exclusions(folder, tasks)
    if not skip_missing:
        missing.enforce(folder)
    return Benchmarks(folder, tuple(results), tuple(missing.reasons), time.monotonic() - started)


def evaluation_progress(progress: Progress | None) -> Any:
    """Return the callback that evaluation calls, given a workflow's."""
    if progress is None:
        return None

    def tell(step: EvaluationStep) -> None:
        progress(Step(f"{step.model}: {step.what}", step.done, step.total))

    return tell


class MissingData:
    """Collects the measurements whose data turned out to be missing, and logs each at once."""

    def __init__(self, reasons: list[str]) -> None:
        self.reasons = reasons
        self.count = 0

    def __call__(self, model: str, error: MissingError) -> None:
        self.count += 1
        self.reasons.append(f"{model}: {error}")
        logger.warning("%s: skipped: %s", model, error)

    def enforce(self, out: Path) -> None:
        """Raise MissingError if any data was missing."""
        if self.count:
            raise MissingError(
                f"{self.count} measurements need data that is missing; the others are in {out}. "
                "With --skip-missing this is not an error"
            )


class _FirstStage:
    """The retriever in front of a reranker, loaded when it is needed."""

    def __init__(self, name: str, loading: ModelOptions, cache: Path | None) -> None:
        self.name = name
        self._loading, self._cache = loading, cache

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Score every query with every document."""
        from litotes.evaluation import CachedScorer

        return CachedScorer(self._loading.load(self.name), cache=self._cache).matrix(queries, documents)


def _tasks(names: Sequence[str], where: DataSelection, *, skip_missing: bool) -> tuple[list[Task], list[str]]:
    """Build the tasks; return them and the reasons of those that were skipped."""
    from litotes.evaluation import build
    from litotes.evaluation.catalogue import members

    tasks: list[Task] = []
    missing: dict[str, None] = {}
    for name in members(names):
        try:
            tasks.append(build(name, where))
        except MissingError as error:
            missing[str(error)] = None
    if missing and not skip_missing:
        raise MissingError("\n  ".join((*missing, FETCH)))
    for reason in missing:
        logger.warning("skipped: %s", reason)
    return tasks, list(missing)


def _refuse_options(names: Sequence[str], loading: ModelOptions, maxsim: Sequence[tuple[str, str]]) -> None:
    """Raise InputError for options that no model can use, before any model is loaded."""
    if loading.prompt and not any(_family(name) == LLM for name in names):
        raise InputError(f"prompt is for models of the family llm; there is none among {', '.join(names)}")
    other = next((name for name in names if _family(name) != LATE), "")
    if maxsim and other:
        raise InputError(f"maxsim is for late-interaction models, and {other} is not one. Measure it without maxsim")
    for query, document in maxsim:
        if not (query.strip() and document.strip()):
            raise InputError(f"maxsim has the pair {query!r} and {document!r}; expected two texts")


def _models(
    given: Sequence[Any],
    out: Path,
    loading: ModelOptions,
    *,
    exclude: bool,
    rerank: bool,
    maxsim: Sequence[tuple[str, str]],
) -> Iterator[Any]:
    """Load one model at a time: the last one is released before the next is loaded."""
    from litotes.evaluation import pair_name, save_maxsims

    for one in given:
        model = loading.load(one) if isinstance(one, str) else one
        if exclude or rerank:
            model = _with_query_operators(model, rerank=rerank)
        if maxsim:
            save_maxsims(out, [model.maxsim(*pair, pair=pair_name(*pair)) for pair in maxsim])
        yield model
        del model


def _with_query_operators(model: Any, *, rerank: bool) -> Any:
    if _family(str(model.name)) != "dense":
        raise InputError(f"exclude and rerank are for dense models; {model.name} is not one. Measure it by itself")
    from litotes.query.benchmark_models import ExcludingEncoder, SentenceReranker

    return SentenceReranker(model) if rerank else ExcludingEncoder(model)


def _save_exclusions(out: Path, tasks: Sequence[Task]) -> None:
    """Save what the tasks' queries exclude, for the report."""
    from litotes.data.result_files import ExcludingQueries, write_exclusions
    from litotes.detection import split_query_all

    rows = []
    for task in tasks:
        queries = list(dict.fromkeys(task.texts().get("query", [])))
        exclusions = [exclusion for exclusion in split_query_all(queries) if exclusion]
        if exclusions:
            rows.append(ExcludingQueries(task.name, len(queries), len(exclusions), tuple(exclusions[:SHOWN_QUERIES])))
    write_exclusions(out, rows)


def _family(name: str) -> str:
    return name.partition(":")[0]
