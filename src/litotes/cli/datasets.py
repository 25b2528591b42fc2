"""litotes data list | verify | get"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import data_option, json_option, table_option
from litotes.cli.text import grid, print_grid, safe
from litotes.errors import InputError, MissingError

if TYPE_CHECKING:
    from litotes.data.checking import Finding
    from litotes.data.records import DataSet

SPLIT = click.option("--split", "splits", multiple=True, help="A split. Can be repeated; the default is all of them.")
SHORT = 12
"""the number of digits of a checksum in a table"""


@click.command(name="list")
@data_option
@table_option
@json_option
def list_(data_dir: Path | None, form: str) -> None:
    """List the data sets: purpose, licence, home and splits, and what the folder has of each."""
    from litotes.data.catalogue import data_sets

    lines = [_about(one, data_dir) for one in data_sets()]
    if form == "json":
        for line in lines:
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    table = grid("name", "what", "splits (rows)", "licence", "here")
    table.columns[0].no_wrap = True
    for line in lines:
        sizes = ", ".join(
            f"{split} ({_size(rows, line['measured'].get(split))})" for split, rows in line["splits"].items()
        )
        here = ", ".join(line["found"]) or "–"
        table.add_row(*map(safe, (line["name"], line["what"], sizes, line["licence"], here)))
    print_grid(table)


def _about(one: DataSet, folder: Path | None) -> dict[str, Any]:
    from litotes.data.checking import missing_files, present_splits
    from litotes.data.records import MEASURED

    known = one.shipped or folder is not None
    place = folder or Path()
    found = [split for split in present_splits(one, place) if not missing_files(one, place, split)] if known else []
    measured = {split: rows for split in one.splits if (rows := one.rows(split, MEASURED)) is not None}
    missing = [split for split in one.splits if split not in found]
    return {
        "name": one.name,
        "topic": one.topic,
        "what": one.description,
        "licence": one.licence,
        "use": one.use,
        "home": one.home,
        "revision": one.revision,
        "splits": one.sizes(),
        "measured": measured,
        "pinned": sorted(file.path for file in one.files if file.sha256 and file.form != MEASURED),
        "folder": one.home if one.shipped else str(place / one.folder) if folder else None,
        "found": found,
        "missing": missing,
        "get": one.command(folder or Path("DIR")) if missing else "",
    }


def _size(rows: int | None, measured: int | None) -> str:
    """Format the rows at the data set's home, and those of the copy that was measured if it differs."""
    home = "?" if rows is None else f"{rows:,}"
    return home if measured in {None, rows} else f"{home}; measured {measured:,}"


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@data_option
@SPLIT
@click.option("--pin", is_flag=True, help="Write the checksums of files that are not pinned to DIR/SHA256SUMS.")
@table_option
@json_option
def verify(names: Sequence[str], data_dir: Path | None, splits: Sequence[str], pin: bool, form: str) -> None:
    """Verify the files of data sets: their checksums, and that every row can be read.

    Without names, all sets are verified, with those splits that the folder has. Exits with 1 if a file differs or
    cannot be read, and with 3 if one is missing; the message says how to get it.
    """
    from litotes.data.catalogue import data_set, data_sets
    from litotes.data.checking import UNPINNED, add_checksums, check

    sets = [data_set(name) for name in names] or list(data_sets())
    findings = [finding for one in sets for finding in check(one, data_dir, splits=splits)]
    if form == "table":
        table = grid("name", "file", "state", "rows", "sha256", "note")
        for one in findings:
            rows = "" if one.rows is None else f"{one.rows:,}"
            table.add_row(*map(safe, (one.name, one.path, one.state, rows, one.sha256[:SHORT], one.note)))
        print_grid(table)
    else:
        for one in findings:
            click.echo(json.dumps(one.line(), ensure_ascii=False))
    loose = {one.path: one.sha256 for one in findings if one.state == UNPINNED}
    if pin and loose and data_dir is not None:
        add_checksums(data_dir, loose)
    elif loose:
        click.echo(f"litotes: {len(loose)} files are not pinned; to write down their checksums: --pin", err=True)
    _raise_worst(findings, data_dir or Path("DIR"))


def _raise_worst(findings: Sequence[Finding], folder: Path) -> None:
    """Raise the error of the worst finding, with what to do about it."""
    from litotes.data.checking import MISSING, WRONG, remedy

    wrong = []
    for one in findings:
        if one.state in WRONG:
            again = remedy(one, folder)
            wrong.append(f"{one.path} {one.state}: its sha256 is {one.sha256}; {one.note}. To fix it: {again}")
    if wrong:
        raise InputError("\n  ".join((f"incorrect ({len(wrong)}):", *wrong)))
    missing: dict[tuple[str, str], list[str]] = {}
    for one in findings:
        if one.state == MISSING:
            missing.setdefault((f"{one.name} {one.split}".strip(), one.note), []).append(one.path)
    if missing:
        lines = (
            f"{name} ({paths[0]}{f' and {len(paths) - 1} more' if paths[1:] else ''}): {how}"
            for (name, how), paths in missing.items()
        )
        raise MissingError("\n  ".join((f"missing ({len(missing)}):", *lines)))


@click.command()
@click.argument("name")
@data_option
@SPLIT
@click.option(
    "--from",
    "places",
    multiple=True,
    metavar="[FILE=]PLACE",
    help="Read it from a file, a folder, an archive or another address.",
)
@click.option("--force", is_flag=True, help="Replace existing files.")
def get(name: str, data_dir: Path | None, splits: Sequence[str], places: Sequence[str], force: bool) -> None:
    """Download the data set NAME into the folder. No other command downloads data.

    A file is put in place only if its checksum is right and it can be read; an existing file stays. A checksum that was
    not known is written to DIR/SHA256SUMS and checked from then on.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from litotes.data.catalogue import data_set, root
    from litotes.data.getting import get as got

    one = data_set(name)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        lines: dict[str, Any] = {}

        def watch(what: str, done: int, total: int) -> None:
            if what not in lines:
                lines[what] = bar.add_task(safe(what.rpartition("/")[2]))
            bar.update(lines[what], completed=done, total=total or None)

        found = got(one, root(one, data_dir), splits=splits, places=places, force=force, progress=watch)
    for file in found:
        click.echo(json.dumps(file.line(), ensure_ascii=False))
    if one.use != "measure and train":
        click.echo(f"litotes: {one.name}: licence {one.licence}; use: {one.use}", err=True)
