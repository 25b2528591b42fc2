"""litotes doctor"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litotes.cli.app import app
from litotes.cli.catalogue import FOLDER
from litotes.cli.text import grid, print_grid, safe

if TYPE_CHECKING:
    from litotes.cli.installed import Check

Look = Callable[[], Iterable["Check"]]
LONGEST = 600
COLOURS = {"missing": "yellow", "wrong": "red"}


@app.command()
@FOLDER
@click.option("--table", "form", flag_value="table", default=True, help="Print a table for people (the default here).")
@click.option("--json", "form", flag_value="json", help="Print JSON lines.")
def doctor(folder: Path | None, form: str) -> None:
    """Say what is installed, what is found and whether it is right; and the command for what is not.

    Looks at Python and the packages of each extra, the parser, the models, the data sets (the public ones in --data
    DIR), and the device. Files are hashed, no model is loaded, nothing is downloaded or changed. Exits with 0 when all
    that is here is right (an extra, model or public data set that is not here is no fault), with 1 when something
    differs from what it should be, with 3 when something is missing that litotes cannot do without.
    """
    found = []
    for check in _watched(_looks(folder)):
        found.append(check)
        if form == "json":
            click.echo(json.dumps(check.line(), ensure_ascii=False))
    if form == "table":
        _print(found)
    _conclude(found)


def _looks(folder: Path | None) -> dict[str, Look]:
    from litotes.cli import health, installed

    return {
        "Python": installed.machine,
        "packages": installed.packages,
        "the parser": health.parser,
        "models": health.models,
        "shipped data": health.shipped_data,
        "data sets": lambda: health.public_data(folder),
        "the device": health.device,
    }


def _watched(looks: dict[str, Look]) -> Iterator[Check]:
    """Every check in turn; where somebody watches, what is being looked at."""
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        for what, look in looks.items():
            status.update(f"looking at {what}")
            yield from look()


def _print(found: Sequence[Check]) -> None:
    table = grid("part", "name", "state", "found", "to mend it")
    for place in (0, 2):
        table.columns[place].no_wrap = True
    part = ""
    for one in found:
        cells = (safe(cell, longest=LONGEST) for cell in (one.name, one.state, one.found, one.mend))
        table.add_row(one.part if one.part != part else "", *cells, style=COLOURS.get(one.state))
        part = one.part
    print_grid(table)


def _conclude(found: Sequence[Check]) -> None:
    """One line for people, and the exit code of the worst there is."""
    wrong = [one.name for one in found if one.state == "wrong"]
    lacking = [one.name for one in found if one.state == "missing" and one.basic]
    if wrong:
        click.echo(f"litotes: not what it should be: {', '.join(wrong)}", err=True)
        sys.exit(1)
    if lacking:
        click.echo(f"litotes: cannot do without: {', '.join(lacking)}", err=True)
        sys.exit(3)
