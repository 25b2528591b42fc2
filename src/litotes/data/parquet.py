"""Read Parquet files row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require


def parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its number, from 1; raise InputError with the last good row if the file cannot be read."""
    parquet = require("pyarrow.parquet", extra="scale", why="reading Parquet")
    arrow = require("pyarrow", extra="scale", why="reading Parquet")
    number = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (arrow.ArrowException, OSError, ValueError) as error:
        # Only the first line of the message describes the problem. The others point into pyarrow's source.
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path}, after row {number}: not a readable Parquet file ({reason})") from error
