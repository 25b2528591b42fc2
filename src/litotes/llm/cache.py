"""A cache of answers, so that a rerun costs nothing."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litotes.errors import UNANSWERED, InputError, NoLogProbabilitiesError, UnansweredError
from litotes.files import write_atomically
from litotes.llm.log_probabilities import SupportsLogProbabilities, are_log_probabilities, checked_labels
from litotes.types import Generator


class CachedGenerator:
    """A generator that keeps its answers in a folder, one small JSON file per answer.

    The key is the sha256 of the generator's signature (model and settings, not the endpoint's address), system, prompt,
    schema and labels. Refused, filtered, truncated and empty answers were paid for too, so they are kept as such. That
    an endpoint gives no log-probabilities is also kept, so that a rerun takes the same path.
    Threads and processes can share the folder, because files are written atomically. Within a process, a question that
    several threads ask at the same time is sent once.
    """

    def __init__(self, generator: Generator, folder: Path | str) -> None:
        self._generator = generator
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError(f"{self._folder} is a file: expected a folder for the answers")
        self._counts: Counter[str] = Counter()
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def signature(self) -> str:
        """The generator's own signature, so that a cache in front of a cache changes nothing."""
        return str(getattr(self._generator, "signature", type(self._generator).__qualname__))

    @property
    def hits(self) -> int:
        """The number of questions answered from the folder."""
        return self._counts["hit"]

    @property
    def misses(self) -> int:
        """The number of questions that were sent to the generator."""
        return self._counts["miss"]

    def holds(self, system: str, prompt: str, schema_json: dict[str, Any] | None = None) -> bool:
        """Whether the answer is in the cache."""
        return _read(self._path(self._question(system, prompt, schema_json))) is not None

    def generate(self, system: str, prompt: str) -> str:
        """Return the cached answer, or a new one that is cached from now on."""
        return self._text(system, prompt, None)

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str:
        """Do the same under a schema, which is passed to the generator if it supports schemas."""
        return self._text(system, prompt, schema_json)

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """Return the log-probability of each label. Raise NoLogProbabilitiesError if the generator gives none."""
        generator, checked = self._generator, checked_labels(labels)
        if not isinstance(generator, SupportsLogProbabilities):
            raise NoLogProbabilitiesError(
                f"{type(generator).__name__} gives no log-probabilities: ask it for text (generate)"
            )

        def send() -> dict[str, Any]:
            try:
                return {"log_probabilities": list(map(float, generator.log_probabilities(system, prompt, labels)))}
            except NoLogProbabilitiesError as error:
                return {"no_log_probabilities": str(error)}

        entry = self._entry(self._question(system, prompt, None) | {"labels": checked}, send)
        if "no_log_probabilities" in entry:
            raise NoLogProbabilitiesError(entry["no_log_probabilities"])
        return list(entry["log_probabilities"])

    def _text(self, system: str, prompt: str, schema_json: dict[str, Any] | None) -> str:
        def send() -> dict[str, str]:
            structured = getattr(self._generator, "generate_structured", None)
            if schema_json is not None and structured is not None:
                return {"answer": structured(system, prompt, schema_json)}
            return {"answer": self._generator.generate(system, prompt)}

        return str(self._entry(self._question(system, prompt, schema_json), send)["answer"])

    def _entry(self, question: dict[str, Any], send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the cached entry for a question, or send the question and cache what comes back."""
        path = self._path(question)
        with self._lock_for(path.name):
            entry = _read(path)
            with self._lock:
                self._counts["miss" if entry is None else "hit"] += 1
            if entry is None:
                try:
                    entry = send()
                except UnansweredError as error:
                    entry = {"unanswered": error.kind, "detail": error.detail}
                content = json.dumps({"question": question} | entry, ensure_ascii=False, indent=1)
                # Models do send halves of surrogate pairs; json.loads reads back what surrogatepass writes.
                write_atomically(path, content.encode("utf-8", "surrogatepass"))
        if "unanswered" in entry:
            raise UnansweredError(entry["unanswered"], entry["detail"])
        return entry

    def _question(self, system: str, prompt: str, schema_json: dict[str, Any] | None) -> dict[str, Any]:
        return {"generator": self.signature, "system": system, "prompt": prompt, "schema": schema_json}

    def _path(self, question: dict[str, Any]) -> Path:
        key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
        return self._folder / key[:2] / f"{key}.json"

    @contextmanager
    def _lock_for(self, key: str) -> Iterator[None]:
        """Let one thread at a time work on a question."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        try:
            with lock:
                yield
        finally:
            with self._lock:
                self._locks.pop(key, None)


def _read(path: Path) -> dict[str, Any] | None:
    """Return the cached entry; None if there is none, or if the file is damaged."""
    try:
        entry = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    if isinstance(entry.get("question"), dict) and "labels" in entry["question"]:
        is_answer = are_log_probabilities(entry.get("log_probabilities"))
        is_answer = is_answer or isinstance(entry.get("no_log_probabilities"), str)
    else:
        is_answer = isinstance(entry.get("answer"), str)
    is_reason = str(entry.get("unanswered")) in UNANSWERED and isinstance(entry.get("detail"), str)
    return entry if is_answer or is_reason else None
