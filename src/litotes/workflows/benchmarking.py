"""Measure models on benchmarks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, MissingError
from litotes.workflows.progress import Progress, Step
from litotes.workflows.two_stages import FirstStage, QueryOptions, family, query_options, with_query_options

if TYPE_CHECKING:
    from litotes.evaluation.run import Progress as EvaluationStep
    from litotes.evaluation.tasks import Task
    from litotes.query.exclusion import Split
    from litotes.types import Exclusion, Result

LATE, LLM = "late", "llm"
DEFAULT_SUITES = ("general-mini",)
FIRST_STAGE, DEPTH = "bm25", 100
VECTORS = "vectors"
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

        options: dict[str, Any] = {"prompt": self.prompt} if self.prompt and family(name) == LLM else {}
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

    @property
    def seconds_per_query(self) -> dict[str, float]:
        """The time that a reranker took per query, without its first stage, by the signature of a result."""
        from litotes.data.result_files import read_seconds_per_query

        return read_seconds_per_query(self.out)

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
    weight: float | None = None,
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
        weight: The weight of a cross-encoder's score beside the score of the first stage. 0 leaves the first stage as
            it is, and infinity ranks by the cross-encoder alone. The default for a pair model is that of
            `litotes.query.Reranker`; other cross-encoders rank alone.
        seed: The seed of the bootstrap.
        exclude: Apply the exclusion operator to queries (dense models, cross-encoders and their first stage).
        rerank: Judge polarity on the sentence nearest to the query (towers).
        maxsim: Pairs of query and document whose token similarities are saved (late-interaction models).
        skip_missing: Leave out tasks whose data is missing instead of raising MissingError.
        device: "cpu", "cuda" or "mps", for models given by name.
        loading: Batch size, precision, text length and prompt for models given by name.
        progress: Called after each step.
    """
    from litotes.evaluation import bench as measure

    started = time.monotonic()
    given = [models] if isinstance(models, str) or not isinstance(models, Sequence) else list(models)
    loading = replace(loading or ModelOptions(), device=device or (loading.device if loading else None))
    _refuse_options([model for model in given if isinstance(model, str)], loading, maxsim)
    query = query_options(exclude=exclude, rerank=rerank, weight=weight, models=given)
    folder = Path(out)
    vectors = Path(cache) if cache else folder / VECTORS
    tasks, skipped = named_tasks(suites, data_dir=data_dir, split=split, half=half, skip_missing=skip_missing)
    missing = MissingData(skipped)
    results = measure(
        _models(given, folder, loading, query, maxsim),
        tasks,
        folder,
        cache=vectors,
        first_stage=FirstStage(first_stage, loading.load, vectors, query.split),
        depth=depth,
        seed=seed,
        progress=evaluation_progress(progress),
        missing=missing,
    )
    if exclude or rerank:
        _save_exclusions(folder, _split_all(tasks, query.split))
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


def named_tasks(
    suites: str | Sequence[str], *, data_dir: str | Path | None, split: str, half: str, skip_missing: bool
) -> tuple[list[Task], list[str]]:
    """Build the tasks of some suites; return them and the reasons of those that were skipped."""
    from litotes.evaluation import DataSelection, build
    from litotes.evaluation.catalogue import members

    where = DataSelection(Path(data_dir) if data_dir else None, split, half)
    tasks: list[Task] = []
    missing: dict[str, None] = {}
    for name in members([suites] if isinstance(suites, str) else suites):
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
    if loading.prompt and not any(family(name) == LLM for name in names):
        raise InputError(f"prompt is for models of the family llm; there is none among {', '.join(names)}")
    other = next((name for name in names if family(name) != LATE), "")
    if maxsim and other:
        raise InputError(f"maxsim is for late-interaction models, and {other} is not one. Measure it without maxsim")
    for query, document in maxsim:
        if not (query.strip() and document.strip()):
            raise InputError(f"maxsim has the pair {query!r} and {document!r}; expected two texts")


def _models(
    given: Sequence[Any],
    out: Path,
    loading: ModelOptions,
    query: QueryOptions,
    maxsim: Sequence[tuple[str, str]],
) -> Iterator[Any]:
    """Load one model at a time: the last one is released before the next is loaded."""
    from litotes.evaluation import pair_name, save_maxsims

    for one in given:
        model = with_query_options(loading.load(one) if isinstance(one, str) else one, query)
        if maxsim:
            save_maxsims(out, [model.maxsim(*pair, pair=pair_name(*pair)) for pair in maxsim])
        yield model
        del model


def _split_all(tasks: Sequence[Task], split: Split | None) -> dict[str, list[Exclusion]]:
    """Split the distinct queries of each task."""
    from litotes.query.splitting import splitter

    queries = {task.name: list(dict.fromkeys(task.texts().get("query", []))) for task in tasks}
    return {task: list((split or splitter())(texts)) for task, texts in queries.items()}


def _save_exclusions(out: Path, splits: Mapping[str, Sequence[Exclusion]]) -> None:
    """Save what the tasks' queries exclude, for the report."""
    from litotes.data.result_files import ExcludingQueries, write_exclusions

    rows = []
    for task, queries in splits.items():
        exclusions = [exclusion for exclusion in queries if exclusion]
        if exclusions:
            rows.append(ExcludingQueries(task, len(queries), len(exclusions), tuple(exclusions[:SHOWN_QUERIES])))
    write_exclusions(out, rows)
