"""Where anchors come from: files and folders (txt, JSON lines, CSV, Parquet), standard input, the hub, our seeds."""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import sys
import zlib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects
from litotes.data.parquet import parquet_rows
from litotes.errors import InputError
from litotes.synth.sources import hub
from litotes.synth.sources.anchor import Anchor
from litotes.synth.sources.wikipedia import pages

SEEDS = {"seed:sentences": "sentences.jsonl", "seed:passages": "passages.jsonl"}
WIKIPEDIA = "wikipedia:"
TEXT = (".txt", ".jsonl", ".json", ".csv", ".tsv")
TABLES = {".csv": (",", "a comma"), ".tsv": ("\t", "a tab")}
SUFFIXES = (*TEXT, *(f"{suffix}.gz" for suffix in TEXT), ".parquet")


def read(sources: Iterable[str], *, column: str = "text") -> Iterator[Anchor]:
    """The anchors of all sources, in order; empty lines of text files are left out.

    A folder is read with the folders in it, every file of a kind we know, by path; names that start with a dot are not.
    """
    for source in sources:
        if source in SEEDS:
            lines = files("litotes.data").joinpath("seed", SEEDS[source]).read_text(encoding="utf-8").split("\n")
            yield from _json_lines(lines, source, source.replace(":", "-"), column)
        elif source == "-":
            yield from _lines(_decoded(sys.stdin.buffer, "standard input"), "stdin")
        elif source.startswith(hub.PREFIX):
            yield from _data_sets(source, column)
        elif source.startswith(WIKIPEDIA):
            yield from pages([source.removeprefix(WIKIPEDIA)])
        elif Path(source).is_dir():
            yield from _folder(Path(source), column)
        else:
            yield from _file(Path(source), column)


def pinned(sources: Iterable[str]) -> tuple[str, ...]:
    """The same sources with each data set of the hub at the commit its revision stands for now."""
    return tuple(
        name for source in sources for name in (hub.pinned(source) if source.startswith(hub.PREFIX) else (source,))
    )


def default_sources() -> tuple[str, ...]:
    """What is read where nothing is named: the paper's sources when the hub answers, else our own sentences."""
    installed = find_spec("datasets") is not None
    return (hub.PAPER,) if installed and hub.reachable() else ("seed:sentences",)


def _data_sets(source: str, column: str) -> Iterator[Anchor]:
    for reference in hub.references(source):
        home = reference.preset or Path(reference.name).name
        for number, row, columns in hub.rows(reference, column=column):
            # one id cannot name the texts of two columns
            whole = row if len(columns) == 1 else {name: value for name, value in row.items() if name != "id"}
            yield from (_row(whole, f"{reference}, row {number}", home, name) for name in columns)


def _folder(folder: Path, column: str) -> Iterator[Anchor]:
    if hub.is_saved(folder):
        yield from _data_sets(f"{hub.PREFIX}{folder}", column)
        return
    found = sorted(path for path in folder.rglob("*") if _kind(path) and not _hidden(path.relative_to(folder)))
    if not found:
        raise InputError(f"the folder {str(folder)!r} holds no file of a kind we read ({', '.join(SUFFIXES)})")
    for path in found:
        yield from _file(path, column)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _kind(path: Path) -> str:
    """The suffix that says how a file is read, without .gz; "" for other files."""
    name = path.name.lower()
    return next((suffix.removesuffix(".gz") for suffix in SUFFIXES if name.endswith(suffix)), "")


def _file(path: Path, column: str) -> Iterator[Anchor]:
    if not path.is_file():
        raise InputError(
            f"there is no file {str(path)!r}; expected a file, a folder, -, hf:… or one of {', '.join(SEEDS)}"
        )
    kind = _kind(path)
    if not kind:
        raise InputError(
            f"{path}: files of kind {path.suffix or '(none)'} are not read; expected {', '.join(SUFFIXES)}"
        )
    home = path.name[: path.name.lower().rindex(kind)]
    if kind == ".parquet":
        yield from (_row(row, f"{path}, row {number}", home, column) for number, row in parquet_rows(path))
        return
    with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as stream:
        lines = _decoded(stream, str(path))
        if kind == ".txt":
            yield from _lines(lines, home)
        elif kind in TABLES:
            yield from _table(lines, kind, str(path), home, column)
        else:
            yield from _json_lines(lines, str(path), home, column)


def _decoded(stream: Iterable[bytes], name: str) -> Iterator[str]:
    """The lines of a UTF-8 stream; a byte that is not, or compression that breaks, is an error that names the line."""
    number = 0
    try:
        for number, line in enumerate(stream, start=1):
            yield (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{name}, line {number}: the byte 0x{byte:02x} is not UTF-8; convert the file, as with iconv -t utf-8"
        ) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{name}, after line {number}: not a whole gzip file ({error})") from error


def _lines(lines: Iterable[str], home: str) -> Iterator[Anchor]:
    for line in lines:
        text = " ".join(line.split())
        if text:
            yield Anchor(_id(home, text), text)


def _json_lines(lines: Iterable[str], name: str, home: str, column: str) -> Iterator[Anchor]:
    for where, _, row in json_objects(lines, name):
        yield _row(row, where, home, column)


def _table(lines: Iterable[str], kind: str, name: str, home: str, column: str) -> Iterator[Anchor]:
    """The rows of a CSV file; one with more or fewer cells than the header has lost, or not quoted, a separator."""
    delimiter, called = TABLES[kind]
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            where = f"{name}, line {reader.line_num}"
            if not header:
                header = cells
            elif cells and len(cells) != len(header):
                raise InputError(
                    f"{where}: {len(cells)} cells where the header has {len(header)}; quote a text that holds {called}"
                )
            elif cells:
                yield _row(dict(zip(header, cells, strict=True)), where, home, column)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: not a table we can read ({error})") from error


def _row(row: dict[str, Any], where: str, home: str, column: str) -> Anchor:
    """An anchor from a row; a text that is null is an empty one, which the run counts."""
    if column not in row or not isinstance(row[column], str | None):
        there = ", ".join(name for name in row if name) or "none"
        raise InputError(f"{where}: no text in the column {column!r} (there are: {there}); say which with --column")
    # half a surrogate pair cannot be written out again
    text = " ".join((row[column] or "").encode("utf-8", "replace").decode("utf-8").split())
    questions = row.get("questions")
    several = questions if isinstance(questions, list | tuple) else [questions]
    asked = tuple(one for one in several if isinstance(one, str) and one)
    return Anchor(str(row.get("id") or _id(home, text)), text, asked)


def _id(home: str, text: str) -> str:
    return f"{home}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
