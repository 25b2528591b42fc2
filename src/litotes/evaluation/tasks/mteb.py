"""Tasks of mteb: mteb loads the data from its hub and measures, our models encode.

mteb returns one figure per subset of a task and no rows, so its figures have no interval and cannot be paired.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from math import isfinite, nan
from typing import Any

import numpy as np

from litotes.data.benchmarks.mteb import PREFIX
from litotes.data.result_files import ItemRow
from litotes.errors import InputError, MissingError, require
from litotes.evaluation.figures import ALL, Figure, precomputed
from litotes.evaluation.scoring import CachedScorer

LANGUAGE = "eng"
SPLIT = "test"
BATCH = 32
ITEMS, MEASURE, PART = "items", "measure", "part"


def named(name: str) -> MtebTask:
    """Return the English part of an mteb task, such as NevIR or STSBenchmark."""
    library = _library()
    try:
        with _quiet():
            return MtebTask(library.get_task(name, languages=[LANGUAGE], exclusive_language_filter=True))
    except (KeyError, ValueError) as error:
        reason = str(error.args[0]).removeprefix("KeyError: ")
        raise InputError(f"mteb has no English task {name!r} ({reason}). Its names: mteb.get_tasks()") from error


TASK = named


class MtebTask:
    """An mteb task (any `mteb.AbsTask`) as a task of ours: one row per subset, such as a language.

    It is measured on its test split, or on the first split that mteb measures it on.
    """

    family = "mteb"
    needs_vectors = True

    def __init__(self, task: Any) -> None:
        splits = list(task.eval_splits)
        self.split = SPLIT if SPLIT in splits else splits[0]
        self._task = task.filter_eval_splits([self.split])
        self._missing = ""

    @property
    def name(self) -> str:
        return f"{PREFIX}{self._task.metadata.name}"

    @property
    def revision(self) -> str:
        """The version of mteb, which decides how the task is measured, and the revision of the data."""
        data = str(self._task.metadata.dataset.get("revision", ""))
        return f"mteb-{version('mteb')}.{data[:12] or 'none'}"

    def __len__(self) -> int:
        return len(self._task.hf_subsets)

    def texts(self) -> dict[str, list[str]]:
        """Return no texts: they are not known before mteb has loaded them."""
        return {}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return mteb's own evaluation of our vectors; raise MissingError if the data cannot be loaded."""
        was_loaded = self._task.data_loaded
        with _quiet():
            self._load()
            evaluated = _library().evaluate(
                MtebEncoder(scorer),
                self._task,
                cache=None,
                co2_tracker=False,
                show_progress_bar=False,
                encode_kwargs={"batch_size": BATCH},
            )
            rows = [self._row(scores) for scores in evaluated.task_results[0].scores[self.split]]
            if not was_loaded:
                self._task.unload_data()
        return rows

    def _load(self) -> None:
        # if the hub did not answer for one model, do not wait for it again
        if not self._missing:
            try:
                self._task.load_data()
                return
            except (OSError, ValueError, RuntimeError) as error:
                self._missing = self._how_to_load(error)
                raise MissingError(self._missing) from error
        raise MissingError(self._missing)

    def _how_to_load(self, error: Exception) -> str:
        metadata = self._task.metadata
        reason = str(error).split("\n", 1)[0].rstrip(".")
        fill = f"HF_HOME=DIR python -c \"import mteb; mteb.get_task('{metadata.name}').load_data()\""
        return (
            f"{self.name} needs the data set {metadata.dataset.get('path')} ({reason}). On a machine that reaches the "
            f"hub, fill a folder: {fill}; then measure here with HF_HOME=DIR HF_HUB_OFFLINE=1"
        )

    def _row(self, scores: Mapping[str, Any]) -> ItemRow:
        part, value = str(scores["hf_subset"]), float(scores["main_score"])
        numbers = {name: float(score) for name, score in scores.items() if _is_number(score)}
        return ItemRow(
            f"{self.split}/{part}",
            value if isfinite(value) else None,
            {PART: part, MEASURE: str(self._task.metadata.main_score)},
            {ITEMS: float(self._items(part)), **numbers},
        )

    def _items(self, part: str) -> int:
        """Return the number of items of a subset: its queries if it has any, otherwise its rows."""
        data = self._task.dataset
        subset = data[part][self.split] if part in data else data[self.split]
        return len(subset["queries"]) if isinstance(subset, dict) else len(subset)


class MtebEncoder:
    """A model as mteb's EncoderProtocol expects it: batches in, one row per text out, compared by the dot product."""

    def __init__(self, scorer: CachedScorer) -> None:
        self._scorer = scorer
        self._compare = _library("mteb.similarity_functions")
        # only what a record needs: nothing is looked up on the hub
        known = {"name": f"litotes/{scorer.name.replace('/', '-')}", "revision": scorer.fingerprint or None}
        self.mteb_model_meta = _library("mteb.models").ModelMeta.create_empty(known)

    def encode(self, inputs: Iterable[Mapping[str, Any]], *, prompt_type: Any = None, **_: Any) -> np.ndarray:
        """Encode batches; mteb's prompt types are our roles: a query, a document, or neither."""
        texts = [text for batch in inputs for text in batch["text"]]
        return self._scorer.vectors(texts, "" if prompt_type is None else str(prompt_type.value))

    def similarity(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Return the similarity of every row with every row."""
        return self._compare.dot_score(embeddings1, embeddings2)

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Return the similarity of each row with the row at the same place."""
        return self._compare.pairwise_dot_score(embeddings1, embeddings2)


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return mteb's main score, the mean over the subsets; if there are several, also that of each subset."""
    if not rows:
        return [precomputed("main_score", nan, 0)]
    computed = [_figure(rows, ALL)]
    if len(rows) > 1:
        computed += [_figure([row], f"{PART}: {row.groups[PART]}") for row in rows]
    return computed


def _figure(rows: Sequence[ItemRow], part: str) -> Figure:
    values = [nan if row.value is None else row.value for row in rows]
    items = sum(int(row.numbers[ITEMS]) for row in rows)
    return precomputed(rows[0].groups[MEASURE], sum(values) / len(values), items, slice=part)


def _is_number(score: object) -> bool:
    return isinstance(score, int | float) and not isinstance(score, bool) and isfinite(score)


def _library(module: str = "mteb") -> Any:
    return require(module, extra="mteb", why="a task of mteb")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence messages about retries, and about newer versions of tasks: we want the versions of the papers."""
    loggers = [logging.getLogger(name) for name in ("mteb", "datasets", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
