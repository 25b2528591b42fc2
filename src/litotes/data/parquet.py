"""Parquet files, a row at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require


def parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row and its number, from 1; a file that cannot be read is an error that says after which row."""
    parquet = require("pyarrow.parquet", extra="scale", why="reading Parquet")
    arrow = require("pyarrow", extra="scale", why="reading Parquet")
    number = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (arrow.ArrowException, OSError, ValueError) as error:
        # the library says what is broken on its first line, and then where in its own source
        said = str(error).partition("\n")[0]
        raise InputError(f"{path}, after row {number}: not a Parquet file we can read ({said})") from error
