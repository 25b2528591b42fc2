"""Reading texts and printing tables, for every command."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import click

from litotes.data.lines import text_lines
from litotes.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

PROGRESS_EVERY = 1000
DEFAULT_COLUMNS = 80

Item = TypeVar("Item")


class Guarded(Generic[Item]):
    """Items up to the first one that cannot be read.

    Parsing reads ahead, so a malformed line must not suppress the output for the lines before it. Iteration ends there,
    and `check` raises the error once everything before it is printed.
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
        """Raise the error that ended the iteration early, if any."""
        if self._error is not None:
            raise self._error


class Texts(Guarded[str]):
    """The input texts: the arguments, else a file, else standard input, with one text per line."""

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
    """Yield one text per line; of a line that is a JSON object, its "text"."""
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        if text.lstrip().startswith(('{"', '{ "')):
            try:
                text = json.loads(text)["text"]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f'{name}, line {number}: expected a JSON object with a "text"') from error
            if not isinstance(text, str):
                raise InputError(f'{name}, line {number}: "text" is not a string')
            text = printable(text)
        yield text


def printable(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def show_count(number: int) -> None:
    """Show every thousand texts how many were processed, if standard error is a terminal."""
    if number % PROGRESS_EVERY == 0 and sys.stderr.isatty():
        click.echo(f"\r{number:,} texts", err=True, nl=False)


def grid(*columns: str, dim: bool = False) -> Table:
    """Make an empty table with these columns."""
    from rich.table import Table

    table = Table(show_lines=False, header_style="bold", row_styles=["", "dim"] if dim else None)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def print_grid(table: Table) -> None:
    """Print a table as wide as the terminal."""
    from rich.console import Console

    Console(width=table_width()).print(table, markup=False)


def table_width() -> int | None:
    """Return the width of tables: None for the terminal's, else $COLUMNS or 80 if the output is piped."""
    if sys.stdout.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() and int(columns) else DEFAULT_COLUMNS


def safe(text: str, *, keep: str = "", longest: int = 400) -> str:
    """Shorten a long cell and replace control characters, which could change the terminal's state."""
    clean = "".join(c if c.isprintable() or c in keep else "·" for c in text)
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
