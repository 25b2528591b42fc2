"""JSON lines: one object a line, and an error that names the line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from litotes.errors import InputError


def json_objects(lines: Iterable[str], name: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Where each object stands ("file, line 3"), its line number, and the object; empty lines are left out."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object")
        yield where, number, row
