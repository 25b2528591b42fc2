"""Every answer kept by what was asked, so that a rerun pays nothing."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from litotes.errors import UNANSWERED, InputError, UnansweredError, UnweighedError
from litotes.llm.weights import Weighing, checked_labels, is_weighed
from litotes.types import Generator


class Cached:
    """A generator whose answers are kept in a folder, one small JSON file each.

    An answer is filed under the sha256 of the generator's signature (model and settings, not the address it is served
    at), system, prompt, schema and labels. Refused, filtered, cut-off and empty answers were paid for too and are kept
    as such; so is that an endpoint gave no log-probabilities, for a rerun to go the same way.
    Threads and processes may share the folder: files appear whole or not at all. Within a process a question is asked
    once even when several threads ask it at the same time.
    """

    def __init__(self, generator: Generator, folder: Path | str) -> None:
        self._generator = generator
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError(f"{self._folder} is a file: expected a folder to keep answers in")
        self._counts: Counter[str] = Counter()
        self._asking: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def signature(self) -> str:
        """The generator's own, so that a cache in front of a cache changes nothing."""
        return str(getattr(self._generator, "signature", type(self._generator).__qualname__))

    @property
    def hits(self) -> int:
        """Questions answered from the folder."""
        return self._counts["hit"]

    @property
    def misses(self) -> int:
        """Questions that had to be asked."""
        return self._counts["miss"]

    def holds(self, system: str, prompt: str, schema_json: dict[str, Any] | None = None) -> bool:
        """Whether the answer is there already."""
        return _read(self._path(self._question(system, prompt, schema_json))) is not None

    def generate(self, system: str, prompt: str) -> str:
        """The kept answer, or a new one that is kept from now on."""
        return str(self._kept(self._question(system, prompt, None), lambda: self._ask(system, prompt, None))["answer"])

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str:
        """The same, under a schema, which the generator is handed if it can use it."""
        question = self._question(system, prompt, schema_json)
        return str(self._kept(question, lambda: self._ask(system, prompt, schema_json))["answer"])

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """How likely each label is, kept too; UnweighedError where the generator cannot say."""
        generator, wanted = self._generator, checked_labels(labels)
        if not isinstance(generator, Weighing):
            raise UnweighedError(f"{type(generator).__name__} gives no log-probabilities: ask it for text (generate)")

        def ask() -> dict[str, Any]:
            try:
                return {"log_probabilities": list(map(float, generator.log_probabilities(system, prompt, labels)))}
            except UnweighedError as found:
                return {"unweighed": str(found)}

        kept = self._kept(self._question(system, prompt, None) | {"labels": wanted}, ask)
        if "unweighed" in kept:
            raise UnweighedError(kept["unweighed"])
        return list(kept["log_probabilities"])

    def _kept(self, question: dict[str, Any], ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What the folder has under the question, or what asking gives, which it has from now on."""
        path = self._path(question)
        with self._alone(path.name):
            kept = _read(path)
            with self._lock:
                self._counts["miss" if kept is None else "hit"] += 1
            if kept is None:
                try:
                    kept = ask()
                except UnansweredError as found:
                    kept = {"unanswered": found.kind, "detail": found.detail}
                _write(path, {"question": question} | kept)
        if "unanswered" in kept:
            raise UnansweredError(kept["unanswered"], kept["detail"])
        return kept

    def _ask(self, system: str, prompt: str, schema_json: dict[str, Any] | None) -> dict[str, str]:
        structured = getattr(self._generator, "generate_structured", None)
        if schema_json is not None and structured is not None:
            return {"answer": structured(system, prompt, schema_json)}
        return {"answer": self._generator.generate(system, prompt)}

    def _question(self, system: str, prompt: str, schema_json: dict[str, Any] | None) -> dict[str, Any]:
        return {"generator": self.signature, "system": system, "prompt": prompt, "schema": schema_json}

    def _path(self, question: dict[str, Any]) -> Path:
        key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
        return self._folder / key[:2] / f"{key}.json"

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """One thread at a time for one question."""
        with self._lock:
            lock = self._asking.setdefault(key, threading.Lock())
        try:
            with lock:
                yield
        finally:
            with self._lock:
                self._asking.pop(key, None)


def _read(path: Path) -> dict[str, Any] | None:
    """The kept answer; None when there is none, or a file that a full disk or a careless hand has spoilt."""
    try:
        kept = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    if not isinstance(kept, dict):
        return None
    if isinstance(kept.get("question"), dict) and "labels" in kept["question"]:
        answered = is_weighed(kept.get("log_probabilities")) or isinstance(kept.get("unweighed"), str)
    else:
        answered = isinstance(kept.get("answer"), str)
    explained = str(kept.get("unanswered")) in UNANSWERED and isinstance(kept.get("detail"), str)
    return kept if answered or explained else None


def _write(path: Path, kept: dict[str, Any]) -> None:
    """Whole or not at all: under a name of its own until it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        # models do send halves of surrogate pairs; json.loads reads back what surrogatepass lets through
        with partial.open("w", encoding="utf-8", errors="surrogatepass") as stream:
            json.dump(kept, stream, ensure_ascii=False, indent=1)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
