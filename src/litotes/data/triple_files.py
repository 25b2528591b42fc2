"""Triple files: JSON lines with anchor, positive and negative, as `litotes synth` writes them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.types import Triple

TEXTS = ("anchor", "positive", "negative")


def read_triples(path: Path) -> Iterator[Triple]:
    """Yield the triples of a file, one per line; an error names the malformed line."""
    return parse_triples(text_lines(path), str(path))


def parse_triples(lines: Iterable[str], name: str) -> Iterator[Triple]:
    """Yield the triples of some lines; only the texts are required. `name` is the file's name in error messages."""
    for where, number, row in json_objects(lines, name):
        yield _triple(row, where, number)


def _triple(row: dict[str, Any], where: str, number: int) -> Triple:
    for name in TEXTS:
        if not isinstance(row.get(name), str):
            raise InputError(f"{where}: expected the texts {', '.join(TEXTS)}; {name} is missing or is not a text")
    cues = row.get("cues") or ("", "")
    if not isinstance(cues, list | tuple) or len(cues) != 2:
        raise InputError(f"{where}: cues is {cues!r}; expected two, of the positive and of the negative")
    return Triple(
        str(row.get("id", number)),
        row["anchor"],
        row["positive"],
        row["negative"],
        str(row.get("positive_kind") or ""),
        str(row.get("negative_kind") or ""),
        (str(cues[0]), str(cues[1])),
    )


def detect_triples(name: str) -> tuple[bool, Iterator[str]]:
    """Return whether the first object of a file (or of standard input, "-") is a triple, and all lines of the file."""
    lines = text_lines(Path(name)) if name != "-" else iter(sys.stdin)
    start: list[str] = []
    for line in lines:
        start.append(line)
        if line.strip():
            break
    return _is_triple(start[-1] if start else ""), chain(start, lines)


def _is_triple(line: str) -> bool:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and "anchor" in row
