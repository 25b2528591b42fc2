"""The parts of a search for duplicates: vectors, neighbours and verdicts in files, made here or as Ray tasks.

A part has some hundred texts or pairs. Its file is written atomically and is not made again, so that an interrupted
run resumes with the first part that is missing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, LitotesError, require
from litotes.files import write_atomically
from litotes.guard import Guard, Tier
from litotes.guard.adapters.common import differs
from litotes.guard.deciding_words import deciding_words
from litotes.types import MALFORMED

if TYPE_CHECKING:
    from litotes.types import Encoder

CONTRADICTING = ("opposite", "direction")
"""The reasons of a guard for texts that contradict each other."""
COSINE_STEPS = 100_000
"""Cosines are compared after rounding to five digits, so that ties do not depend on the machine."""
PLACES = 2**32
"""More than the number of texts; a cosine and a place together are one integer."""
TASKS_PER_CPU = 2
"""Ray tasks that wait or run at a time."""
CANCEL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Models:
    """What encodes and judges, loaded in this process."""

    encoder: Encoder
    guard: Guard


@dataclass(frozen=True, slots=True)
class ModelNames:
    """What encodes and judges, by name, for other processes."""

    encoder: str
    tier: str
    threshold: float
    device: str | None


Loader = Callable[[], Models]


def load_models(
    encoder: str | Encoder,
    tier: str | Path | Tier | None,
    threshold: float | str | Path | None,
    device: str | None,
) -> Models:
    """Load what is given by name. The guard logs nothing and names no words; the parts name those that are listed."""
    from litotes.models import load

    loaded: Any = load(encoder, device=device) if isinstance(encoder, str) else encoder
    if not callable(getattr(loaded, "encode", None)):
        raise InputError(f"{encoder} has no vectors; expected an encoder, such as dense:minilm")
    return Models(loaded, Guard(tier, threshold=threshold, log=False, explain=False, device=device))


@lru_cache(maxsize=1)
def load_once(names: ModelNames) -> Models:
    """Load models in a Ray worker, once for all its tasks."""
    return load_models(names.encoder, names.tier, names.threshold, names.device)


@dataclass(frozen=True, slots=True)
class Part:
    """A file, and the work that writes it."""

    path: Path
    make: Callable[[], None]

    @property
    def is_made(self) -> bool:
        """Whether the file exists; after a power cut it may be empty."""
        return self.path.is_file() and self.path.stat().st_size > 0


def encode_part(models: Loader, path: Path, texts: Sequence[str]) -> None:
    """Write the vectors of some texts, scaled to length 1."""
    rows = models().encoder.encode(texts, role="document")
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise InputError(f"the encoder has not given one vector of finite numbers per text; got {type(rows).__name__}")
    vectors = rows.astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    _save(path, vectors / np.where(lengths > 0, lengths, 1))


def neighbour_part(path: Path, vectors: Sequence[Path], number: int, most: int, min_cosine: float) -> None:
    """Write the nearest neighbours among all texts of those in one file of vectors, as pairs of places.

    Of neighbours with the same cosine, earlier ones are nearer. Two files of vectors are in memory at a time.
    """
    rows, first, start = load_array(vectors[number]), 0, 0
    best = np.zeros((len(rows), 0), dtype=np.int64)
    for at, file in enumerate(vectors):
        columns = load_array(file)
        cosines = rows @ columns.T
        if at == number:
            start = first
            np.fill_diagonal(cosines, -1.0)
        steps = np.rint(cosines * COSINE_STEPS).astype(np.int64)
        if steps.max(initial=-COSINE_STEPS) >= round(min_cosine * COSINE_STEPS):
            places = np.arange(first, first + len(columns))
            best = np.concatenate([best, steps * PLACES + (PLACES - 1 - places)], axis=1)
            if best.shape[1] > most:
                best = np.partition(best, -most, axis=1)[:, -most:]
        first += len(columns)
    own = np.repeat(np.arange(start, start + len(rows)), best.shape[1])
    found = np.stack([own, (PLACES - 1 - best % PLACES).ravel()], axis=1)
    near = (best // PLACES).ravel() >= round(min_cosine * COSINE_STEPS)
    _save(path, found[near & (found[:, 0] != found[:, 1])])


def verdict_part(
    models: Loader, path: Path, pairs: Sequence[tuple[int, int]], texts: Sequence[tuple[str, str]]
) -> None:
    """Write the verdicts on some pairs as JSON lines, with the deciding words of those that contradict each other."""
    later, earlier = [other for _, other in texts], [one for one, _ in texts]
    lines = []
    for pair, verdict in zip(pairs, models().guard.judge_all(later, earlier), strict=True):
        line: dict[str, Any] = {"pair": list(pair), "same": verdict.same, "score": verdict.score}
        line["reason"] = verdict.reason
        if differs(verdict, CONTRADICTING):
            line["words"] = deciding_words(verdict.cached, verdict.new, verdict.reason)
        lines.append(json.dumps(line | ({"error": verdict.error} if verdict.error else {}), ensure_ascii=False))
    write_atomically(path, "\n".join(lines) + "\n")


def read_verdicts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of `verdict_part`."""
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield dict(json.loads(line))
    except MALFORMED as error:
        raise InputError(f"{path} is damaged ({error}); remove it, and run this again") from error


def load_array(path: Path) -> np.ndarray:
    """Read an array that a part wrote."""
    try:
        array: np.ndarray = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged ({error}); remove it, and run this again") from error
    return array


def _save(path: Path, array: np.ndarray) -> None:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    write_atomically(path, stream.getvalue())


def run_here(parts: Iterable[Part]) -> Iterator[Path]:
    """Make the missing parts one after the other; yield the file of each part when it is there."""
    for part in parts:
        if not part.is_made:
            part.make()
        yield part.path


class RayRunner:
    """Makes missing parts as Ray tasks, on machines that share the work folder."""

    def __init__(self, device: str | None) -> None:
        self._ray = require("ray", extra="scale", why="--ray")
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False, log_to_driver=False)
        # Ray hides GPUs from tasks that do not ask for one
        gpus = 1 if (device or "").startswith("cuda") else 0
        self._task = self._ray.remote(num_cpus=1, num_gpus=gpus)(_make)
        self._most = TASKS_PER_CPU * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def __call__(self, parts: Iterable[Part]) -> Iterator[Path]:
        """Yield the file of each part when it is there, in any order."""
        running: dict[Any, Path] = {}
        try:
            for part in parts:
                if part.is_made:
                    yield part.path
                    continue
                if len(running) >= self._most:
                    yield self._next(running)
                running[self._task.remote(part)] = part.path
            while running:
                yield self._next(running)
        finally:
            self._cancel(running)

    def _next(self, running: dict[Any, Path]) -> Path:
        """Wait for a task that is running; an error of litotes in it is raised as such."""
        (done, *_), _ = self._ray.wait(list(running), num_returns=1)
        path = running.pop(done)
        try:
            self._ray.get(done)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, LitotesError):
                raise error.cause from error
            raise
        return path

    def _cancel(self, running: Iterable[Any]) -> None:
        """Stop the tasks that are left after an error or an interruption, and wait for them: they write files."""
        for task in running:
            self._ray.cancel(task)
        for task in running:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(task, timeout=CANCEL_SECONDS)


def _make(part: Part) -> None:
    part.make()
