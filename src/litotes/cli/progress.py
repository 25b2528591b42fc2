"""Progress on standard error: a bar in a terminal, a line every few seconds when the output is piped."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from litotes.workflows.progress import Progress, Step

SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def progress_display() -> Iterator[Progress]:
    """Give a callback that shows each step it is called with."""
    if sys.stderr.isatty():
        with _bar() as show:
            yield show
    else:
        yield ProgressLines()


class ProgressLines:
    """Prints a step as one line, at most once every ten seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = self._printed = self._seen = clock()
        self._what = ""

    def __call__(self, step: Step) -> None:
        now = self._clock()
        if step.what != self._what:
            # The first step of a new piece of work took the time since the last step of the one before.
            self._what, self._started = step.what, self._seen
        self._seen = now
        if now - self._printed < SECONDS_BETWEEN_LINES:
            return
        self._printed = now
        click.echo(f"litotes: {progress_line(step, now - self._started)}", err=True)


def progress_line(step: Step, seconds: float) -> str:
    """Describe a step in one line, with an estimate of the time left."""
    total = f"/{step.total:,}" if step.total else ""
    parts = [f"{step.what}: {step.done:,}{total}", *([step.detail] if step.detail else [])]
    parts.append(f"{duration(seconds)} elapsed")
    if step.total and step.done:
        parts.append(f"about {duration(seconds * (step.total - step.done) / step.done)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Format seconds for people: 0:07, 12:30, 1:02:05."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def timed(message: str) -> Iterator[None]:
    """Say on standard error what was done and how long it took, if it succeeded."""
    started = time.monotonic()
    yield
    click.echo(f"litotes: {message} in {duration(time.monotonic() - started)}", err=True)


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        line = bar.add_task("loading", total=None, detail="")

        def show(step: Step) -> None:
            bar.update(line, description=step.what, completed=step.done, total=step.total, detail=step.detail)

        yield show
