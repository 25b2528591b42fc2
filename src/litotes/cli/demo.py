"""litotes demo: what there is, shown on sentences of ours."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.table import Table

from litotes.cli.app import app

SENTENCES = (
    "The drug is safe for children.",
    "Taxes will rise next year.",
    "Nobody has come to the meeting yet.",
    "The committee prohibits and restricts the use of drones.",
    "She's determined to win, isn't she?",
    "I have already eaten some of the cake.",
    "All members voted for the amendment.",
    "A dog on a red sofa.",
    "The library is no longer open on Sundays.",
    "He managed to repair the old radio.",
    "Only adults may enter the building after dark.",
    "On the hill stood a castle.",
)


@app.command()
def demo() -> None:
    """Rewrite a dozen sentences in every way that fits."""
    from litotes.rewrite import RULES, pipe, task

    tasks = [task("negate", kind) for kind in RULES["negate"]]
    tasks += [task("hedge", kind) for kind in RULES["hedge"]]
    tasks += [task("paraphrase", "any")]
    grid = Table(show_lines=False, header_style="bold", title="A sentence goes in, its rewrites come out")
    grid.add_column("operation")
    grid.add_column("kind")
    grid.add_column("rewrite", overflow="fold")
    applied = declined = 0
    for text, row in zip(SENTENCES, pipe(SENTENCES, tasks), strict=True):
        grid.add_section()
        grid.add_row("", "", f"[bold]{text}[/bold]")
        for one, result in zip(tasks, row, strict=True):
            if result:
                grid.add_row(one.operation, one.kind, str(result))
                applied += 1
            else:
                declined += 1
    Console(width=None if sys.stdout.isatty() else 110).print(grid)
    click.echo(
        f"{applied} rewrites of {len(SENTENCES)} sentences; {declined} times a kind did not apply, each with a reason."
    )
    click.echo('Try your own: .venv/bin/litotes negate --kind all --table "The drug is safe."')
