"""Triple files: JSON lines with anchor, positive, negative, as litotes synth writes them."""

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
    """The triples of a file, one a line; a malformed line is an error that names it."""
    return triples(text_lines(path), str(path))


def triples(lines: Iterable[str], name: str) -> Iterator[Triple]:
    """The same from lines; `name` says where they are from. Only the three texts must be there."""
    for where, number, row in json_objects(lines, name):
        yield _triple(row, where, number)


def _triple(row: dict[str, Any], where: str, number: int) -> Triple:
    for name in TEXTS:
        if not isinstance(row.get(name), str):
            raise InputError(f"{where}: expected the texts {', '.join(TEXTS)}; {name} is missing or no text")
    cues = row.get("cues") or ("", "")
    if not isinstance(cues, list | tuple) or len(cues) != 2:
        raise InputError(f"{where}: expected two cues, the positive's and the negative's; got {cues!r}")
    return Triple(
        str(row.get("id", number)),
        row["anchor"],
        row["positive"],
        row["negative"],
        str(row.get("positive_kind") or ""),
        str(row.get("negative_kind") or ""),
        (str(cues[0]), str(cues[1])),
    )


def peeked(name: str) -> tuple[bool, Iterator[str]]:
    """Whether a file (or "-", standard input) holds triples, by its first object; and all of its lines."""
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
