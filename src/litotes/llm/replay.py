"""A generator that replays recorded answers, and one that records another's: for tests, and for reruns at no cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.errors import InputError, MissingError, NoLogProbabilitiesError, UnansweredError
from litotes.llm.log_probabilities import SupportsLogProbabilities, are_log_probabilities, checked_labels
from litotes.types import Generator

BUILT_IN = "recorded.jsonl"
NO_LABEL = "no label"


def key_of(system: str, prompt: str, labels: Sequence[str] = ()) -> str:
    """Return the key of an answer. For log-probabilities, the labels are part of the question."""
    return hashlib.sha256("\0".join((system, prompt, *labels)).encode()).hexdigest()


class Replay:
    """Gives the answers of a recording. A prompt that was not recorded is an error."""

    def __init__(self, path: Path | None = None) -> None:
        built_in = files("litotes.llm").joinpath(BUILT_IN)
        content = path.read_bytes() if path is not None else built_in.read_bytes()
        self.name = str(path) if path is not None else "the built-in recording"
        self._answers: dict[str, str] = {}
        self._log_probabilities: dict[str, list[float] | None] = {}
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                self._add(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f"{self.name}, line {number}: expected a JSON object with key and answer") from error

    def _add(self, row: dict[str, Any]) -> None:
        if "log_probabilities" not in row:
            self._answers[row["key"]] = row["answer"]
            return
        values = row["log_probabilities"]
        if values is not None and not are_log_probabilities(values):
            raise ValueError("log_probabilities is not a list of numbers")
        self._log_probabilities[row["key"]] = values

    def __len__(self) -> int:
        return len(self._answers) + len(self._log_probabilities)

    def generate(self, system: str, prompt: str) -> str:
        """Return the recorded answer to this prompt."""
        answer = self._answers.get(key_of(system, prompt))
        if answer is None:
            raise self._missing(prompt)
        return answer

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """Return the recorded log-probability of each label, or raise NoLogProbabilitiesError if there are none."""
        if not self._log_probabilities:
            raise NoLogProbabilitiesError(f"{self.name} has no log-probabilities: ask it for text (generate)")
        key = key_of(system, prompt, checked_labels(labels))
        if key not in self._log_probabilities:
            raise self._missing(prompt)
        values = self._log_probabilities[key]
        if values is None:
            raise UnansweredError(NO_LABEL)
        return list(values)

    def _missing(self, prompt: str) -> MissingError:
        return MissingError(
            f"{self.name} has no answer to this prompt ({prompt[:60]!r}…). "
            "Record one with litotes.llm.Recorder, or use the rules engine"
        )


class Recorder:
    """Asks another generator and appends each answer to a file, one JSON line per answer."""

    def __init__(self, generator: Generator, path: Path) -> None:
        self._generator = generator
        self._path = path

    def generate(self, system: str, prompt: str) -> str:
        """Return the generator's answer and record it."""
        answer = self._generator.generate(system, prompt)
        self._append({"key": key_of(system, prompt), "answer": answer})
        return answer

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """Return the generator's log-probabilities and record them; null is recorded if it listed no label."""
        key = key_of(system, prompt, checked_labels(labels))
        if not isinstance(self._generator, SupportsLogProbabilities):
            name = type(self._generator).__name__
            raise NoLogProbabilitiesError(f"{name} gives no log-probabilities: ask it for text (generate)")
        try:
            values = list(map(float, self._generator.log_probabilities(system, prompt, labels)))
        except UnansweredError as error:
            if error.kind == NO_LABEL:
                self._append({"key": key, "log_probabilities": None})
            raise
        self._append({"key": key, "log_probabilities": values})
        return values

    def _append(self, row: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
