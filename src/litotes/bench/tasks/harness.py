"""Tasks of lm-evaluation-harness, passed through: the harness loads the data, asks the language model and measures.

It gives a figure and its standard error for each task and each group of tasks: the intervals come from those, and
figures without a row an item cannot be paired.
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

from litotes.bench.harness_index import SHOTS, WHY, Config, Found, find, library
from litotes.bench.rows import ALL, Figure, Row, whole
from litotes.bench.scoring import Scorer
from litotes.errors import InputError, MissingError, require
from litotes.stats import ROUNDS

PREFIX = "lm-eval:"
# HedgeTriple's three, with the shots its Table 3 prints: the harness's own count for all but MMLU, which has none.
GENERAL = ("mmlu@5", "hellaswag", "gsm8k")
BATCH = 8
SPLITS = ("test_split", "validation_split")
ITEMS, ERROR, MEASURE, GROUP, SUBJECT = "items", "stderr", "measure", "group", "subject"
LEADING = "acc_norm"
"""the accuracy by log-likelihood a letter, which papers print where a task has it"""
AS_IS = ("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "bleu", "chrf", "chrf++", "ter")
"""what the harness gives on a scale of its own; all else is a share"""
NORMAL = 1.96
_UNREACHABLE = (OSError, ValueError, RuntimeError)
_UNREADABLE = (*_UNREACHABLE, LookupError, TypeError, AttributeError)


def named(name: str) -> Harness:
    """A task or group by the harness's name or in a file: mmlu, mmlu@5 (shown five examples), FOLDER/my.yaml."""
    bare, _, shots = name.rpartition("@")
    if bare and shots.isdecimal():
        return Harness(name, find(bare), int(shots))
    return Harness(name, find(name))


class Harness:
    """A task of the harness, or a group of them, as a task of the bench: one row a task and measure."""

    family = "harness"
    needs_vectors = False

    def __init__(self, name: str, found: Found, shots: int | None = None) -> None:
        self.name = f"{PREFIX}{name}"
        self._found, self._shots = found, shots
        fixed = [one["task"] for one in found.members if one.get(SHOTS) == 0]
        if shots and fixed:
            raise InputError(f"{self.name}: {fixed[0]} is always asked without examples. Leave out @{shots}")
        self._missing = ""

    @property
    def _members(self) -> tuple[Config, ...]:
        return self._found.members

    @cached_property
    def split(self) -> str:
        """The test split, or what the harness takes where there is none."""
        named = (next((str(one[key]) for key in SPLITS if one.get(key)), "test") for one in self._members)
        return ", ".join(dict.fromkeys(named))

    @cached_property
    def revision(self) -> str:
        """Of the harness and its task, how many examples are shown, and of a task of one's own what it holds."""
        notes = (one.get("metadata") for one in self._members)
        versions = dict.fromkeys(str(one.get("version", 0)) if isinstance(one, dict) else "0" for one in notes)
        own_shots = (one.get(SHOTS) or 0 for one in self._members)
        shots = dict.fromkeys(map(str, own_shots if self._shots is None else [self._shots]))
        own = f".{self._found.digest}" if self._found.digest else ""
        return f"lm_eval-{version('lm_eval')}.version-{'+'.join(versions)}.shots-{'+'.join(shots)}{own}"

    def __len__(self) -> int:
        return len(self._members)

    def texts(self) -> dict[str, list[str]]:
        """None: nothing is encoded."""
        return {}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """The harness's own evaluation of the weights; MissingError where the data cannot be had."""
        causal = scorer.causal
        if causal is None:
            raise InputError(
                f"{self.name} asks a language model whose weights are here, and {scorer.name} is none; "
                "expected llm:FOLDER, a folder with a causal model of transformers"
            )
        with _quiet():
            loaded = self._load()
            model = library("lm_eval.models.huggingface").HFLM(
                pretrained=causal.model, tokenizer=causal.tokenizer, backend="causal", batch_size=BATCH
            )
            found = library("lm_eval.evaluator").evaluate(
                lm=model, task_dict=loaded, bootstrap_iters=ROUNDS, log_samples=False
            )
        return self._rows(found["results"], set(found.get("group_subtasks", ())))

    def _load(self) -> Any:
        """The tasks with their data, seeded and set as the harness's own command does it."""
        # a hub that did not answer for one model is not waited for again
        if self._missing:
            raise MissingError(self._missing)
        seeds = library("lm_eval.defaults")
        random.seed(seeds.DEFAULT_RANDOM_SEED)
        np.random.seed(seeds.DEFAULT_OTHER_SEED)
        require("torch", extra="harness", why=WHY).manual_seed(seeds.DEFAULT_OTHER_SEED)
        try:
            loaded = self._found.manager.load([self._found.name])
        except ImportError as error:
            raise MissingError(f"{self.name} needs a package of its own ({error})") from error
        except (*_UNREADABLE, require("jinja2").TemplateError) as error:
            said = str(error).split("\n", 1)[0].rstrip(".") or type(error).__name__
            if self._found.digest and not isinstance(error, ConnectionError):
                raise InputError(f"the harness cannot read {self.name} ({type(error).__name__}: {said})") from error
            if not isinstance(error, _UNREACHABLE):
                raise
            self._missing = self._how(said)
            raise MissingError(self._missing) from error
        for task in loaded["tasks"].values():
            given = task.get_config(SHOTS) if self._shots is None else self._shots
            task.set_config(key=SHOTS, value=given or 0)
            task.set_fewshot_seed(seed=seeds.DEFAULT_OTHER_SEED)
        return loaded

    def _how(self, said: str) -> str:
        homes = ", ".join(dict.fromkeys(str(one.get("dataset_path", "its data")) for one in self._members))
        load = f"from lm_eval.tasks import TaskManager; TaskManager().load(['{self._found.name}'])"
        fill = "measure once with HF_HOME=DIR" if self._found.digest else f'HF_HOME=DIR python -c "{load}"'
        return (
            f"{self.name} is measured on {homes} ({said}). Where the hub can be reached, fill a folder: {fill}; "
            "then measure here with HF_HOME=DIR HF_HUB_OFFLINE=1"
        )

    def _rows(self, results: Mapping[str, Mapping[str, Any]], groups: set[str]) -> list[Row]:
        """The whole first, then groups within it, then the tasks themselves."""

        def place(name: str) -> int:
            return 0 if name == self._found.name else 1 if name in groups else 2

        ordered = sorted(results, key=place)
        return [row for name in ordered for row in _task_rows(name, results[name], ("", GROUP, SUBJECT)[place(name)])]


def _task_rows(name: str, scores: Mapping[str, Any], division: str) -> Iterator[Row]:
    """A row for each "metric,filter" of the harness; what belongs to a group bears its short name."""
    below = {division: str(scores.get("alias", name)).strip(" -")} if division else {}
    items = float(scores.get("sample_len", 0))
    for key, value in scores.items():
        metric, _, kept = key.partition(",")
        if not kept or metric.endswith("_stderr") or not isinstance(value, int | float):
            continue
        measure = metric if kept == "none" else f"{metric}, {kept}"
        error = scores.get(f"{metric}_stderr,{kept}")
        numbers = {ITEMS: items, **({ERROR: float(error)} if isinstance(error, int | float) else {})}
        yield Row(f"{name}/{measure}", float(value) if isfinite(value) else None, {MEASURE: measure, **below}, numbers)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Every measure of the whole, of its groups and of its subjects; `acc_norm` leads where there is one."""
    if not rows:
        return [whole("main_score", nan, 0)]
    places = {division: place for place, division in enumerate(("", GROUP, SUBJECT))}
    ordered = sorted(rows, key=lambda row: (places[_division(row)], row.groups[MEASURE] != LEADING))
    return [_figure(row) for row in ordered]


def _figure(row: Row) -> Figure:
    measure, division = row.groups[MEASURE], _division(row)
    scale = 1.0 if measure.partition(",")[0] in AS_IS else 100.0
    value = nan if row.value is None else row.value
    given = None
    if ERROR in row.numbers and isfinite(row.numbers[ERROR]):
        reach = NORMAL * row.numbers[ERROR]
        low, high = value - reach, value + reach
        least = -1.0 if measure == "mcc" else 0.0
        given = (low, high) if scale == 1 else (max(least, low), min(1.0, high))
    part = f"{division}: {row.groups[division]}" if division else ALL
    return whole(measure, value, int(row.numbers[ITEMS]), slice=part, scale=scale, given=given)


def _division(row: Row) -> str:
    return next((name for name in (SUBJECT, GROUP) if name in row.groups), "")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the libraries' word on every retry and every default; what they print does not mix with our output."""
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
