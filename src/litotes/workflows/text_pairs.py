"""Pairs of texts from files: parallel lines, or the columns of one file."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError

Texts = str | Sequence[str]
SUFFIXES = (".jsonl", ".csv", ".tsv")


def from_lines(references: Sequence[Path], candidate: Path) -> Iterator[tuple[Texts, str]]:
    """Pair the files line by line; all must have the same number of lines."""
    candidates = _lines(candidate)
    beside = [_lines(path) for path in references]
    for path, lines in zip(references, beside, strict=True):
        if len(lines) != len(candidates):
            raise InputError(
                f"{path} has {len(lines)} lines and {candidate} has {len(candidates)}; expected the same number"
            )
    rows = zip(*beside, strict=True)
    return ((row if len(row) > 1 else row[0], text) for row, text in zip(rows, candidates, strict=True))


def _lines(path: Path) -> list[str]:
    if str(path) == "-":
        return [line.rstrip("\r\n") for line in sys.stdin]
    return [line.rstrip("\r\n") for line in text_lines(_existing(path))]


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}; expected a file, or - for standard input")
    return path


def from_columns(name: str, references: Sequence[str], candidate: str) -> Iterator[tuple[Texts, str]]:
    """Read the pairs of a .jsonl, .csv or .tsv file, or of JSON lines on standard input (-)."""
    check_table(name, otherwise="For files with one text per line, give --reference FILE --candidate FILE")
    return _pairs(name, references, candidate)


def check_table(name: str, *, otherwise: str = "") -> None:
    """Refuse a file that does not exist or that `table_rows` cannot read."""
    if name == "-":
        return
    path = _existing(Path(name))
    if path.suffix.lower() not in SUFFIXES:
        kinds = ", ".join(SUFFIXES)
        suffix = path.suffix or "(none)"
        message = f"{name}: files with the suffix {suffix} cannot be read; expected {kinds}. {otherwise}"
        raise InputError(message.strip())


def _pairs(name: str, references: Sequence[str], candidate: str) -> Iterator[tuple[Texts, str]]:
    for where, row in table_rows(name):
        texts = [text for column in references for text in _references(row, column, where)]
        yield texts if len(texts) != 1 else texts[0], row_text(row, candidate, where)


def table_rows(name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every row of a .jsonl, .csv or .tsv file, or of JSON lines on standard input (-), with its place."""
    if name == "-":
        yield from ((where, row) for where, _, row in json_objects(sys.stdin, "standard input"))
        return
    path = Path(name)
    if path.suffix.lower() == ".jsonl":
        yield from ((where, row) for where, _, row in json_objects(text_lines(path), name))
        return
    lines = text_lines(path, newline="")
    # Tab-separated files do not quote: a quotation mark at the start of a text must not swallow the lines after it.
    unquoted = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    reader = unquoted if path.suffix.lower() == ".tsv" else csv.DictReader(lines, strict=True)
    try:
        header = list(reader.fieldnames or ())
        repeated = sorted({column for column in header if header.count(column) > 1})
        if repeated:
            raise InputError(f"{name}: the header has {', '.join(repeated)} more than once; expected each column once")
        yield from ((f"{name}, line {reader.line_num}", row) for row in reader)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: the table cannot be read ({error})") from error


def _references(row: Mapping[str, Any], column: str, where: str) -> list[str]:
    """Return the text of a column, or the texts of a list in it."""
    value = row.get(column)
    if not isinstance(value, list):
        return [row_text(row, column, where)]
    if not value or not all(isinstance(text, str) for text in value):
        raise InputError(f"{where}: “{column}” is an empty list, or has items that are not texts; expected texts")
    return value


def row_text(row: Mapping[str, Any], column: str, where: str) -> str:
    """Return the text of a column."""
    value = row.get(column)
    if isinstance(value, str):
        # A lone surrogate cannot be printed.
        return value.encode("utf-8", "replace").decode("utf-8")
    if column in row:
        raise InputError(f"{where}: “{column}” is {'empty' if value is None else type(value).__name__}; expected text")
    there = ", ".join(str(name) for name in row if name) or "nothing"
    raise InputError(f"{where}: there is no column “{column}”, only {there}. An option names another one (see --help)")
