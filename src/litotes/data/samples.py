"""Every text of a file, whatever its shape: for asking whether two files share texts, not for training on them."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.data.parquet import parquet_rows
from litotes.data.words import FEWEST
from litotes.errors import InputError

SUFFIXES = (".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet")
SHIPPED = {
    "seed:sentences": "seed/sentences.jsonl",
    "seed:passages": "seed/passages.jsonl",
    "taxonomy:dev": "taxonomy/dev.jsonl",
    "taxonomy:test": "taxonomy/test.jsonl",
    "cue-traps": "cue_traps.jsonl",
    "general:pairs": "general/pairs.jsonl",
    "general:passages": "general/passages.jsonl",
    "general:queries": "general/queries.jsonl",
    "general:intents": "general/intents.jsonl",
}
IDS = ("id", "_id", "docid")


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of a file: where it stands, and each of its strings under the name of its field."""

    id: str
    where: str
    texts: tuple[tuple[str, str], ...]


def samples(name: str) -> Iterator[Sample]:
    """The rows of a file, of every file in a folder, of standard input (-), or of a shipped one (taxonomy:dev)."""
    if name in SHIPPED:
        content = files("litotes.data").joinpath(SHIPPED[name]).read_text(encoding="utf-8")
        return _objects(content.split("\n"), name)
    if name == "-":
        return _standard_input(sys.stdin)
    path = Path(name)
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise InputError(f"there is no file {name!r}; expected a file, a folder, - or one of {', '.join(SHIPPED)}")
    if path.suffix not in SUFFIXES:
        raise InputError(
            f"{name}: files of kind {path.suffix or '(none)'} are not read; expected {', '.join(SUFFIXES)}"
        )
    return _file(path)


def _folder(folder: Path) -> Iterator[Sample]:
    # a run's manifest.json and config.json are no data
    kinds = [suffix for suffix in SUFFIXES if suffix != ".json"]
    found = [path for path in sorted(folder.iterdir()) if path.suffix in kinds]
    if not found:
        raise InputError(f"the folder {str(folder)!r} holds no file of a kind we read ({', '.join(kinds)})")
    for path in found:
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
    """There is no suffix to go by: where the first line opens a brace it is JSON lines, else one text a line."""
    first = next(lines, "")
    form = _objects if first.lstrip().startswith("{") else _plain
    yield from form(chain((first,), lines), "standard input")


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
    """Rows by the first row's names; where the first row holds a text it is no header, and columns have numbers."""
    tabs = path.suffix == ".tsv"
    # tab-separated files do not quote: a quotation mark that opens a text must not swallow the lines after it
    reader = csv.reader(
        lines, delimiter="\t" if tabs else ",", quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL, strict=not tabs
    )
    header: list[str] | None = None
    try:
        for cells in reader:
            if header is None:
                header = [] if any(len(cell.split()) >= FEWEST for cell in cells) else cells
                if header:
                    continue
            names = [*header, *(f"column {number + 1}" for number in range(len(header), len(cells)))]
            row = dict(zip(names, cells, strict=False))
            yield _sample(row, f"{path}, line {reader.line_num}", reader.line_num)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table we can read ({error})") from error


def _sample(row: dict[str, Any], where: str, number: int) -> Sample:
    name = next((str(row[key]) for key in IDS if isinstance(row.get(key), str | int)), str(number))
    return Sample(name, where, tuple(text for key, value in row.items() for text in _texts(key, value)))


def _texts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a value; those of a list have the list's name, those of an object their own after it."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(f"{name}.{key}", item)
