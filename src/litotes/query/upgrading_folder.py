"""Upgrade a folder of Parquet files: one new file per file, here or by several workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from glob import has_magic
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError
from litotes.files import UNFINISHED, has_run, open_run_folder
from litotes.query.parquet_files import (
    Chunk,
    Columns,
    file_facts,
    open_parquet,
    read_chunks,
    with_vectors,
    write_tables,
)
from litotes.query.upgrading import Upgrade, unit_base
from litotes.query.upgrading_workers import Part, Work, connect, on_ray

FORMAT = "litotes upgrade 1"
SAMPLED_FILES = 8
SAMPLED_ROWS = 64
"""Of some files, the first rows are compared with a new encoding before anything is written."""


def find_files(source: Path, out: Path) -> dict[str, Path]:
    """Return the Parquet files of a folder or a glob by name; names begin after the part without wildcards."""
    fixed = list(takewhile(lambda name: not has_magic(name), source.parts))
    root, pattern = Path(*fixed), str(Path(*source.parts[len(fixed) :]))
    if source.is_dir():
        root, pattern = source, "**/*.parquet"
    elif root == source:
        raise InputError(f"there is no file {str(source)!r}; expected a Parquet file, a folder or a glob of them")
    files = {path.relative_to(root).as_posix(): path.absolute() for path in root.glob(pattern) if path.is_file()}
    if not files:
        raise InputError(f"there are no Parquet files in {str(source)!r}; expected one or more")
    if root.resolve() in (out.resolve(), *out.resolve().parents):
        raise InputError(f"{out} is in the folder to upgrade, {root}; expected another folder for the result")
    return dict(sorted(files.items()))


def upgrade_folder(
    files: dict[str, Path],
    out: Path,
    columns: Columns,
    how: Upgrade,
    *,
    at_once: int,
    workers: int = 0,
    gpus_per_worker: float = 0,
) -> Iterator[int]:
    """Make the parts that are missing; yield the number of finished rows after each."""
    if workers:
        connect(workers=workers, gpus_per_worker=gpus_per_worker)
    parts, facts = [], {}
    for name, file in files.items():
        with open_parquet(file, columns) as table:
            parts.append(Part(file, (out / name).absolute(), table.metadata.num_rows))
        facts[f"file {name}"] = {"rows": parts[-1].rows, **file_facts(file)}
    settings = {"format": FORMAT, "texts": columns.texts, "vectors": columns.vectors, "dial": how.dial}
    manifest = {**settings, "polarity sha256": how.polarity.weights_sha256(), **facts}
    if has_run(out, manifest):
        for left in out.rglob(f"*{UNFINISHED}"):
            left.unlink()
    else:
        _check_contents(parts, columns, how, at_once, workers)
        open_run_folder(out, manifest)
    missing = [part for part in parts if not part.is_made]
    finished = sum(part.rows for part in parts) - sum(part.rows for part in missing)
    if not workers:
        made = _here(partial(upgrade_part, how, columns, at_once, ""), missing)
    else:
        device = "cuda" if gpus_per_worker else "cpu"
        work = partial(upgrade_part, how.for_workers(), columns, at_once, device)
        made = on_ray(work, missing, workers=workers, gpus_per_worker=gpus_per_worker)
    for part, _ in made:
        finished += part.rows
        yield finished


def _here(work: Work, parts: Sequence[Part]) -> Iterator[tuple[Part, int]]:
    """Work on one part after the other in this process."""
    return ((part, work(part)) for part in parts)


def _check_contents(parts: Sequence[Part], columns: Columns, how: Upgrade, at_once: int, workers: int) -> None:
    """Read all files once, and refuse them if a row cannot be upgraded."""
    for at in np.unique(np.linspace(0, len(parts) - 1, SAMPLED_FILES).round().astype(int)):
        _check_sample(parts[at].source, columns, how)
    work = partial(check_part, columns, how.width, at_once)
    checked = on_ray(work, parts, workers=workers) if workers else _here(work, parts)
    widths: dict[int, Path] = {}
    for part, width in checked:
        widths.setdefault(width, part.source)
        if len(widths) > 1:
            named = " and ".join(f"{width} columns in {file}" for width, file in widths.items())
            raise InputError(f"the vectors have different widths: {named}; expected one width for all files")


def _check_sample(file: Path, columns: Columns, how: Upgrade) -> None:
    """Refuse a file whose first vectors are not those of the encoder, if it is at hand."""
    with open_parquet(file, columns) as table:
        chunk = next(read_chunks(file, table, columns, SAMPLED_ROWS))
    with chunk.named_in_errors():
        how.refuse_other_vectors(unit_base(chunk.vectors, how.width), chunk.texts)


def check_part(columns: Columns, width: int | None, at_once: int, part: Part) -> int:
    """Read a file, refuse rows that cannot be upgraded, and return the width of the vectors."""
    widths: set[int] = set()
    with open_parquet(part.source, columns) as table:
        for chunk in read_chunks(part.source, table, columns, at_once):
            with chunk.named_in_errors():
                widths.add(unit_base(chunk.vectors, width).shape[1])
    if len(widths) > 1:
        raise InputError(f"{part.source} has vectors of different widths: {sorted(widths)} columns; expected one width")
    return widths.pop()


def upgrade_part(how: Upgrade, columns: Columns, at_once: int, device: str, part: Part) -> int:
    """Write the upgraded file of a part, and return the number of its rows."""
    if device:
        how.polarity.to(device)
    with open_parquet(part.source, columns) as table:
        chunks = read_chunks(part.source, table, columns, at_once)
        return write_tables(part.out, (upgraded_table(chunk, columns, how) for chunk in chunks), columns)


def upgraded_table(chunk: Chunk, columns: Columns, how: Upgrade) -> Any:
    """Return all columns of a chunk, with upgraded vectors."""
    with chunk.named_in_errors():
        return with_vectors(chunk.rows, columns.vectors, how.rows(chunk.vectors, chunk.texts))
