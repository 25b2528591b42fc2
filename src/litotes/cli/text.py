"""Texts in, lines out: what every command that reads text shares."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import click
from rich.console import Console
from rich.table import Table

from litotes.data.lines import text_lines
from litotes.errors import InputError

PROGRESS_EVERY = 1000


Item = TypeVar("Item")


class Guarded(Generic[Item]):
    """Items up to the first that cannot be read.

    Parsing reads ahead, so a malformed line must not cut off the lines before it: iteration just ends there,
    and `check` raises what was wrong once everything before it is printed.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self._error: Exception | None = None

    def __iter__(self) -> Iterator[Item]:
        try:
            yield from self._items
        except (InputError, OSError, UnicodeDecodeError) as error:
            self._error = error

    def check(self) -> None:
        """Raise what ended the reading early."""
        if self._error is not None:
            raise self._error


class Texts(Guarded[str]):
    """The texts to work on: arguments, else a file, else standard input; one text a line."""

    def __init__(self, arguments: Sequence[str], file: Path | None) -> None:
        if arguments and file is not None:
            raise click.UsageError("give texts or --input FILE, not both")
        if not arguments and file is None and sys.stdin.isatty():
            raise click.UsageError("nothing to read: give a text, --input FILE, or - for standard input")
        self._arguments = tuple(arguments)
        self._file = file
        super().__init__(self._texts())

    def _texts(self) -> Iterator[str]:
        if self._file is not None:
            yield from _lines(text_lines(self._file), str(self._file))
        elif self._arguments in {(), ("-",)}:
            yield from _lines(sys.stdin, "standard input")
        else:
            yield from self._arguments


def _lines(lines: Iterable[str], name: str) -> Iterator[str]:
    """One text a line; a line that is a JSON object gives its "text"."""
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        if text.lstrip().startswith(('{"', '{ "')):
            try:
                text = json.loads(text)["text"]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f'{name}, line {number}: expected a JSON object with a "text"') from error
            if not isinstance(text, str):
                raise InputError(f'{name}, line {number}: "text" is not a string')
            # half a surrogate pair cannot be written out again
            text = text.encode("utf-8", "replace").decode("utf-8")
        yield text


def progress(number: int) -> None:
    """Now and then, how far we are; only where somebody watches."""
    if number % PROGRESS_EVERY == 0 and sys.stderr.isatty():
        click.echo(f"\r{number:,} texts", err=True, nl=False)


def grid(*columns: str, dim: bool = False) -> Table:
    """An empty table for people."""
    table = Table(show_lines=False, header_style="bold", row_styles=["", "dim"] if dim else None)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def print_grid(table: Table) -> None:
    """Print a table as wide as the terminal, or 140 columns into a file."""
    Console(width=None if sys.stdout.isatty() else 140).print(table, markup=False)


def safe(text: str, *, keep: str = "", longest: int = 400) -> str:
    """Cut over-long cells and keep control characters from the terminal."""
    clean = "".join(c if c.isprintable() or c in keep else "·" for c in text)
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
