"""Parquet files with a column of texts and a column of vectors: reading them in chunks, and writing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, require
from litotes.files import replacing

WHY = "Parquet files"


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the two columns that are read."""

    texts: str
    vectors: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive rows of a file."""

    file: Path
    first: int
    """the number of the first row, from 0"""
    rows: Any
    """all columns, as pyarrow reads them"""
    vectors: np.ndarray
    texts: list[str]

    @contextmanager
    def named_in_errors(self) -> Iterator[None]:
        """Name the file and the first row in an error about these vectors."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self.file}, counted from row {self.first}: {error}") from None


def file_facts(file: Path) -> dict[str, int]:
    """Return what changes when a file is written again."""
    found = file.stat()
    return {"bytes": found.st_size, "changed": found.st_mtime_ns}


def open_parquet(file: Path, columns: Columns) -> Any:
    """Open a file, and refuse one without rows or without the columns."""
    parquet = require("pyarrow.parquet", extra="scale", why=WHY)
    try:
        table = parquet.ParquetFile(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}); expected a Parquet file") from error
    _check_columns(file, table.schema_arrow, columns)
    if not table.metadata.num_rows:
        raise InputError(f"{file} has 0 rows; expected 1 or more")
    return table


def _check_columns(file: Path, schema: Any, columns: Columns) -> None:
    types = require("pyarrow", extra="scale", why=WHY).types
    for column in (columns.texts, columns.vectors):
        if schema.names.count(column) != 1:
            found = "several columns" if column in schema.names else "no column"
            raise InputError(f"{file} has {found} {column!r}; expected one of {', '.join(schema.names)}")
    text, vector = schema.field(columns.texts).type, schema.field(columns.vectors).type
    plain = text.value_type if types.is_dictionary(text) else text
    if not (types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain)):
        raise InputError(f"the column {columns.texts!r} of {file} has the type {text}; expected texts")
    is_list = types.is_list(vector) or types.is_large_list(vector) or types.is_fixed_size_list(vector)
    if not is_list or not (types.is_floating(vector.value_type) or types.is_integer(vector.value_type)):
        raise InputError(f"the column {columns.vectors!r} of {file} has the type {vector}; expected lists of numbers")


def read_chunks(file: Path, table: Any, columns: Columns, at_once: int) -> Iterator[Chunk]:
    """Read an open file, at most `at_once` rows at a time."""
    first = 0
    for rows in table.iter_batches(batch_size=at_once):
        yield Chunk(file, first, rows, *_contents(file, rows, columns, first))
        first += rows.num_rows


def _contents(file: Path, rows: Any, columns: Columns, first: int) -> tuple[np.ndarray, list[str]]:
    """Return the vectors and the texts of some rows, of which `first` is the number of the first."""
    compute = require("pyarrow.compute", extra="scale", why=WHY)
    texts, vectors = rows.column(columns.texts).to_pylist(), rows.column(columns.vectors)
    for at, (text, given) in enumerate(zip(texts, vectors.is_valid().to_pylist(), strict=True)):
        if text is None or not text.strip() or not given:
            raise InputError(f"row {first + at} of {file} has no text or no vector; expected both")
    widths = compute.list_value_length(vectors).to_numpy(zero_copy_only=False)
    if (widths != widths[0]).any() or not widths[0]:
        at = int(np.argmax(widths != widths[0]))
        raise InputError(
            f"{file} has vectors of different widths: {widths[0]} columns in row {first}, {widths[at]} in row "
            f"{first + at}; expected the same number above 0"
        )
    numbers = vectors.flatten().to_numpy(zero_copy_only=False)
    return numbers.astype(np.float32).reshape(len(texts), -1), texts


def with_vectors(rows: Any, column: str, vectors: np.ndarray) -> Any:
    """Return rows as a table in which a column has these vectors."""
    arrow = require("pyarrow", extra="scale", why=WHY)
    flat = arrow.array(np.ascontiguousarray(vectors).reshape(-1), type=arrow.float32())
    values = arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return arrow.Table.from_batches([rows]).set_column(rows.schema.names.index(column), column, values)


def write_tables(target: Path, tables: Iterable[Any], columns: Columns) -> int:
    """Write one or more tables to a file, which gets its name when it is complete; return the number of rows."""
    parquet = require("pyarrow.parquet", extra="scale", why=WHY)
    remaining, count = iter(tables), 0
    first = next(remaining)
    # A dictionary of the numbers in vectors, which hardly repeat, would take a quarter of the file.
    encoded = [name for name in first.schema.names if name != columns.vectors]
    with (
        replacing(target) as temporary,
        parquet.ParquetWriter(temporary, first.schema, use_dictionary=encoded) as writer,
    ):
        for table in chain([first], remaining):
            writer.write_table(table)
            count += table.num_rows
    return count
