"""Contrast files: JSON lines in NevIR's shape (q1, q2, doc1, doc2) or ExcluIR's (query, positive, negative)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.types import Contrast

SPLITS = ("dev", "test")
EXCLUIR = {"q1": "query", "doc1": "positive", "doc2": "negative"}


def read_contrasts(path: Path) -> Iterator[Contrast]:
    """The contrasts of a file, one a line; a malformed line is an error that names it."""
    return contrasts(text_lines(path), str(path))


def contrasts(lines: Iterable[str], name: str) -> Iterator[Contrast]:
    """The same from lines; `name` says where they are from."""
    for where, number, row in json_objects(lines, name):
        yield _contrast(row, where, number)


def _contrast(row: dict[str, Any], where: str, number: int) -> Contrast:
    names = EXCLUIR if "query" in row and "q1" not in row else {key: key for key in EXCLUIR}
    for name in names.values():
        if not isinstance(row.get(name), str):
            raise InputError(f"{where}: expected the texts {', '.join(names.values())}; {name} is missing or no text")
    second = row.get("q2")
    if second is not None and not isinstance(second, str):
        raise InputError(f"{where}: q2 is neither a text nor null")
    return Contrast(
        str(row.get("id", number)),
        row[names["q1"]],
        second or None,
        row[names["doc1"]],
        row[names["doc2"]],
        str(row.get("kind") or ""),
        str(row.get("style") or ""),
        str(row.get("domain") or ""),
    )


def open_contrasts(name: str) -> Iterator[Contrast]:
    """The contrasts of a file, of standard input ("-"), or of our benchmark ("taxonomy:dev", "taxonomy:test")."""
    if name.startswith("taxonomy:"):
        return iter(taxonomy_benchmark(name.removeprefix("taxonomy:")))
    if name == "-":
        return contrasts(sys.stdin, "standard input")
    if not Path(name).is_file():
        raise InputError(f"there is no file {name!r}; expected a file, -, taxonomy:dev or taxonomy:test")
    return read_contrasts(Path(name))


def taxonomy_benchmark(split: str = "dev") -> tuple[Contrast, ...]:
    """Our own contrasts for each kind of the taxonomy; test is for measuring, never for tuning."""
    if split not in SPLITS:
        raise InputError(f"the taxonomy benchmark has no split {split!r}; expected {' or '.join(SPLITS)}")
    home = files("litotes.data").joinpath("taxonomy", f"{split}.jsonl")
    return tuple(contrasts(home.read_text(encoding="utf-8").split("\n"), f"taxonomy {split}"))
