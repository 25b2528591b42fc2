"""litotes dial"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litotes.cli.parameters import PATH, json_option, table_option
from litotes.cli.progress import progress_display
from litotes.cli.text import grid, print_grid
from litotes.workflows.dial_fitting import TOLERANCE

if TYPE_CHECKING:
    from litotes.workflows.dial_fitting import DialFit


@click.group()
def dial() -> None:
    """Choose how much a polarity block counts beside the vectors of an encoder."""


@dial.command("fit")
@click.argument("encoder")
@click.option("--block", default="litotes-mini", show_default=True, help="The tower whose block is used.")
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=TOLERANCE,
    show_default=True,
    help="How many points a task of general-mini may lose.",
)
@click.option("--out", type=PATH, help="Write the result to this file, for litotes.beside(…, dial=FILE).")
@json_option
@table_option
def fit(encoder: str, block: str, tolerance: float, out: Path | None, form: str) -> None:
    """Fit the dial for ENCODER, a dense model: minilm, mpnet, a folder, or a name on the hub.

    Two procedures choose a dial. One compares the spread of the encoder's cosines with that of the block's own base,
    and needs no labels. The other takes the highest dial up to which no task of general-mini loses more than
    --tolerance. The lower of the two is the result. For an encoder that is not a dense model, such as an API, use
    litotes.workflows.fit_dial in Python.

    \b
    $ litotes dial fit mpnet --out mpnet-dial.json --table
    """
    from litotes.workflows.dial_fitting import fit_dial

    with progress_display() as progress:
        fitted = fit_dial(encoder.removeprefix("dense:"), block=block, tolerance=tolerance, progress=progress)
    if out is not None:
        fitted.save(out)
    if form == "table":
        _print_curve(fitted)
    else:
        import json

        click.echo(json.dumps(asdict(fitted)))


def _print_curve(fitted: DialFit) -> None:
    tasks = list(fitted.curve[0].scores)
    table = grid("dial", *tasks)
    for point in fitted.curve:
        table.add_row(f"{point.dial:g}", *(f"{point.scores[task]:.1f}" for task in tasks))
    print_grid(table)
    click.echo(
        f"dial {fitted.dial:g} for {fitted.encoder} with the block of {fitted.block}: "
        f"{fitted.by_spread:g} by the spread of its cosines, {fitted.by_tasks:g} by general-mini "
        f"(no task loses more than {fitted.tolerance:g} points)"
    )
