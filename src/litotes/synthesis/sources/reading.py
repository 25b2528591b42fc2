"""Read anchors from files and folders (txt, JSON lines, CSV, Parquet), standard input, the hub, and the seeds."""

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
from litotes.synthesis.sources import hub
from litotes.synthesis.sources.anchor import Anchor
from litotes.synthesis.sources.wikipedia import pages

SEEDS = {"seed:sentences": "sentences.jsonl", "seed:passages": "passages.jsonl"}
WIKIPEDIA = "wikipedia:"
TEXT_SUFFIXES = (".txt", ".jsonl", ".json", ".csv", ".tsv")
TABLES = {".csv": (",", "a comma"), ".tsv": ("\t", "a tab")}
SUFFIXES = (*TEXT_SUFFIXES, *(f"{suffix}.gz" for suffix in TEXT_SUFFIXES), ".parquet")


def read(sources: Iterable[str], *, column: str = "text") -> Iterator[Anchor]:
    """Yield the anchors of all sources, in order, without the empty lines of text files.

    A folder is read with its subfolders: every file with a known suffix, sorted by path, except for names that start
    with a dot.
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
    """Return the sources with the revision of each data set on the hub replaced by its commit."""
    return tuple(
        name for source in sources for name in (hub.pinned(source) if source.startswith(hub.PREFIX) else (source,))
    )


def default_sources() -> tuple[str, ...]:
    """Return the sources to use if none are named: the paper's if the hub can be reached, else the seed sentences."""
    installed = find_spec("datasets") is not None
    return (hub.PAPER,) if installed and hub.reachable() else ("seed:sentences",)


def _data_sets(source: str, column: str) -> Iterator[Anchor]:
    for reference in hub.references(source):
        home = reference.preset or Path(reference.name).name
        for number, row, columns in hub.rows(reference, column=column):
            # The texts of two columns cannot share an id.
            fields = row if len(columns) == 1 else {name: value for name, value in row.items() if name != "id"}
            yield from (_row(fields, f"{reference}, row {number}", home, name) for name in columns)


def _folder(folder: Path, column: str) -> Iterator[Anchor]:
    if hub.is_saved(folder):
        yield from _data_sets(f"{hub.PREFIX}{folder}", column)
        return
    paths = sorted(path for path in folder.rglob("*") if _suffix(path) and not _hidden(path.relative_to(folder)))
    if not paths:
        raise InputError(f"the folder {str(folder)!r} has no file that ends in {', '.join(SUFFIXES)}")
    for path in paths:
        yield from _file(path, column)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _suffix(path: Path) -> str:
    """Return the suffix that says how to read a file, without .gz; "" for other files."""
    name = path.name.lower()
    return next((suffix.removesuffix(".gz") for suffix in SUFFIXES if name.endswith(suffix)), "")


def _file(path: Path, column: str) -> Iterator[Anchor]:
    if not path.is_file():
        raise InputError(
            f"{str(path)!r} does not exist; expected a file, a folder, -, hf:… or one of {', '.join(SEEDS)}"
        )
    suffix = _suffix(path)
    if not suffix:
        raise InputError(f"{path}: the suffix is {path.suffix or 'missing'}; expected one of {', '.join(SUFFIXES)}")
    home = path.name[: path.name.lower().rindex(suffix)]
    if suffix == ".parquet":
        yield from (_row(row, f"{path}, row {number}", home, column) for number, row in parquet_rows(path))
        return
    with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as stream:
        lines = _decoded(stream, str(path))
        if suffix == ".txt":
            yield from _lines(lines, home)
        elif suffix in TABLES:
            yield from _table(lines, suffix, str(path), home, column)
        else:
            yield from _json_lines(lines, str(path), home, column)


def _decoded(stream: Iterable[bytes], name: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 stream. An invalid byte or broken compression is an error that names the line."""
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
        raise InputError(f"{name}, after line {number}: not a complete gzip file ({error})") from error


def _lines(lines: Iterable[str], home: str) -> Iterator[Anchor]:
    for line in lines:
        text = " ".join(line.split())
        if text:
            yield Anchor(_id(home, text), text)


def _json_lines(lines: Iterable[str], name: str, home: str, column: str) -> Iterator[Anchor]:
    for where, _, row in json_objects(lines, name):
        yield _row(row, where, home, column)


def _table(lines: Iterable[str], suffix: str, name: str, home: str, column: str) -> Iterator[Anchor]:
    """Yield the rows of a table. A row with another number of cells than the header is an error."""
    delimiter, delimiter_name = TABLES[suffix]
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            where = f"{name}, line {reader.line_num}"
            if not header:
                header = cells
            elif cells and len(cells) != len(header):
                raise InputError(
                    f"{where}: {len(cells)} cells, but the header has {len(header)}; quote texts with {delimiter_name}"
                )
            elif cells:
                yield _row(dict(zip(header, cells, strict=True)), where, home, column)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: not a readable table ({error})") from error


def _row(row: dict[str, Any], where: str, home: str, column: str) -> Anchor:
    """Return the anchor of a row. A null text is an empty one, which the run skips and counts."""
    if column not in row or not isinstance(row[column], str | None):
        names = ", ".join(name for name in row if name) or "none"
        raise InputError(f"{where}: no text in the column {column!r}; name one of {names} with --column")
    # Half a surrogate pair cannot be written.
    text = " ".join((row[column] or "").encode("utf-8", "replace").decode("utf-8").split())
    questions = row.get("questions")
    several = questions if isinstance(questions, list | tuple) else [questions]
    texts = tuple(question for question in several if isinstance(question, str) and question)
    return Anchor(str(row.get("id") or _id(home, text)), text, texts)


def _id(home: str, text: str) -> str:
    return f"{home}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
