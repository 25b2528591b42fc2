"""litotes review"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import PATH, data_option, json_option, seed_option, table_option
from litotes.cli.text import grid, print_grid, safe

if TYPE_CHECKING:
    from litotes.evaluation.review import Review
    from litotes.workflows.model_review import CountedSheets, ReviewSheet


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="RESULTS | SHEET...")
@click.option("--model", help="The model whose answers are reviewed, as RESULTS names it.")
@click.option("--baseline", help="The model it is compared with: the one before training.")
@click.option("--out", type=PATH, help="The sheet to write (.csv); the page is written beside it (.html).")
@click.option(
    "--outcome",
    type=click.Choice(("lost", "won", "both-wrong")),
    default="lost",
    show_default=True,
    help="Items that only the baseline got right, only the model, or neither.",
)
@click.option("--items", type=click.IntRange(min=1), default=50, show_default=True, help="The most items to draw.")
@click.option("--task", "tasks", multiple=True, help="Draw items of this task only. Can be repeated.")
@data_option
@seed_option
@click.option("--tally", "counting", is_flag=True, help="Count the categories of one filled SHEET, or of two.")
@table_option
@json_option
def review(paths: Sequence[Path], counting: bool, form: str, **options: Any) -> None:
    """Have people sort what a tuned model got wrong: write a sheet of items, or count the filled SHEET.

    RESULTS is a folder that litotes bench wrote, with both models in it. The items are drawn evenly over tasks and
    slices. Each has an empty category to fill in, in a spreadsheet or on the page, which saves the same sheet. Tasks
    with graded items are skipped, because their items are neither right nor wrong.

    With --tally a filled SHEET is counted. Two sheets, filled by two people, are also compared.
    """
    from litotes.workflows.model_review import count_review_sheets, write_review_sheet

    if counting:
        making = [f"--{name}" for name in ("model", "baseline", "out") if options[name]]
        if making:
            raise click.UsageError(f"{', '.join(making)} is for writing a sheet; --tally only counts one")
        _print_counts(count_review_sheets(paths), form)
        return
    missing = [f"--{name}" for name in ("model", "baseline", "out") if not options[name]]
    if missing:
        raise click.UsageError(f"a sheet needs {', '.join(missing)}; to count a filled one, give --tally")
    if len(paths) > 1:
        raise click.UsageError("a sheet is made from one folder of results; got " + ", ".join(map(str, paths)))
    _print_sheet(write_review_sheet(paths[0], **options), form)


def _print_sheet(made: ReviewSheet, form: str) -> None:
    for task, reason in made.review.left_out.items():
        click.echo(f"litotes: skipped: {task}: {reason}", err=True)
    if made.sheet is None:
        click.echo(_nothing(made.review), err=True)
    if form == "json":
        click.echo(json.dumps(made.line(), ensure_ascii=False))
        return
    table = grid("task", "compared", "baseline right", made.review.which, "in the sheet")
    for name, counts in made.review.counts.items():
        table.add_row(safe(name), *map(str, counts.values()))
    print_grid(table)


def _nothing(review: Review) -> str:
    right = review.total("baseline right")
    wrong = review.total("compared") - right
    if review.which == "lost":
        return f"{review.model} lost none of the {right} items that {review.baseline} got right"
    if review.which == "won":
        return f"{review.model} won none of the {wrong} items that {review.baseline} got wrong"
    return f"{review.model} got all {wrong} items right that {review.baseline} got wrong"


def _print_counts(counted: CountedSheets, form: str) -> None:
    tallies, agreement = counted.tallies, counted.agreement
    if form == "json":
        for name, tally in tallies.items():
            click.echo(json.dumps({"sheet": name, **tally.line()}, ensure_ascii=False))
        if agreement is not None:
            click.echo(json.dumps({"agreement": agreement.line()}))
        return
    table = grid("category", *(column for name in tallies for column in (safe(name), "%")))
    for category in dict.fromkeys(name for tally in tallies.values() for name in tally.counts):
        cells = ((str(tally.counts.get(category, 0)), f"{tally.share(category):.1f}") for tally in tallies.values())
        table.add_row(category, *(cell for pair in cells for cell in pair))
    empty = (cell for tally in tallies.values() for cell in (str(tally.items - tally.filled), ""))
    table.add_row("(none yet)", *empty)
    print_grid(table)
    if agreement is not None and agreement.kappa is not None:
        same = f"{agreement.same:.1f} % the same, kappa {agreement.kappa:.2f}"
        click.echo(f"{agreement.items} items sorted by both people: {same}")
    elif agreement is not None:
        click.echo("no item was sorted by both people")
