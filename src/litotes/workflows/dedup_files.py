"""The files of a search for duplicates: rows with a text, as JSON lines or Parquet, read and written unchanged."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError, require
from litotes.files import replacing

JSON_LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
PARQUET = (".parquet",)


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Where the results go."""

    kept: Path
    merged: Path
    contradictions: Path
    work: Path
    """the folder of the parts, if no other is named"""


def suffix_of(path: Path) -> str:
    """Return the ending of a file of rows; InputError if it is neither JSON lines nor Parquet."""
    found = next((suffix for suffix in (*JSON_LINES, *PARQUET) if path.name.endswith(suffix)), "")
    if not found:
        raise InputError(f"{path} is not a file of rows; expected a name that ends with .jsonl, .jsonl.gz or .parquet")
    return found


def output_files(source: Path | None, out: Path) -> OutputFiles:
    """Return where the results go: beside the file `out`, or into the folder `out`.

    Texts without a file, where `source` is None, are written as JSON lines.
    """
    suffix = suffix_of(source) if source else JSON_LINES[0]
    if out.is_dir() or not out.name.endswith((*JSON_LINES, *PARQUET)):
        if out.is_file():
            raise InputError(f"{out} is a file; expected a folder, or a file whose name ends with {suffix}")
        return OutputFiles(out / f"kept{suffix}", out / "merged.jsonl", out / "contradictions.jsonl", out / "work")
    if (suffix in PARQUET) != (suffix_of(out) in PARQUET):
        raise InputError(f"{out} has another format than {source or 'the texts'}; expected the ending {suffix}")
    if source and out.exists() and out.samefile(source):
        raise InputError(f"{out} is the input; expected another file to write")
    stem = out.name[: -len(suffix_of(out))]
    beside = [out.with_name(f"{stem}.{name}") for name in ("merged.jsonl", "contradictions.jsonl", "work")]
    return OutputFiles(out, *beside)


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_texts(source: str | Path | Sequence[str], field: str) -> list[str]:
    """Return the text of every row of a file, or the texts of a list. Empty lines of JSON lines are no rows."""
    if isinstance(source, str | Path):
        values = _rows(Path(source), field)
    else:
        values = ((f"text {number}", text) for number, text in enumerate(source))
    texts = []
    for where, value in values:
        if not isinstance(value, str):
            raise InputError(f"{where}: expected a text, got {type(value).__name__}")
        texts.append(value)
    return texts


def _rows(path: Path, field: str) -> Iterator[tuple[str, Any]]:
    """Yield the place and the value of the field of every row."""
    if not path.is_file():
        raise InputError(f"there is {'a folder' if path.is_dir() else 'no file'} at {str(path)!r}; expected a file")
    if suffix_of(path) in PARQUET:
        yield from _column(path, field)
        return
    for where, _, row in json_objects(text_lines(path, newline="\n"), str(path)):
        if field not in row:
            raise InputError(f"{where}: no field {field!r}; it has {', '.join(row) or 'none'}")
        yield f"{where}, {field}", row[field]


def _column(path: Path, field: str) -> Iterator[tuple[str, Any]]:
    with _parquet_file(path) as file:
        names = file.schema_arrow.names
        if field not in names:
            raise InputError(f"{path} has no column {field!r}; it has {', '.join(names) or 'none'}")
        number = 0
        for batch in file.iter_batches(columns=[field]):
            for value in batch.column(0).to_pylist():
                yield f"{path}, row {number}, {field}", value
                number += 1


def write_kept(source: Path, target: Path, kept: Collection[int]) -> None:
    """Copy the rows with these numbers, counted from 0, unchanged and in order."""
    with replacing(target) as temporary:
        if suffix_of(source) in PARQUET:
            _write_parquet(source, temporary, kept)
            return
        lines = (line for line in text_lines(source, newline="\n") if line.strip())
        wanted = (line for number, line in enumerate(lines) if number in kept)
        _write_text(temporary, wanted, compressed=target.suffix == ".gz")


def write_json_lines(target: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with replacing(target) as temporary:
        _write_text(temporary, lines, compressed=target.suffix == ".gz")


def _write_text(target: Path, lines: Iterable[str], *, compressed: bool) -> None:
    with target.open("wb") as stream:
        if not compressed:
            _write_lines(stream, lines)
            return
        # without a name and a time, the same rows give the same bytes
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as archive:
            _write_lines(archive, lines)


def _write_lines(stream: IO[bytes] | gzip.GzipFile, lines: Iterable[str]) -> None:
    for line in lines:
        # half of a surrogate pair cannot be encoded; its escape is valid JSON
        stream.write(line.encode("utf-8", "backslashreplace"))


def _write_parquet(source: Path, target: Path, kept: Collection[int]) -> None:
    arrow = require("pyarrow", extra="scale", why="writing Parquet")
    parquet = require("pyarrow.parquet", extra="scale", why="writing Parquet")
    first = 0
    with _parquet_file(source) as file, parquet.ParquetWriter(target, file.schema_arrow) as writer:
        for batch in file.iter_batches():
            mask = arrow.array([first + number in kept for number in range(batch.num_rows)], arrow.bool_())
            writer.write_batch(batch.filter(mask))
            first += batch.num_rows


@contextmanager
def _parquet_file(path: Path) -> Iterator[Any]:
    """Open a Parquet file; errors of the library become an InputError."""
    arrow = require("pyarrow", extra="scale", why="reading Parquet")
    parquet = require("pyarrow.parquet", extra="scale", why="reading Parquet")
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except (arrow.ArrowException, OSError) as error:
        # only the first line of the message describes the problem
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path} cannot be copied or is not a readable Parquet file ({reason})") from error
