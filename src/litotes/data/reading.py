"""Read the files of data sets: an error names the file and the line."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError, MissingError


def existing(path: Path, content: str, home: str) -> Path:
    """Return the path; raise MissingError if it does not exist, with what it should contain and where to get it."""
    if not path.exists():
        raise MissingError(f"{path} is missing. Expected {content}. Get it from {home} and put it there")
    return path


def objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON lines file, each with its place ("file, line 3")."""
    for where, _, row in json_objects(text_lines(path), str(path)):
        yield where, row


def array(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON array, each with its place ("file, item 3")."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(rows, list):
        raise InputError(f"{path}: expected a JSON array of objects")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, item {number}: expected a JSON object")
        yield f"{path}, item {number}", row


def cells(path: Path, fewest: int, *, tabs: bool = False) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the rows of a CSV or tab-separated table: place, line number and cells, at least `fewest`.

    Tab-separated files have no quoting.
    """
    lines = text_lines(path, newline="")
    reader = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if tabs else csv.reader(lines, strict=True)
    try:
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if row and len(row) < fewest:
                raise InputError(f"{where}: {len(row)} columns; expected {fewest} or more")
            if row:
                yield where, reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error})") from error


def table(path: Path, columns: Sequence[str], *, tabs: bool = False) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the rows of a table whose first line names its columns, with the cells of `columns` in that order."""
    rows = cells(path, 1, tabs=tabs)
    _, _, header = next(rows, ("", 0, []))
    missing = [name for name in columns if name not in header]
    if missing:
        raise InputError(f"{path}: no column {', '.join(missing)}; the first line has {', '.join(header) or 'nothing'}")
    places = [header.index(name) for name in columns]
    for where, number, row in rows:
        if len(row) != len(header):
            raise InputError(f"{where}: {len(row)} columns; the first line has {len(header)}")
        yield where, number, [row[place] for place in places]


def text(row: dict[str, Any], name: str, where: str) -> str:
    """Return a field that must be a text; a whole number is returned as its digits, because ids are written so."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{where}: {name} is missing or is not a text")
    return str(value)


def number(value: str, name: str, where: str) -> float:
    """Return a cell that must be a finite number."""
    try:
        parsed = float(value)
    except ValueError as error:
        raise InputError(f"{where}: {name} is {value[:40]!r}; expected a number") from error
    if not math.isfinite(parsed):
        raise InputError(f"{where}: {name} is {value[:40]!r}; expected a finite number")
    return parsed
