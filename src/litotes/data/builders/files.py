"""What builders read and write: tables and JSON lines in, tables or JSON lines and a manifest out."""

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

Files = Mapping[str, Sequence[Path]]
FORMS = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Source:
    """A file a data set is built from: its name on the command line, what it is, and its public home."""

    name: str
    what: str
    home: str
    main: bool = False
    """whether a path without a name means this one"""


class Row(Protocol):
    """A row of a built data set."""

    def line(self) -> dict[str, Any]: ...


def table(path: Path, columns: Sequence[str], *, quoted: bool = True) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each row of a CSV or TSV stands, and the row; a missing column is an error that names what is there."""
    delimiter = "\t" if path.suffix == ".tsv" else ","
    lines = text_lines(path, newline="")
    reader = csv.DictReader(
        lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, restval=""
    )
    try:
        there = reader.fieldnames or ()
        missing = [name for name in columns if name not in there]
        if missing:
            raise InputError(
                f"{path}: no column {', '.join(missing)}; the first line has {', '.join(there) or 'nothing'}"
            )
        for row in reader:
            yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error})") from error


def objects(path: Path, texts: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each object of a JSON lines file stands, and the object; `texts` must be there and be strings."""
    for where, _, row in json_objects(text_lines(path), str(path)):
        wrong = [name for name in texts if not isinstance(row.get(name), str)]
        if wrong:
            raise InputError(f"{where}: expected the texts {', '.join(texts)}; {wrong[0]} is missing or no text")
        yield where, row


def plain(text: str) -> str:
    """One line, single spaces."""
    return " ".join(text.split())


def write(rows: Iterable[Row], out: Path, *, about: Mapping[str, Any], counts: Counter[str]) -> dict[str, Any]:
    """Rows into a table or JSON lines, and a manifest beside it, which comes back.

    Rows that name a split go to a file a split: data.csv becomes data.train.csv, data.eval.csv and data.test.csv.
    """
    if out.suffix not in FORMS:
        raise InputError(f"--out is {str(out)!r}; expected a name that ends in {', '.join(FORMS)}")
    out.parent.mkdir(parents=True, exist_ok=True)
    made: dict[Path, _Part] = {}
    with ExitStack() as stack:
        for row in rows:
            line = row.line()
            path = _path(out, str(line.pop("split", "")))
            if path not in made:
                stream = stack.enter_context(_partial(path).open("w", encoding="utf-8", newline=""))
                made[path] = _Part(path, stream, list(line))
            made[path].add(line)
    if not made:
        why = "; ".join(f"{reason}: {count}" for reason, count in counts.most_common(5))
        raise InputError(f"no row was made ({why or 'the files are empty'})")
    for path in made:
        _partial(path).replace(path)
    manifest = {**about, "files": {path.name: part.summary() for path, part in made.items()}}
    manifest["counts"] = {reason: count for reason, count in sorted(counts.items()) if count}
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    out.with_suffix(".manifest.json").write_text(text + "\n", encoding="utf-8")
    return manifest


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _path(out: Path, split: str) -> Path:
    return out.with_suffix(f".{split}{out.suffix}") if split else out


def _partial(path: Path) -> Path:
    return path.with_suffix(path.suffix + ".partial")


class _Part:
    """One file in the making."""

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
