"""A generator that gives recorded answers, and one that records another's: for tests and for reruns without cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.errors import InputError, MissingError, UnansweredError, UnweighedError
from litotes.llm.weights import Weighing, checked_labels, is_weighed
from litotes.types import Generator

BUILT_IN = "recorded.jsonl"


NO_LABEL = "no label"


def key_of(system: str, prompt: str, labels: Sequence[str] = ()) -> str:
    """What an answer is filed under; of an answer that was weighed, the labels belong to the question."""
    return hashlib.sha256("\0".join((system, prompt, *labels)).encode()).hexdigest()


class Replay:
    """Answers from a recording; a prompt that was never answered is an error, not a guess."""

    def __init__(self, path: Path | None = None) -> None:
        home = files("litotes.llm").joinpath(BUILT_IN)
        content = path.read_bytes() if path is not None else home.read_bytes()
        self.name = str(path) if path is not None else "the shipped recording"
        self._answers: dict[str, str] = {}
        self._weighed: dict[str, list[float] | None] = {}
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f"{self.name}, line {number}: expected a JSON object with key and answer") from error

    def _take(self, row: dict[str, Any]) -> None:
        if "log_probabilities" not in row:
            self._answers[row["key"]] = row["answer"]
            return
        found = row["log_probabilities"]
        if found is not None and not is_weighed(found):
            raise ValueError("log_probabilities is no list of numbers")
        self._weighed[row["key"]] = found

    def __len__(self) -> int:
        return len(self._answers) + len(self._weighed)

    def generate(self, system: str, prompt: str) -> str:
        """The recorded answer to this prompt."""
        answer = self._answers.get(key_of(system, prompt))
        if answer is None:
            raise self._missing(prompt)
        return answer

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """The recorded log-probability of each label; UnweighedError where the recording holds none at all."""
        if not self._weighed:
            raise UnweighedError(f"{self.name} holds no log-probabilities: ask it for text (generate)")
        key = key_of(system, prompt, checked_labels(labels))
        if key not in self._weighed:
            raise self._missing(prompt)
        found = self._weighed[key]
        if found is None:
            raise UnansweredError(NO_LABEL)
        return list(found)

    def _missing(self, prompt: str) -> MissingError:
        return MissingError(
            f"{self.name} holds no answer to this prompt ({prompt[:60]!r}…). "
            "Record one with litotes.llm.Recorder, or use the rules engine"
        )


class Recorder:
    """Asks another generator and writes each answer down, one JSON line each, as it comes."""

    def __init__(self, generator: Generator, path: Path) -> None:
        self._generator = generator
        self._path = path

    def generate(self, system: str, prompt: str) -> str:
        answer = self._generator.generate(system, prompt)
        self._write({"key": key_of(system, prompt), "answer": answer})
        return answer

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """The generator's, written down; that it named no label is written down as null."""
        key = key_of(system, prompt, checked_labels(labels))
        if not isinstance(self._generator, Weighing):
            name = type(self._generator).__name__
            raise UnweighedError(f"{name} gives no log-probabilities: ask it for text (generate)")
        try:
            found = list(map(float, self._generator.log_probabilities(system, prompt, labels)))
        except UnansweredError as error:
            if error.kind == NO_LABEL:
                self._write({"key": key, "log_probabilities": None})
            raise
        self._write({"key": key, "log_probabilities": found})
        return found

    def _write(self, row: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
