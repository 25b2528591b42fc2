"""Contrast files: JSON lines in NevIR's shape (q1, q2, doc1, doc2) or ExcluIR's (query, positive, negative)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.types import Contrast

EXCLUIR_FIELDS = {"q1": "query", "doc1": "positive", "doc2": "negative"}


def read_contrasts(path: Path) -> Iterator[Contrast]:
    """Yield the contrasts of a file, one per line; an error names the malformed line."""
    return parse_contrasts(text_lines(path), str(path))


def parse_contrasts(lines: Iterable[str], name: str) -> Iterator[Contrast]:
    """Yield the contrasts of some lines; `name` is the name of the file in error messages."""
    for where, number, row in json_objects(lines, name):
        yield _contrast(row, where, number)


def _contrast(row: dict[str, Any], where: str, number: int) -> Contrast:
    names = EXCLUIR_FIELDS if "query" in row and "q1" not in row else {key: key for key in EXCLUIR_FIELDS}
    for name in names.values():
        if not isinstance(row.get(name), str):
            raise InputError(
                f"{where}: expected the texts {', '.join(names.values())}; {name} is missing or is not a text"
            )
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
