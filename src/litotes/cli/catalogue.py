"""litotes data list | check | get"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.data import data
from litotes.cli.text import grid, print_grid, safe
from litotes.errors import InputError, MissingError

if TYPE_CHECKING:
    from litotes.data.catalogue import DataSet
    from litotes.data.checking import Finding

FOLDER = click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="LITOTES_DATA",
    help="The folder of data sets (or LITOTES_DATA).",
)
SPLIT = click.option("--split", "splits", multiple=True, help="A split; give it as often as needed.")
TABLE = click.option("--table", "form", flag_value="table", help="Print a table for people.")
JSON = click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
SHORT = 12
"""as much of a checksum as a table shows"""


@data.command(name="list")
@FOLDER
@TABLE
@JSON
def list_(folder: Path | None, form: str) -> None:
    """The data sets: what each is for, its licence, home and splits, and what of it lies in the folder."""
    from litotes.data.catalogue import data_sets

    lines = [_about(one, folder) for one in data_sets()]
    if form == "json":
        for line in lines:
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    table = grid("name", "task", "what", "licence", "splits (rows)", "here")
    for line in lines:
        sizes = ", ".join(
            f"{split} ({_size(rows, line['measured'].get(split))})" for split, rows in line["splits"].items()
        )
        here = ", ".join(line["found"]) or "–"
        table.add_row(*map(safe, (line["name"], line["task"], line["what"], line["licence"], sizes, here)))
    print_grid(table)


def _about(one: DataSet, folder: Path | None) -> dict[str, Any]:
    from litotes.data.catalogue import MEASURED
    from litotes.data.checking import lacking, present

    known = one.shipped or folder is not None
    place = folder or Path()
    found = [split for split in present(one, place) if not lacking(one, place, split)] if known else []
    measured = {split: rows for split in one.splits if (rows := one.rows(split, MEASURED)) is not None}
    missing = [split for split in one.splits if split not in found]
    return {
        "name": one.name,
        "task": one.task,
        "what": one.what,
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
    """The rows at home, and those of the copy that was measured where it has others."""
    home = "?" if rows is None else f"{rows:,}"
    return home if measured in {None, rows} else f"{home}; measured {measured:,}"


@data.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@FOLDER
@SPLIT
@click.option("--pin", is_flag=True, help="Keep the checksums of files that are not pinned in DIR/SHA256SUMS.")
@TABLE
@JSON
def check(names: Sequence[str], folder: Path | None, splits: Sequence[str], pin: bool, form: str) -> None:
    """Check the files of data sets: their checksums, and that they can be read, row by row.

    All sets are checked where none is named, and of each the splits that are there. Exits with 1 where a file differs
    or cannot be read, with 3 where one is missing; the message says how to get it.
    """
    from litotes.data.catalogue import data_set, data_sets
    from litotes.data.checking import UNPINNED, record
    from litotes.data.checking import check as checked

    sets = [data_set(name) for name in names] or list(data_sets())
    findings = [finding for one in sets for finding in checked(one, folder, splits=splits)]
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
    if pin and loose and folder is not None:
        record(folder, loose)
    elif loose:
        click.echo(f"litotes: {len(loose)} files are not pinned; keep their checksums with: --pin", err=True)
    _complain(findings, folder or Path("DIR"))


def _complain(findings: Sequence[Finding], folder: Path) -> None:
    """The error of the worst there is, and what to do about it."""
    from litotes.data.checking import MISSING, WRONG, mending

    wrong = []
    for one in findings:
        if one.state in WRONG:
            again = mending(one, folder)
            wrong.append(f"{one.path} {one.state}: its sha256 is {one.sha256}; {one.note}. To mend it: {again}")
    if wrong:
        raise InputError("\n  ".join((f"not what they should be ({len(wrong)}):", *wrong)))
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


@data.command()
@click.argument("name")
@FOLDER
@SPLIT
@click.option(
    "--from",
    "places",
    multiple=True,
    metavar="[FILE=]PLACE",
    help="Take it from a file, a folder, an archive or another address.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
def get(name: str, folder: Path | None, splits: Sequence[str], places: Sequence[str], force: bool) -> None:
    """Get the data set NAME into the folder: the only command that downloads data.

    A file is put in place only when its checksum is right and it can be read; one that is there stays. Where a checksum
    is not known yet, the one found is kept in DIR/SHA256SUMS and holds from then on.
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

        found = got(one, root(one, folder), splits=splits, places=places, force=force, watch=watch)
    for file in found:
        click.echo(json.dumps(file.line(), ensure_ascii=False))
    if one.use != "measure and train":
        click.echo(f"litotes: {one.name}: licence {one.licence}; use: {one.use}", err=True)
