"""The files of builders: read tables and JSON lines, write tables or JSON lines with a manifest."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TextIO

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.files import replacing, write_atomically

Files = Mapping[str, Sequence[Path]]
SUFFIXES = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Source:
    """A source file of a data set: its name on the command line, a description, and its public home."""

    name: str
    what: str
    home: str
    main: bool = False
    """Whether a path without a name belongs to this source."""


class Row(Protocol):
    """A row of a built data set."""

    def line(self) -> dict[str, Any]: ...


def table(path: Path, columns: Sequence[str], *, quoted: bool = True) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place and the content of each row of a CSV or TSV file. The columns must exist."""
    delimiter = "\t" if path.suffix == ".tsv" else ","
    lines = text_lines(path, newline="")
    reader = csv.DictReader(
        lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, restval=""
    )
    try:
        names = reader.fieldnames or ()
        missing = [name for name in columns if name not in names]
        if missing:
            raise InputError(
                f"{path}: no column {', '.join(missing)}; the first line has {', '.join(names) or 'nothing'}"
            )
        for row in reader:
            yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error})") from error


def objects(path: Path, texts: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the content of each object of a JSON lines file. The fields `texts` must be strings."""
    for where, _, row in json_objects(text_lines(path), str(path)):
        wrong = [name for name in texts if not isinstance(row.get(name), str)]
        if wrong:
            raise InputError(f"{where}: expected the texts {', '.join(texts)}; {wrong[0]} is missing or not a text")
        yield where, row


def plain(text: str) -> str:
    """Return the text on one line, with single spaces."""
    return " ".join(text.split())


def write(rows: Iterable[Row], out: Path, *, about: Mapping[str, Any], counts: Counter[str]) -> dict[str, Any]:
    """Write rows to a table or to JSON lines, with a manifest next to it. Return the manifest.

    Rows with a split are written to one file per split: data.csv becomes data.train.csv, data.eval.csv and
    data.test.csv.
    """
    if out.suffix not in SUFFIXES:
        raise InputError(f"--out is {str(out)!r}; expected a name that ends in {', '.join(SUFFIXES)}")
    files: dict[Path, _OutputFile] = {}
    with ExitStack() as stack:
        for row in rows:
            line = row.line()
            path = _path(out, str(line.pop("split", "")))
            if path not in files:
                temporary = stack.enter_context(replacing(path))
                stream = stack.enter_context(temporary.open("w", encoding="utf-8", newline=""))
                files[path] = _OutputFile(path, stream, list(line))
            files[path].add(line)
    if not files:
        reasons = "; ".join(f"{reason}: {count}" for reason, count in counts.most_common(5))
        raise InputError(f"no row was made ({reasons or 'the files are empty'})")
    manifest = {**about, "files": {path.name: file.summary() for path, file in files.items()}}
    manifest["counts"] = {reason: count for reason, count in sorted(counts.items()) if count}
    write_atomically(out.with_suffix(".manifest.json"), json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return manifest


def digest(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _path(out: Path, split: str) -> Path:
    return out.with_suffix(f".{split}{out.suffix}") if split else out


class _OutputFile:
    """A file that is being written."""

    def __init__(self, path: Path, stream: TextIO, columns: Sequence[str]) -> None:
        self._path = path
        self._stream = stream
        self._kinds: Counter[str] = Counter()
        self._table: csv.DictWriter[str] | None = None
        if path.suffix != ".jsonl":
            delimiter = "\t" if path.suffix == ".tsv" else ","
            self._table = csv.DictWriter(stream, columns, delimiter=delimiter, lineterminator="\n")
            self._table.writeheader()

    def add(self, line: Mapping[str, Any]) -> None:
        self._kinds[str(line.get("kind") or line.get("source") or "")] += 1
        if self._table is not None:
            self._table.writerow(line)
        else:
            self._stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def summary(self) -> dict[str, Any]:
        by_kind = dict(self._kinds.most_common())
        return {"rows": self._kinds.total(), "by kind": by_kind, "sha256": digest(self._path)}
