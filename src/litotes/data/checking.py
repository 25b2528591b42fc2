"""Check the files of a data folder against the catalogue: their checksums, and whether the loaders can read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from litotes.data.builders.source_files import digest
from litotes.data.catalogue import data_set, root
from litotes.data.lines import text_lines
from litotes.data.records import MEASURED, PUBLIC, SHARED, SHIPPED, DataSet
from litotes.errors import InputError
from litotes.files import write_atomically

AS_PUBLISHED, AS_MEASURED, AS_SHIPPED, AS_RECORDED = "as published", "as measured", "as shipped", "as recorded"
UNPINNED, DIFFERS, UNREADABLE, MISSING = "not pinned", "differs", "unreadable", "missing"
STATES = {PUBLIC: AS_PUBLISHED, MEASURED: AS_MEASURED, SHIPPED: AS_SHIPPED}
WRONG = frozenset({DIFFERS, UNREADABLE})
CHECKSUMS = "SHA256SUMS"
"""The file with the checksums that the user has recorded, in the data folder; `sha256sum -c` reads it too."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of a file of a data folder."""

    name: str
    split: str
    path: str
    state: str
    rows: int | None = None
    sha256: str = ""
    note: str = ""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes data verify` prints."""
        return asdict(self)


def present_splits(record: DataSet, data: Path) -> tuple[str, ...]:
    """Return the splits with at least one file in a folder; files that all splits share do not count."""
    folder = root(record, data)
    present = {file.split for file in record.files if (folder / file.path).is_file()}
    return tuple(split for split in record.splits if split in present)


def missing_files(record: DataSet, data: Path, split: str) -> tuple[str, ...]:
    """Return the files that a split needs and the folder does not have."""
    return tuple(path for path in record.paths([split]) if not (root(record, data) / path).is_file())


def check(record: DataSet, data: Path | None, *, splits: Collection[str] = (), rows: bool = True) -> Iterator[Finding]:
    """Yield the state of each file of the named splits, or of the splits that are present.

    Without `rows` the files are identified by their checksums alone and are not read row by row, which is quick.
    """
    folder = root(record, data)
    chosen = record.require_splits(splits) or present_splits(record, folder)
    if not chosen:
        yield Finding(record.name, "", record.folder, MISSING, note=record.command(folder))
    checksums = {} if record.shipped else read_checksums(folder)
    checked: set[str] = set()
    for split in chosen:
        missing = missing_files(record, folder, split)
        yield from (Finding(record.name, split, path, MISSING, note=record.command(folder, split)) for path in missing)
        if missing:
            continue
        counts, problem = count_rows(record, folder, split) if rows else ({}, "")
        for path in record.paths([split]):
            if path not in checked:
                yield _finding(record, folder, path, counts, problem, checksums)
        checked |= set(record.paths([split]))


def remedy(finding: Finding, data: Path) -> str:
    """Return what to type, or what to do, about a file that is missing or wrong."""
    command = data_set(finding.name).command(data, "" if finding.split == SHARED else finding.split)
    return f"{command} --force" if finding.state in WRONG and command.startswith("litotes") else command


def count_rows(record: DataSet, folder: Path, split: str) -> tuple[Mapping[str, int], str]:
    """Return the number of rows of each file of a split, and why it cannot be read ("" if it can)."""
    try:
        if record.count_rows is not None:
            return record.count_rows(folder, split), ""
        if record.load is None:
            raise TypeError(f"the record of {record.name} has neither load nor count_rows")
        (path,) = record.paths([split])
        return {path: len(record.load((folder / path).parent, split))}, ""
    except InputError as error:
        return {}, str(error)


def identify(record: DataSet, path: str, sha256: str, checksums: Mapping[str, str]) -> tuple[str, str]:
    """Return the state of a file with this checksum, and a note."""
    forms = record.forms(path)
    for form in forms:
        if form.sha256 == sha256:
            return STATES[form.form], form.note
    if path in checksums:
        note = f"expected sha256 {checksums[path]}, as recorded in {CHECKSUMS}"
        return (AS_RECORDED, "") if checksums[path] == sha256 else (DIFFERS, note)
    if all(form.sha256 for form in forms):
        return DIFFERS, "expected sha256 " + " or ".join(f"{form.sha256} ({form.form})" for form in forms)
    return UNPINNED, ""


def public_rows(record: DataSet, path: str) -> int | None:
    """Return the rows of the public file at a path; None if the number is not known."""
    return next((form.rows for form in record.forms(path) if form.form == PUBLIC), None)


def read_checksums(data: Path) -> dict[str, str]:
    """Return the checksums that the user has recorded in the folder, by path."""
    file = data / CHECKSUMS
    if not file.is_file():
        return {}
    checksums = {}
    for number, line in enumerate(text_lines(file), start=1):
        sha256, _, path = line.rstrip("\n").partition("  ")
        if len(sha256) != 64 or not path:
            raise InputError(f"{file}, line {number}: expected a sha256, two spaces and a path")
        checksums[path] = sha256
    return checksums


def add_checksums(data: Path, checksums: Mapping[str, str]) -> None:
    """Record checksums in the folder; a new one replaces the old one of its path."""
    lines = sorted((read_checksums(data) | dict(checksums)).items())
    write_atomically(data / CHECKSUMS, "".join(f"{sha256}  {path}\n" for path, sha256 in lines))


def _finding(
    record: DataSet,
    folder: Path,
    path: str,
    counts: Mapping[str, int],
    problem: str,
    checksums: Mapping[str, str],
) -> Finding:
    sha256 = digest(folder / path)
    state, note = identify(record, path, sha256, checksums)
    rows = counts.get(path)
    if problem and state not in WRONG:
        state, note = UNREADABLE, problem
    elif state == UNPINNED:
        expected = public_rows(record, path)
        if rows is not None and expected is not None and rows != expected:
            state, note = DIFFERS, f"expected {expected:,} rows; found {rows:,}"
    return Finding(record.name, record.forms(path)[0].split, path, state, rows, sha256, note)
