"""The queue in front of a model: texts of requests that arrive together are computed together.

A queue has one thread, which loads the model and computes its batches, so the event loop never waits for either.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from litotes.errors import InputError, LitotesError
from litotes.serve.errors import RequestError
from litotes.serve.monitoring import Monitor
from litotes.serve.settings import Settings

GAP = 0.002
"""seconds: a batch begins when no request has come for so long, or when `max_wait` is over. The clients whose requests
were in the last batch send their next ones then, and a large batch takes less time per text than two small ones."""
SHARED = 16
"""how many requests share a batch. The items of a batch are padded to its longest one, so those of similar length are
computed together. The requests of the next batch are read and answered meanwhile."""
_loading = threading.Lock()
"""Models share libraries and tokenizers, so they are loaded one after the other."""
_log = logging.getLogger("litotes.serve")


class Runner(Protocol):
    """A loaded model behind a queue. Only the thread of the queue calls it."""

    def run(self, key: Any, items: Sequence[Any]) -> Sequence[Any]:
        """Return one result per item. All items have the same key, such as a dial."""
        ...

    def count(self, items: Sequence[Any]) -> Sequence[int]:
        """Return the number of tokens of each item."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The results of a request, one per item, and the number of tokens that were read."""

    results: list[Any]
    tokens: int


@dataclass(eq=False, slots=True)
class _Job:
    """The items of one request."""

    key: Hashable
    items: Sequence[Any]
    future: asyncio.Future[Answer]
    loop: asyncio.AbstractEventLoop
    tokens: Sequence[int] | None = None
    """of each item, once they are counted"""
    taken: int = 0
    """items that are computed or being computed"""
    results: list[Any] = field(default_factory=list)

    def next_length(self) -> int:
        """Return the number of tokens of the next item."""
        return (self.tokens or ())[self.taken]

    def left(self) -> int:
        """Return the number of tokens that are not computed yet."""
        return sum((self.tokens or ())[self.taken :])

    def finish(self, outcome: BaseException | None = None) -> None:
        """Answer the request, in its event loop."""
        if self.future.done():
            return
        if outcome is None:
            self.future.set_result(Answer(self.results, sum(self.tokens or ())))
        else:
            self.future.set_exception(outcome)


class ModelQueue:
    """A queue of bounded length, and the model behind it, which is loaded by the first request.

    Requests with the same key share batches, in rounds of one item per request: a large request does not hold up small
    ones. A request without items loads the model.
    """

    def __init__(self, name: str, load: Callable[[], Runner], settings: Settings, monitor: Monitor) -> None:
        self.name = name
        self._load, self._settings, self._monitor = load, settings, monitor
        self._runner: Runner | None = None
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        monitor.watch_queue(name, lambda: len(self._jobs))

    async def submit(self, key: Hashable, items: Sequence[Any]) -> Answer:
        """Wait for the results of a request's items. If the caller is cancelled, what has not begun is dropped."""
        loop = asyncio.get_running_loop()
        job = _Job(key, items, loop.create_future(), loop)
        with self._changed:
            if len(self._jobs) >= self._settings.max_queue:
                raise RequestError(
                    429,
                    f"{len(self._jobs)} requests are waiting for {self.name}, and no more may. Try again in a second",
                    code="queue_full",
                )
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"litotes {self.name}", daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            return await job.future
        except asyncio.CancelledError:
            self._remove([job])
            raise

    @property
    def runner(self) -> Runner | None:
        """The loaded model, or None."""
        return self._runner

    async def load(self) -> None:
        """Load the model, if it is not loaded."""
        await self.submit((), ())

    def close(self) -> None:
        """Let the thread end when its queue is empty."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._jobs and not self._closed:
                    self._changed.wait()
                if not self._jobs:
                    return
            runner = self._runner or self._loaded()
            if runner is not None:
                self._collect(runner)
                key, batch = self._take()
                self._compute(runner, key, batch)

    def _loaded(self) -> Runner | None:
        """Load the model. If that fails, those who wait for it get the reason, and the next request tries again."""
        try:
            with _loading:
                self._runner = self._load()
        except Exception as error:
            reason = str(error) if isinstance(error, LitotesError) else self._logged(error, "could not be loaded")
            outcome = RequestError(503, f"{self.name} could not be loaded: {reason}", code="model_not_loaded")
            outcome.__cause__ = error
            with self._changed:
                waiting = list(self._jobs)
            self._finish(waiting, outcome)
        return self._runner

    def _collect(self, runner: Runner) -> None:
        """Wait until a batch is full, or nothing more comes, or `max_wait` is over."""
        end = time.monotonic() + self._settings.max_wait
        while True:
            with self._changed:
                new = [job for job in self._jobs if job.tokens is None]
            self._count(runner, new)
            with self._changed:
                tokens = sum(job.left() for job in self._jobs)
            if not new or time.monotonic() >= end or tokens >= self._settings.max_batch_tokens:
                return
            time.sleep(GAP)

    def _count(self, runner: Runner, jobs: Sequence[_Job]) -> None:
        """Count the tokens of new requests, all in one call."""
        items = [item for job in jobs for item in job.items]
        try:
            counts = [max(1, count) for count in runner.count(items)] if items else []
        except Exception as error:
            return self._finish(jobs, self._crash(error))
        start = 0
        for job in jobs:
            job.tokens = counts[start : start + len(job.items)]
            start += len(job.items)

    def _take(self) -> tuple[Hashable, list[tuple[_Job, int]]]:
        """Take the next batch: items of all requests with the key of the first one, in rounds."""
        batch: list[tuple[_Job, int]] = []
        with self._changed:
            counted = [job for job in self._jobs if job.tokens is not None]
            if not counted:
                return (), []
            room, key = self._settings.max_batch_tokens, counted[0].key
            joining = [job for job in counted if job.key == key]
            self._finish_empty(joining)
            joining = _nearest([job for job in joining if job.items])
            while joining and room > 0:
                joining = [job for job in joining if job.taken < len(job.items)]
                for job in joining:
                    tokens = job.next_length()
                    if batch and tokens > room:
                        room = 0
                        break
                    batch.append((job, job.taken))
                    job.taken += 1
                    room -= tokens
            begun = [job for job in self._jobs if 0 < job.taken < len(job.items) and job.key == key]
            others = [job for job in self._jobs if job.taken == 0 or job.key != key]
            # Those that are not done go to the end, so that requests with other keys have their turn.
            self._jobs = deque([*others, *begun])
        return key, batch

    def _finish_empty(self, jobs: Sequence[_Job]) -> None:
        empty = [job for job in jobs if not job.items]
        if empty:
            self._finish(empty)

    def _compute(self, runner: Runner, key: Hashable, batch: Sequence[tuple[_Job, int]]) -> None:
        """Compute a batch and answer the requests that are complete with it. A crash answers only its requests."""
        if not batch:
            return
        jobs = list(dict.fromkeys(job for job, _ in batch))
        self._monitor.batch(self.name, len(batch), sum((job.tokens or ())[place] for job, place in batch))
        try:
            results = runner.run(key, [job.items[place] for job, place in batch])
        except InputError as error:
            if len(jobs) == 1:
                return self._finish(jobs, error)
            # One request's fault is not that of the others.
            for one in jobs:
                self._compute(runner, key, [(job, place) for job, place in batch if job is one])
            return
        except Exception as error:
            return self._finish(jobs, self._crash(error))
        for (job, _), result in zip(batch, results, strict=True):
            job.results.append(result)
        self._finish([job for job in jobs if len(job.results) == len(job.items)])

    def _crash(self, error: Exception) -> RequestError:
        self._logged(error, "failed on a batch")
        return RequestError(
            500,
            f"{self.name} failed on the batch with this request ({type(error).__name__}); the server's log has more",
            code="batch_failed",
        )

    def _logged(self, error: Exception, what: str) -> str:
        """Log where an error comes from; its message may have texts of a request, so it is left out."""
        place = "".join(traceback.format_tb(error.__traceback__)[-3:])
        _log.error("%s %s: %s\n%s", self.name, what, type(error).__name__, place)
        return f"{type(error).__name__}. the server's log has more"

    def _finish(self, jobs: Sequence[_Job], outcome: BaseException | None = None) -> None:
        """Answer requests, in one call to their event loop."""
        if not jobs:
            return
        self._remove(jobs)
        jobs[0].loop.call_soon_threadsafe(_answer, list(jobs), outcome)

    def _remove(self, jobs: Iterable[_Job]) -> None:
        gone = set(jobs)
        with self._changed:
            self._jobs = deque(job for job in self._jobs if job not in gone)


def _nearest(jobs: list[_Job]) -> list[_Job]:
    """Return the first of the requests, and those whose next items are nearest to its own in length."""
    if len(jobs) <= SHARED:
        return jobs
    length = jobs[0].next_length()
    return sorted(jobs, key=lambda job: abs(job.next_length() - length))[:SHARED]


def _answer(jobs: Sequence[_Job], outcome: BaseException | None) -> None:
    for job in jobs:
        job.finish(outcome)
