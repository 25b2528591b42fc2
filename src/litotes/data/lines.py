"""Read the lines of text files, plain or gzipped, and JSON lines. Errors name the line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from litotes.errors import InputError


def text_lines(path: Path, *, newline: str | None = None) -> Iterator[str]:
    """Yield the lines of a UTF-8 file. `newline` is as in `open`: "" for tables, whose cells may contain newlines."""
    number = 0
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", newline=newline) as stream:
        try:
            for line in stream:
                number += 1
                yield line
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}, after line {number}: not UTF-8 ({error.reason}). Convert it, such as with iconv -t utf-8"
            ) from error
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"{path}, after line {number}: not a complete gzip file ({error})") from error


def json_objects(lines: Iterable[str], name: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield the place of each object ("file, line 3"), its line number and the object. Empty lines are skipped."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object")
        yield where, number, row
