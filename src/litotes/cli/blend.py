"""litotes blend | average"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.app import Command
from litotes.cli.parameters import PATH, data_option, device_option, json_option, table_option
from litotes.cli.progress import progress_display, timed
from litotes.cli.train import measured_tasks, print_runs
from litotes.errors import InputError


def _measuring(command: Command) -> Command:
    for option in (
        json_option,
        table_option,
        device_option,
        click.option("--no-measure", is_flag=True, help="Measure nothing."),
        click.option("--measure", default="", help="Tasks of litotes bench to measure, comma-separated."),
        data_option,
        click.option("--out", type=PATH, required=True, help="The folder for the models."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("model", type=PATH)
@_measuring
@click.option("--base", default="", help="The model it was fine-tuned from. The default is the one its run names.")
@click.option(
    "--share",
    "shares",
    default="0.3",
    show_default=True,
    help="The share of the fine-tuned weights, from 0 (base) to 1; several comma-separated.",
)
@click.option("--max-general-loss", type=float, help="Say which share is best at negation within this loss.")
def blend(
    model: Path, out: Path, base: str, shares: str, max_general_loss: float | None, form: str, **options: Any
) -> None:
    """Mix the weights of MODEL, a fine-tuned encoder or the run that made it, with those of its base.

    Saves one model per share in OUT and measures each. Nothing is trained.
    """
    from litotes.workflows import blend as mix

    tasks = measured_tasks(options | {"max_general_loss": max_general_loss})
    with timed(f"blended in {out}"), progress_display() as progress:
        made = mix(
            model,
            out=out,
            base=base,
            shares=_shares(shares),
            measure=tasks,
            data_dir=options["data_dir"],
            max_general_loss=max_general_loss,
            device=options["device"],
            progress=progress,
        )
    if made.best is not None and max_general_loss is not None:
        click.echo(f"litotes: {_advice(made.best, max_general_loss)}", err=True)
    print_runs([one.line() for one in made.blends], form)


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=PATH)
@_measuring
def average(runs: Sequence[Path], out: Path, form: str, **options: Any) -> None:
    """Average the weights of RUNs: towers, or pair models, that started from one seed.

    Runs differ in the order of their examples (--set order=1) or in their shares of the data. Saves the mean in OUT and
    measures it. Nothing is trained.
    """
    from litotes.workflows import average as mean

    with timed(f"averaged in {out}"):
        made = mean(
            runs, out=out, measure=measured_tasks(options), data_dir=options["data_dir"], device=options["device"]
        )
    print_runs([made.line()], form)


def _shares(text: str) -> list[float]:
    try:
        return [float(share) for share in text.split(",")]
    except ValueError as error:
        raise InputError(f"--share is {text!r}; expected numbers from 0 to 1, such as 0.1,0.3") from error


def _advice(share: float, limit: float) -> str:
    if not share:
        return f"every blend lost more than {limit:g} points of general ability, or was no better at negation"
    return f"share {share:g} is the best at negation among those that lost at most {limit:g} points"
