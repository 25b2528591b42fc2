"""Where anchors come from: files and folders (txt, JSON lines, CSV, Parquet), standard input, our own seed corpus."""

from __future__ import annotations

import csv
import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects
from litotes.errors import InputError, require

SEEDS = {"seed:sentences": "sentences.jsonl", "seed:passages": "passages.jsonl"}
SUFFIXES = (".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text to start from: a sentence, or a passage with questions it answers."""

    id: str
    text: str
    questions: tuple[str, ...] = ()


def read(sources: Iterable[str], *, column: str = "text") -> Iterator[Anchor]:
    """The anchors of all sources, in order; empty lines are left out."""
    for source in sources:
        if source in SEEDS:
            home = files("litotes.data").joinpath("seed", SEEDS[source])
            yield from _json_lines(home.read_text(encoding="utf-8").split("\n"), source, column)
        elif source == "-":
            yield from _lines(sys.stdin, "stdin")
        elif Path(source).is_dir():
            names = sorted(str(path) for path in Path(source).iterdir() if path.suffix in SUFFIXES)
            if not names:
                raise InputError(f"the folder {source!r} holds no file of a kind we read ({', '.join(SUFFIXES)})")
            yield from read(names, column=column)
        else:
            yield from _file(Path(source), column)


def _file(path: Path, column: str) -> Iterator[Anchor]:
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}; expected a file, a folder, - or one of {', '.join(SEEDS)}")
    if path.suffix not in SUFFIXES:
        raise InputError(
            f"{path}: files of kind {path.suffix or '(none)'} are not read; expected {', '.join(SUFFIXES)}"
        )
    if path.suffix == ".parquet":
        parquet = require("pyarrow.parquet", extra="scale", why="reading Parquet")
        for batch in parquet.ParquetFile(path).iter_batches():
            yield from (_row(row, f"{path.name}", column) for row in batch.to_pylist())
        return
    with path.open(encoding="utf-8-sig", newline="" if path.suffix in {".csv", ".tsv"} else None) as stream:
        if path.suffix == ".txt":
            yield from _lines(stream, path.name)
        elif path.suffix in {".csv", ".tsv"}:
            for row in csv.DictReader(stream, delimiter="\t" if path.suffix == ".tsv" else ","):
                yield _row(row, str(path), column)
        else:
            yield from _json_lines(stream, str(path), column)


def _lines(stream: Iterable[str], name: str) -> Iterator[Anchor]:
    for line in stream:
        text = " ".join(line.split())
        if text:
            yield Anchor(_id(name, text), text)


def _json_lines(stream: Iterable[str], name: str, column: str) -> Iterator[Anchor]:
    for where, _, row in json_objects(stream, name):
        yield _row(row, where, column)


def _row(row: dict[str, Any], name: str, column: str) -> Anchor:
    text = row.get(column)
    if not isinstance(text, str):
        raise InputError(f"{name}: no text in the column {column!r}; say which with --column")
    text = " ".join(text.split())
    questions = row.get("questions") or ()
    return Anchor(str(row.get("id") or _id(name, text)), text, tuple(str(question) for question in questions))


def _id(name: str, text: str) -> str:
    home = Path(name.partition(", line ")[0]).stem.replace("seed:", "seed-")
    return f"{home}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
