"""Read every text of a file in any format, to find out whether two files share texts."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.catalogue import shipped_files
from litotes.data.lines import json_objects, text_lines
from litotes.data.normalised_text import MIN_WORDS
from litotes.data.parquet import parquet_rows
from litotes.errors import InputError, did_you_mean

SUFFIXES = (".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet")
ID_FIELDS = ("id", "_id", "docid")


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of a file: its place, and each of its strings by the name of its field."""

    id: str
    where: str
    texts: tuple[tuple[str, str], ...]


def read_samples(name: str) -> Iterator[Sample]:
    """Yield the rows of a file, of a folder of files, of standard input (-), or of a shipped file (taxonomy:dev)."""
    shipped = dict(shipped_files())
    if name in shipped:
        return _objects(text_lines(shipped[name]), name)
    if name == "-":
        return _standard_input(sys.stdin)
    path = Path(name)
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise InputError(
            f"there is no file {name!r}; expected a file, a folder, - or one of {', '.join(shipped)}."
            f"{did_you_mean(name, shipped)}"
        )
    if path.suffix not in SUFFIXES:
        raise InputError(f"{name}: cannot read files of type {path.suffix or '(none)'}; expected {', '.join(SUFFIXES)}")
    return _file(path)


def _folder(folder: Path) -> Iterator[Sample]:
    # Skip .json: manifest.json and config.json of a run are not data.
    suffixes = [suffix for suffix in SUFFIXES if suffix != ".json"]
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in suffixes]
    if not paths:
        raise InputError(f"the folder {str(folder)!r} contains no file that can be read ({', '.join(suffixes)})")
    for path in paths:
        yield from _file(path)


def _file(path: Path) -> Iterator[Sample]:
    if path.suffix == ".parquet":
        yield from (_sample(row, f"{path}, row {number}", number) for number, row in parquet_rows(path))
    elif path.suffix == ".txt":
        yield from _plain(text_lines(path), str(path))
    elif path.suffix in {".csv", ".tsv"}:
        yield from _table(text_lines(path, newline=""), path)
    elif path.suffix == ".json" and next(text_lines(path), "").startswith("["):
        yield from _array(path)
    else:
        yield from _objects(text_lines(path), str(path))


def _plain(lines: Iterable[str], name: str) -> Iterator[Sample]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield Sample(str(number), f"{name}, line {number}", (("text", line.strip()),))


def _objects(lines: Iterable[str], name: str) -> Iterator[Sample]:
    for where, number, row in json_objects(lines, name):
        yield _sample(row, where, number)


def _standard_input(lines: Iterator[str]) -> Iterator[Sample]:
    """Yield the rows of JSON lines if the first line begins with a brace, otherwise one text per line."""
    first = next(lines, "")
    read = _objects if first.lstrip().startswith("{") else _plain
    yield from read(chain((first,), lines), "standard input")


def _array(path: Path) -> Iterator[Sample]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, item {number}: expected a JSON object")
        yield _sample(row, f"{path}, item {number}", number)


def _table(lines: Iterable[str], path: Path) -> Iterator[Sample]:
    """Yield rows by the names in the first row. A first row with a long text is not a header: columns get numbers."""
    tabs = path.suffix == ".tsv"
    # Tab-separated files have no quoting: a quotation mark at the start of a text must not swallow the next lines.
    reader = csv.reader(
        lines, delimiter="\t" if tabs else ",", quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL, strict=not tabs
    )
    header: list[str] | None = None
    try:
        for cells in reader:
            if header is None:
                header = [] if any(len(cell.split()) >= MIN_WORDS for cell in cells) else cells
                if header:
                    continue
            names = [*header, *(f"column {number + 1}" for number in range(len(header), len(cells)))]
            row = dict(zip(names, cells, strict=False))
            yield _sample(row, f"{path}, line {reader.line_num}", reader.line_num)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error})") from error


def _sample(row: dict[str, Any], where: str, number: int) -> Sample:
    name = next((str(row[key]) for key in ID_FIELDS if isinstance(row.get(key), str | int)), str(number))
    return Sample(name, where, tuple(text for key, value in row.items() for text in _texts(key, value)))


def _texts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield every string of a value: those of a list under the list's name, those of an object under "name.key"."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(f"{name}.{key}", item)
