"""litotes demo --sentences: the rewriter, the detector and the classifier on a few sentences."""

from __future__ import annotations

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
    """Rewrite a dozen sentences in every way that applies; detect and classify a few more."""
    from litotes.rewrite import KINDS, rewrite_texts, task

    tasks = [task("negate", kind) for kind in KINDS["negate"]]
    tasks += [task("hedge", kind) for kind in KINDS["hedge"]]
    tasks += [task("paraphrase", "any")]
    grid = Table(show_lines=False, header_style="bold", title="Sentences and their rewrites")
    grid.add_column("operation")
    grid.add_column("kind")
    grid.add_column("rewrite", overflow="fold")
    applied = declined = 0
    for sentence, row in zip(SENTENCES, rewrite_texts(SENTENCES, tasks), strict=True):
        grid.add_section()
        grid.add_row("", "", f"[bold]{sentence}[/bold]")
        for one, result in zip(tasks, row, strict=True):
            if result:
                grid.add_row(one.operation, one.kind, str(result))
                applied += 1
            else:
                declined += 1
    Console(width=text.table_width()).print(grid)
    click.echo(f"{applied} rewrites of {len(SENTENCES)} sentences; {declined} times a kind did not apply.")
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
    from litotes.detection.detector import detect_all

    show_table(detect_all(DETECTED))


def _classification() -> None:
    from litotes.detection import classify_all

    table = text.grid("query", "other query", "kind", "evidence")
    for pair, found in zip(CONTRASTS, classify_all(CONTRASTS), strict=True):
        table.add_row(*pair, found.kind, found.evidence)
    text.print_grid(table)
