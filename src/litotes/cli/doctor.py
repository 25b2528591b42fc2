"""litotes doctor"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litotes.cli.parameters import data_option
from litotes.cli.text import grid, print_grid, safe

if TYPE_CHECKING:
    from litotes.workflows.installed import HealthCheck

LONGEST = 600
COLOURS = {"missing": "yellow", "wrong": "red"}


@click.command()
@data_option
@click.option("--table", "form", flag_value="table", default=True, help="Print a table (the default).")
@click.option("--json", "form", flag_value="json", help="Print JSON lines.")
def doctor(data_dir: Path | None, form: str) -> None:
    """Say what is installed, whether it is correct, and which command fixes what is not.

    Checks Python and the packages of each extra, the parser, the models, the data sets (the public ones in --data DIR),
    and the device. Files are hashed; no model is loaded and nothing is downloaded or changed. Exits with 0 if
    everything that is installed is correct (a missing extra, model or public data set is not an error), with 1 if
    something differs from what it should be, and with 3 if something is missing that litotes cannot work without.
    """
    from litotes.workflows.health import diagnose

    checks = []
    for check in diagnose(data_dir):
        checks.append(check)
        if form == "json":
            click.echo(json.dumps(check.line(), ensure_ascii=False))
    if form == "table":
        _print(checks)
    wrong = [check.name for check in checks if check.state == "wrong"]
    missing = [check.name for check in checks if check.state == "missing" and check.required]
    if wrong:
        click.echo(f"litotes: incorrect: {', '.join(wrong)}", err=True)
        raise click.exceptions.Exit(1)
    if missing:
        click.echo(f"litotes: required but missing: {', '.join(missing)}", err=True)
        raise click.exceptions.Exit(3)


def _print(checks: Sequence[HealthCheck]) -> None:
    table = grid("part", "name", "state", "found", "how to fix it")
    for column in (0, 2):
        table.columns[column].no_wrap = True
    part = ""
    for check in checks:
        cells = (safe(cell, longest=LONGEST) for cell in (check.name, check.state, check.found, check.fix))
        table.add_row(check.part if check.part != part else "", *cells, style=COLOURS.get(check.state))
        part = check.part
    print_grid(table)
