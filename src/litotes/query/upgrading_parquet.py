"""Upgrade a Parquet file: the column of vectors is replaced, and all other columns stay."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.files import replacing, write_atomically
from litotes.models.bases import MINI
from litotes.models.polarity_block import Polarity
from litotes.query.beside_encoder import BesideEncoder
from litotes.query.loading import load
from litotes.query.upgrading import BATCH, upgrade, upgrade_of

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

RUN = "run.json"


def upgrade_parquet(
    source: Path | str,
    out: Path | str,
    *,
    text_column: str = "text",
    vector_column: str = "vector",
    model: str | Encoder | BesideEncoder | Polarity = MINI,
    dial: float | None = None,
    at_once: int = 4096,
    batch: int = BATCH,
) -> Generator[int, None, None]:
    """Upgrade the vectors of a Parquet file in chunks, as `upgrade` does; yield the number of finished rows after each.

    The chunks are written to the folder OUT.parts, and joined when all are there. An interrupted run resumes after its
    last complete chunk. Memory holds one chunk.
    """
    parquet = require("pyarrow.parquet", extra="scale", why="Parquet files")
    file, target = Path(source), Path(out)
    if not file.is_file():
        raise InputError(f"there is no file {str(file)!r}; expected a Parquet file with texts and vectors")
    if target.exists() and target.samefile(file):
        raise InputError(f"{target} is the file to upgrade; expected another one for the result")
    encoder = load(model) if isinstance(model, str) else model
    parts = target.with_name(target.name + ".parts")
    with _opened(parquet, file) as table:
        _check_columns(file, table.schema_arrow, text_column, vector_column)
        if not table.metadata.num_rows or at_once < 1:
            raise InputError(
                f"{file} has {table.metadata.num_rows} rows, read {at_once} at once; expected 1 or more of both"
            )
        how, finished = upgrade_of(encoder, dial=dial, batch=batch), 0
        source_facts = {"source": str(file.resolve()), "bytes": file.stat().st_size, "changed": file.stat().st_mtime_ns}
        settings = {"at once": at_once, "texts": text_column, "vectors": vector_column}
        done = _resume(parts, source_facts | settings | {"dial": how.dial, "columns": how.block_width})
        for number, rows in enumerate(table.iter_batches(batch_size=at_once)):
            if number >= done:
                vectors, texts = _contents(file, rows, text_column, vector_column, finished)
                upgraded = upgrade(vectors, texts, model=encoder, dial=dial, batch=batch)
                _write(parquet, parts / f"{number:06d}.parquet", rows, vector_column, upgraded)
            finished += rows.num_rows
            if number >= done:
                yield finished
    _join(parquet, sorted(parts.glob("*.parquet")), target)
    shutil.rmtree(parts)


def _opened(parquet: Any, file: Path) -> Any:
    try:
        return parquet.ParquetFile(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}); expected a Parquet file") from error


def _check_columns(file: Path, schema: Any, *columns: str) -> None:
    for column in columns:
        if column not in schema.names:
            raise InputError(f"{file} has no column {column!r}; expected one of {', '.join(schema.names)}")


def _contents(file: Path, rows: Any, text_column: str, vector_column: str, first: int) -> tuple[np.ndarray, list[str]]:
    """Return the vectors and the texts of some rows, of which `first` is the number of the first."""
    texts, vectors = rows.column(text_column).to_pylist(), rows.column(vector_column).to_pylist()
    for at, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
        if not isinstance(text, str) or not isinstance(vector, list):
            raise InputError(f"row {first + at} of {file} has no text or no vector; expected both")
    try:
        return np.array(vectors, dtype=np.float32), texts
    except (ValueError, TypeError):
        raise InputError(f"{file} has vectors of different widths, or without numbers, from row {first} on") from None


def _resume(parts: Path, run: dict[str, Any]) -> int:
    """Return how many chunks are complete; refuse those of a run with other settings."""
    record = parts / RUN
    if record.is_file():
        earlier = json.loads(record.read_text(encoding="utf-8"))
        if earlier != run:
            raise InputError(f"{parts} has chunks of another run ({earlier}, now {run}); remove the folder first")
        return len(list(parts.glob("*.parquet")))
    parts.mkdir(parents=True, exist_ok=True)
    write_atomically(record, json.dumps(run))
    return 0


def _write(parquet: Any, target: Path, rows: Any, column: str, vectors: np.ndarray) -> None:
    arrow = require("pyarrow", extra="scale", why="Parquet files")
    flat = arrow.array(np.ascontiguousarray(vectors).reshape(-1), type=arrow.float32())
    values = arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    at = rows.schema.names.index(column)
    table = arrow.Table.from_batches([rows]).set_column(at, column, values)
    with replacing(target) as temporary:
        parquet.write_table(table, temporary)


def _join(parquet: Any, parts: list[Path], target: Path) -> None:
    with replacing(target) as temporary, parquet.ParquetWriter(temporary, parquet.read_schema(parts[0])) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part))
