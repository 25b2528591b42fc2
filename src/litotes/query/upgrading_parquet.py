"""Upgrade Parquet files: the column of vectors is replaced, and all other columns stay."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.files import write_atomically
from litotes.models.bases import MINI
from litotes.models.polarity_block import Polarity
from litotes.query.beside_encoder import BesideEncoder
from litotes.query.parquet_files import Columns, file_facts, open_parquet, read_chunks, write_tables
from litotes.query.upgrading import BATCH, Upgrade, upgrade_of
from litotes.query.upgrading_folder import find_files, upgrade_folder, upgraded_table

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
    workers: int = 0,
    gpus_per_worker: float = 0,
) -> Generator[int, None, None]:
    """Upgrade the vectors of Parquet files, as `upgrade` does; yield the number of finished rows after each chunk.

    Other columns stay as they are. The same call resumes an interrupted run.

    Args:
        source: A Parquet file; or a folder or a glob, such as "old/*.parquet".
        out: The new file; or a folder, which gets one file per file of `source`, with the same name. Each is written
            completely or not at all. All files of a folder are read once and checked before anything is written.
        text_column: The column with the texts.
        vector_column: The column with the vectors.
        model: As for `upgrade`. The vectors of a few texts are checked if their encoder is at hand.
        dial: As for `upgrade`.
        at_once: The rows in memory at a time.
        batch: The texts that the model reads at a time.
        workers: How many Ray actors upgrade the files of a folder, on machines that share the folders. Each has a CPU
            and a copy of the model. The default, 0, works in this process.
        gpus_per_worker: The GPUs that Ray reserves for each worker, such as 1 or 0.5. The default is to use the CPU.
    """
    file, target, columns = Path(source), Path(out), Columns(text_column, vector_column)
    if workers < 0 or gpus_per_worker < 0 or (gpus_per_worker and not workers) or at_once < 1:
        raise InputError(
            f"got workers={workers}, gpus_per_worker={gpus_per_worker} and at_once={at_once}; expected no negative "
            "numbers, GPUs only with workers, and 1 or more rows at once"
        )
    if file.is_file() and workers:
        raise InputError(f"{file} is one file; expected a folder of files to share among {workers} workers")
    if file.is_file():
        yield from _upgrade_file(file, target, columns, upgrade_of(model, dial=dial, batch=batch), at_once)
        return
    files, how = find_files(file, target), upgrade_of(model, dial=dial, batch=batch)
    options: dict[str, Any] = {"at_once": at_once, "workers": workers, "gpus_per_worker": gpus_per_worker}
    yield from upgrade_folder(files, target, columns, how, **options)


def _upgrade_file(file: Path, target: Path, columns: Columns, how: Upgrade, at_once: int) -> Iterator[int]:
    """Write the chunks to the folder OUT.parts, and join them when all are there."""
    if target.exists() and target.samefile(file):
        raise InputError(f"{target} is the file to upgrade; expected another one for the result")
    parts = target.with_name(target.name + ".parts")
    with open_parquet(file, columns) as table:
        facts = {"source": str(file.resolve()), **file_facts(file)}
        settings = {"at once": at_once, "texts": columns.texts, "vectors": columns.vectors}
        done = _resume(parts, facts | settings | {"dial": how.dial, "polarity sha256": how.polarity.weights_sha256()})
        for number, chunk in enumerate(read_chunks(file, table, columns, at_once)):
            if number >= done:
                write_tables(parts / f"{number:06d}.parquet", [upgraded_table(chunk, columns, how)], columns)
                yield chunk.first + chunk.rows.num_rows
    parquet = require("pyarrow.parquet", extra="scale", why="Parquet files")
    write_tables(target, map(parquet.read_table, sorted(parts.glob("*.parquet"))), columns)
    shutil.rmtree(parts)


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
