"""Tasks of lm-evaluation-harness: the harness loads the data, asks the language model and measures.

It returns a figure and its standard error for each task and group of tasks. Intervals come from those, and figures
without rows cannot be paired.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cached_property
from importlib.metadata import version
from math import isfinite, nan
from typing import Any

import numpy as np

from litotes.data.benchmarks.lm_eval import PREFIX
from litotes.data.result_files import ItemRow
from litotes.errors import InputError, MissingError, require
from litotes.evaluation.figures import ALL, Figure, precomputed
from litotes.evaluation.harness_index import SHOTS, WHY, Config, IndexedTask, find, library
from litotes.evaluation.scoring import CachedScorer
from litotes.stats import ROUNDS

BATCH = 8
SPLITS = ("test_split", "validation_split")
ITEMS, ERROR, MEASURE, GROUP, SUBJECT = "items", "stderr", "measure", "group", "subject"
HEADLINE = "acc_norm"
"""Accuracy by log-likelihood per character, which papers print if a task has it."""
OWN_SCALE = ("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "bleu", "chrf", "chrf++", "ter")
"""Measures on a scale of their own; all others are shares."""
NORMAL_95 = 1.96
_UNREACHABLE = (OSError, ValueError, RuntimeError)
_UNREADABLE = (*_UNREACHABLE, LookupError, TypeError, AttributeError)


def named(name: str) -> HarnessTask:
    """Return a task or group by its name or file: mmlu, mmlu@5 (with five examples), FOLDER/my.yaml."""
    bare, _, shots = name.rpartition("@")
    if bare and shots.isdecimal():
        return HarnessTask(name, find(bare), int(shots))
    return HarnessTask(name, find(name))


TASK = named


class HarnessTask:
    """A task of the harness, or a group of them, as a task of ours: one row per task and measure."""

    family = "harness"
    needs_vectors = False

    def __init__(self, name: str, indexed: IndexedTask, shots: int | None = None) -> None:
        self.name = f"{PREFIX}{name}"
        self._indexed, self._shots = indexed, shots
        zero_shot = [config["task"] for config in indexed.members if config.get(SHOTS) == 0]
        if shots and zero_shot:
            raise InputError(f"{self.name}: {zero_shot[0]} is always asked without examples. Remove @{shots}")
        self._missing = ""

    @property
    def _members(self) -> tuple[Config, ...]:
        return self._indexed.members

    @cached_property
    def split(self) -> str:
        """The test split, or the split that the harness uses if there is none."""
        names = (next((str(config[key]) for key in SPLITS if config.get(key)), "test") for config in self._members)
        return ", ".join(dict.fromkeys(names))

    @cached_property
    def revision(self) -> str:
        """The versions of the harness and the task, the number of examples, and a digest of a user's own task."""
        metadata = (config.get("metadata") for config in self._members)
        versions = dict.fromkeys(str(notes.get("version", 0)) if isinstance(notes, dict) else "0" for notes in metadata)
        own_shots = (config.get(SHOTS) or 0 for config in self._members)
        shots = dict.fromkeys(map(str, own_shots if self._shots is None else [self._shots]))
        own = f".{self._indexed.digest}" if self._indexed.digest else ""
        return f"lm_eval-{version('lm_eval')}.version-{'+'.join(versions)}.shots-{'+'.join(shots)}{own}"

    def __len__(self) -> int:
        return len(self._members)

    def texts(self) -> dict[str, list[str]]:
        """Return no texts: nothing is encoded."""
        return {}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return the harness's own evaluation; raise MissingError if the data cannot be loaded."""
        causal = scorer.causal
        if causal is None:
            raise InputError(
                f"{self.name} needs a language model with local weights, and {scorer.name} is not one; "
                "expected llm:FOLDER, a folder with a causal model of transformers"
            )
        with _quiet():
            loaded = self._load()
            model = library("lm_eval.models.huggingface").HFLM(
                pretrained=causal.model, tokenizer=causal.tokenizer, backend="causal", batch_size=BATCH
            )
            evaluated = library("lm_eval.evaluator").evaluate(
                lm=model, task_dict=loaded, bootstrap_iters=ROUNDS, log_samples=False
            )
        return self._rows(evaluated["results"], set(evaluated.get("group_subtasks", ())))

    def _load(self) -> Any:
        """Load the tasks with their data; seeds and settings are those of the harness's own command."""
        # if the hub did not answer for one model, do not wait for it again
        if self._missing:
            raise MissingError(self._missing)
        seeds = library("lm_eval.defaults")
        random.seed(seeds.DEFAULT_RANDOM_SEED)
        np.random.seed(seeds.DEFAULT_OTHER_SEED)
        require("torch", extra="harness", why=WHY).manual_seed(seeds.DEFAULT_OTHER_SEED)
        try:
            loaded = self._indexed.manager.load([self._indexed.name])
        except ImportError as error:
            raise MissingError(f"{self.name} needs a package of its own ({error})") from error
        except (*_UNREADABLE, require("jinja2").TemplateError) as error:
            reason = str(error).split("\n", 1)[0].rstrip(".") or type(error).__name__
            if self._indexed.digest and not isinstance(error, ConnectionError):
                raise InputError(f"the harness cannot read {self.name} ({type(error).__name__}: {reason})") from error
            if not isinstance(error, _UNREACHABLE):
                raise
            self._missing = self._how_to_load(reason)
            raise MissingError(self._missing) from error
        for task in loaded["tasks"].values():
            shots = task.get_config(SHOTS) if self._shots is None else self._shots
            task.set_config(key=SHOTS, value=shots or 0)
            task.set_fewshot_seed(seed=seeds.DEFAULT_OTHER_SEED)
        return loaded

    def _how_to_load(self, reason: str) -> str:
        homes = ", ".join(dict.fromkeys(str(config.get("dataset_path", "its data")) for config in self._members))
        load = f"from lm_eval.tasks import TaskManager; TaskManager().load(['{self._indexed.name}'])"
        fill = "measure once with HF_HOME=DIR" if self._indexed.digest else f'HF_HOME=DIR python -c "{load}"'
        return (
            f"{self.name} needs the data set {homes} ({reason}). On a machine that reaches the hub, fill a folder: "
            f"{fill}; then measure here with HF_HOME=DIR HF_HUB_OFFLINE=1"
        )

    def _rows(self, results: Mapping[str, Mapping[str, Any]], groups: set[str]) -> list[ItemRow]:
        """Return the rows of the whole, then of the groups in it, then of the tasks."""

        def level(name: str) -> int:
            return 0 if name == self._indexed.name else 1 if name in groups else 2

        ordered = sorted(results, key=level)
        return [row for name in ordered for row in _task_rows(name, results[name], ("", GROUP, SUBJECT)[level(name)])]


def _task_rows(name: str, scores: Mapping[str, Any], division: str) -> Iterator[ItemRow]:
    """Yield one row per "metric,filter" of the harness; members of a group are named by their short names."""
    groups = {division: str(scores.get("alias", name)).strip(" -")} if division else {}
    items = float(scores.get("sample_len", 0))
    for key, value in scores.items():
        metric, _, filter_name = key.partition(",")
        if not filter_name or metric.endswith("_stderr") or not isinstance(value, int | float):
            continue
        measure = metric if filter_name == "none" else f"{metric}, {filter_name}"
        error = scores.get(f"{metric}_stderr,{filter_name}")
        numbers = {ITEMS: items, **({ERROR: float(error)} if isinstance(error, int | float) else {})}
        finite = float(value) if isfinite(value) else None
        yield ItemRow(f"{name}/{measure}", finite, {MEASURE: measure, **groups}, numbers)


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return every measure of the whole, of its groups and of its subjects; `acc_norm` comes first if there is one."""
    if not rows:
        return [precomputed("main_score", nan, 0)]
    order = {division: place for place, division in enumerate(("", GROUP, SUBJECT))}
    ordered = sorted(rows, key=lambda row: (order[_division(row)], row.groups[MEASURE] != HEADLINE))
    return [_figure(row) for row in ordered]


def _figure(row: ItemRow) -> Figure:
    measure, division = row.groups[MEASURE], _division(row)
    scale = 1.0 if measure.partition(",")[0] in OWN_SCALE else 100.0
    value = nan if row.value is None else row.value
    known_interval = None
    if ERROR in row.numbers and isfinite(row.numbers[ERROR]):
        reach = NORMAL_95 * row.numbers[ERROR]
        low, high = value - reach, value + reach
        lowest = -1.0 if measure == "mcc" else 0.0
        known_interval = (low, high) if scale == 1 else (max(lowest, low), min(1.0, high))
    part = f"{division}: {row.groups[division]}" if division else ALL
    items = int(row.numbers[ITEMS])
    return precomputed(measure, value, items, slice=part, scale=scale, known_interval=known_interval)


def _division(row: ItemRow) -> str:
    return next((name for name in (SUBJECT, GROUP) if name in row.groups), "")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the libraries' messages about retries and defaults, and keep what they print out of standard output."""
    loggers = [logging.getLogger(name) for name in ("lm_eval", "datasets", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
