"""A generator that gives recorded answers, and one that records another's: for tests and for reruns without cost."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path

from litotes.errors import InputError, MissingError
from litotes.types import Generator

BUILT_IN = "recorded.jsonl"


def key_of(system: str, prompt: str) -> str:
    """What an answer is filed under."""
    return hashlib.sha256(f"{system}\0{prompt}".encode()).hexdigest()


class Replay:
    """Answers from a recording; a prompt that was never answered is an error, not a guess."""

    def __init__(self, path: Path | None = None) -> None:
        home = files("litotes.llm").joinpath(BUILT_IN)
        content = path.read_bytes() if path is not None else home.read_bytes()
        self.name = str(path) if path is not None else "the shipped recording"
        self._answers: dict[str, str] = {}
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                self._answers[row["key"]] = row["answer"]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f"{self.name}, line {number}: expected a JSON object with key and answer") from error

    def __len__(self) -> int:
        return len(self._answers)

    def generate(self, system: str, prompt: str) -> str:
        """The recorded answer to this prompt."""
        answer = self._answers.get(key_of(system, prompt))
        if answer is None:
            raise MissingError(
                f"{self.name} holds no answer to this prompt ({prompt[:60]!r}…). "
                "Record one with litotes.llm.Recorder, or use the rules engine"
            )
        return answer


class Recorder:
    """Asks another generator and writes each answer down, one JSON line each, as it comes."""

    def __init__(self, generator: Generator, path: Path) -> None:
        self._generator = generator
        self._path = path

    def generate(self, system: str, prompt: str) -> str:
        answer = self._generator.generate(system, prompt)
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"key": key_of(system, prompt), "answer": answer}, ensure_ascii=False) + "\n")
        return answer
