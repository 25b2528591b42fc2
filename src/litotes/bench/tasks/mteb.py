"""Tasks of mteb, passed through: mteb loads the data from its hub and measures, our models encode.

mteb gives a figure a part of a task and no row an item, so its figures have no interval and cannot be paired.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from math import isfinite, nan
from typing import Any

import numpy as np

from litotes.bench.rows import ALL, Figure, Row, whole
from litotes.bench.scoring import Scorer
from litotes.errors import InputError, MissingError, require

PREFIX = "mteb:"
# HedgeTriple's lite set by mteb's sorts of task: the fifteen on which LLM2Vec found a model's mean close to that on all
# of MTEB, and SummEval, the one of its sort. Table 2's average is the mean of the seven sorts' means.
LITE = {
    "classification": ("Banking77Classification", "EmotionClassification", "MassiveIntentClassification"),
    "pair classification": ("SprintDuplicateQuestions",),
    "reranking": ("StackOverflowDupQuestions", "SciDocsRR"),
    "clustering": ("BiorxivClusteringS2S", "MedrxivClusteringS2S", "TwentyNewsgroupsClustering"),
    "retrieval": ("ArguAna", "NFCorpus", "SciFact"),
    "STS": ("SICK-R", "STS17", "STSBenchmark"),
    "summarisation": ("SummEval",),
}
LANGUAGE = "eng"
SPLIT = "test"
BATCH = 32
ITEMS, MEASURE, PART = "items", "measure", "part"


def named(name: str) -> Mteb:
    """The English part of the task mteb knows by that name, such as NevIR or STSBenchmark."""
    library = _library()
    try:
        with _quiet():
            return Mteb(library.get_task(name, languages=[LANGUAGE], exclusive_language_filter=True))
    except (KeyError, ValueError) as error:
        said = str(error.args[0]).removeprefix("KeyError: ")
        raise InputError(f"mteb has no English task {name!r} ({said}). Its names: mteb.get_tasks()") from error


class Mteb:
    """An mteb task, any `mteb.AbsTask`, as a task of the bench: one row a part (a language, a subset).

    It is measured on its test split, or on the first one mteb measures it on.
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
        """Of mteb, which decides how it is measured, and of the data."""
        data = str(self._task.metadata.dataset.get("revision", ""))
        return f"mteb-{version('mteb')}.{data[:12] or 'none'}"

    def __len__(self) -> int:
        return len(self._task.hf_subsets)

    def texts(self) -> dict[str, list[str]]:
        """None before mteb has loaded them."""
        return {}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """mteb's own evaluation of our vectors; MissingError where the data cannot be had."""
        there = self._task.data_loaded
        with _quiet():
            self._load()
            found = _library().evaluate(
                Encoding(scorer),
                self._task,
                cache=None,
                co2_tracker=False,
                show_progress_bar=False,
                encode_kwargs={"batch_size": BATCH},
            )
            rows = [self._row(scores) for scores in found.task_results[0].scores[self.split]]
            if not there:
                self._task.unload_data()
        return rows

    def _load(self) -> None:
        # a hub that did not answer for one model is not waited for again
        if not self._missing:
            try:
                self._task.load_data()
                return
            except (OSError, ValueError, RuntimeError) as error:
                self._missing = self._how(error)
                raise MissingError(self._missing) from error
        raise MissingError(self._missing)

    def _how(self, error: Exception) -> str:
        metadata = self._task.metadata
        said = str(error).split("\n", 1)[0].rstrip(".")
        fill = f"HF_HOME=DIR python -c \"import mteb; mteb.get_task('{metadata.name}').load_data()\""
        return (
            f"{self.name} is measured on {metadata.dataset.get('path')} ({said}). "
            f"Where the hub can be reached, fill a folder: {fill}; then measure here with HF_HOME=DIR HF_HUB_OFFLINE=1"
        )

    def _row(self, scores: Mapping[str, Any]) -> Row:
        part, value = str(scores["hf_subset"]), float(scores["main_score"])
        numbers = {name: float(score) for name, score in scores.items() if _number(score)}
        return Row(
            f"{self.split}/{part}",
            value if isfinite(value) else None,
            {PART: part, MEASURE: str(self._task.metadata.main_score)},
            {ITEMS: float(self._items(part)), **numbers},
        )

    def _items(self, part: str) -> int:
        """How many items a part has: queries where it has any, rows of the table elsewhere."""
        data = self._task.dataset
        those = data[part][self.split] if part in data else data[self.split]
        return len(those["queries"]) if isinstance(those, dict) else len(those)


class Encoding:
    """A model as mteb's EncoderProtocol wants it: batches in, a row a text out, compared by the dot product."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._compare = _library("mteb.similarity_functions")
        # only what a record needs: nothing is looked up on the hub
        known = {"name": f"litotes/{scorer.name.replace('/', '-')}", "revision": scorer.fingerprint or None}
        self.mteb_model_meta = _library("mteb.models").ModelMeta.create_empty(known)

    def encode(self, inputs: Iterable[Mapping[str, Any]], *, prompt_type: Any = None, **_: Any) -> np.ndarray:
        """mteb's prompt types are our roles: a query, a document, or neither."""
        texts = [text for batch in inputs for text in batch["text"]]
        return self._scorer.vectors(texts, "" if prompt_type is None else str(prompt_type.value))

    def similarity(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Of every row with every row."""
        return self._compare.dot_score(embeddings1, embeddings2)

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Of each row with the row beside it."""
        return self._compare.pairwise_dot_score(embeddings1, embeddings2)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """mteb's main score under mteb's name, the mean over the parts; where there are several, also each part's."""
    if not rows:
        return [whole("main_score", nan, 0)]
    found = [_figure(rows, ALL)]
    if len(rows) > 1:
        found += [_figure([row], f"{PART}: {row.groups[PART]}") for row in rows]
    return found


def _figure(rows: Sequence[Row], part: str) -> Figure:
    values = [nan if row.value is None else row.value for row in rows]
    items = sum(int(row.numbers[ITEMS]) for row in rows)
    return whole(rows[0].groups[MEASURE], sum(values) / len(values), items, slice=part)


def _number(score: object) -> bool:
    return isinstance(score, int | float) and not isinstance(score, bool) and isfinite(score)


def _library(module: str = "mteb") -> Any:
    return require(module, extra="mteb", why="a task of mteb")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the libraries' word on every retry, and on tasks with newer versions: the paper's are meant."""
    loggers = [logging.getLogger(name) for name in ("mteb", "datasets", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
