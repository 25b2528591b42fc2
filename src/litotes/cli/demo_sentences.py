"""litotes demo --sentences: the rewriter, the detector and the classifier, shown on sentences of ours."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.table import Table

from litotes.cli import text

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


def show_sentences() -> None:
    """A dozen sentences rewritten in every way that fits; a few more detected and sorted."""
    from litotes.rewrite import RULES, pipe, task

    tasks = [task("negate", kind) for kind in RULES["negate"]]
    tasks += [task("hedge", kind) for kind in RULES["hedge"]]
    tasks += [task("paraphrase", "any")]
    grid = Table(show_lines=False, header_style="bold", title="A sentence goes in, its rewrites come out")
    grid.add_column("operation")
    grid.add_column("kind")
    grid.add_column("rewrite", overflow="fold")
    applied = declined = 0
    for sentence, row in zip(SENTENCES, pipe(SENTENCES, tasks), strict=True):
        grid.add_section()
        grid.add_row("", "", f"[bold]{sentence}[/bold]")
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
    _detection()
    _classification()
    click.echo('Try your own: .venv/bin/litotes negate --kind all --table "The drug is safe."')


DETECTED = (
    "It is by no means certain that the unpaved road will reopen.",
    "All guests except Tom refused the soup, but nobody said why.",
    "Not only is it cheap, it may also be safe.",
)
CONTRASTS = (
    ("lakes that do not freeze", "lakes that freeze"),
    ("instruments Oda plays besides the harp", "the harp Oda plays"),
    ("halls where all seats are taken", "halls where some seats are not taken"),
    ("springs with hot water", "springs with lukewarm water"),
)


def _detection() -> None:
    from litotes.cli.detect import show_table
    from litotes.detection.find import pipe

    show_table(pipe(DETECTED), explain=False)


def _classification() -> None:
    from litotes.detection.mechanism import classify_all
    from litotes.types import Contrast

    pairs = [Contrast(str(number), q1, q2, "", "") for number, (q1, q2) in enumerate(CONTRASTS, start=1)]
    table = text.grid("query", "other query", "kind", "evidence")
    for pair, found in zip(pairs, classify_all(pairs), strict=True):
        table.add_row(pair.q1, pair.q2, found.kind, found.evidence)
    text.print_grid(table)
