"""litotes errors"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.app import app
from litotes.cli.text import grid, print_grid, safe
from litotes.errors import InputError

if TYPE_CHECKING:
    from litotes.bench.review import Agreement, Review, Tally

PATH = click.Path(path_type=Path)


@app.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="RESULTS | SHEET...")
@click.option("--model", help="The model whose answers are reviewed, as it is called in RESULTS.")
@click.option("--baseline", help="The model it is compared with: the one before tuning.")
@click.option("--out", type=PATH, help="The sheet to write (.csv); the page goes beside it (.html).")
@click.option(
    "--which",
    type=click.Choice(("lost", "won", "both-wrong")),
    default="lost",
    show_default=True,
    help="Items only the baseline got right, only the model, or neither.",
)
@click.option("--items", type=click.IntRange(min=1), default=50, show_default=True, help="How many at most.")
@click.option("--task", "tasks", multiple=True, help="Only items of this task. May come again.")
@click.option("--data", type=PATH, envvar="LITOTES_DATA", help="The folder of data sets (or LITOTES_DATA).")
@click.option("--seed", default=0, show_default=True, help="What the draw of the items depends on.")
@click.option("--tally", "counting", is_flag=True, help="Count the categories of one filled SHEET, or of two.")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
def errors(paths: Sequence[Path], counting: bool, form: str, **options: Any) -> None:
    """Have people sort what a tuned model lost: a sheet of items from RESULTS, and the filled SHEET counted.

    RESULTS is a folder that litotes bench wrote, with both models in it. The items are drawn evenly over tasks and
    slices and written side by side, with an empty category to fill: in a spreadsheet, or on the page, which saves the
    same sheet. Tasks whose items have grades are left out: none of them is right or wrong.

    With --tally a filled SHEET is counted; with two, filled by two people, their agreement is measured, too.
    """
    if counting:
        _tally(paths, form, options)
        return
    missing = [f"--{name}" for name in ("model", "baseline", "out") if not options[name]]
    if missing:
        raise click.UsageError(f"a sheet needs {', '.join(missing)}; to count a filled one, give --tally")
    if len(paths) > 1:
        raise click.UsageError("a sheet is made of one folder of results; got " + ", ".join(map(str, paths)))
    _write(paths[0], options["out"], form, options)


def _write(folder: Path, out: Path, form: str, options: dict[str, Any]) -> None:
    from litotes.bench.review import categories, review, sheet, write_sheet
    from litotes.report.review import review_page

    path = out if out.suffix == ".csv" else out.with_name(f"{out.name}.csv")
    page = path.with_suffix(".html")
    for target in (path, page):
        if target.is_dir():
            raise InputError(f"{target} is a folder; expected the name of a file to write")
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}; expected one that litotes bench wrote")
    chosen = {name: options[name] for name in ("which", "items", "tasks", "data", "seed")}
    found = review(folder, options["model"], options["baseline"], **chosen)
    for task, why in found.left_out.items():
        click.echo(f"litotes: left out: {task}: {why}", err=True)
    written: dict[str, str] = {}
    if found.cases:
        rows = sheet(found)
        models = found.baseline, found.model
        html = review_page(_title(found), found.cases, rows, categories(), models=models, file=path.name)
        write_sheet(path, rows)
        page.write_text(html, encoding="utf-8", errors="replace")
        written = {"sheet": str(path), "page": str(page)}
    else:
        click.echo(_none(found), err=True)
    _print_review(found, written, form)


def _title(found: Review) -> str:
    whose = {
        "lost": f"What {found.model} lost against {found.baseline}",
        "won": f"What {found.model} won over {found.baseline}",
        "both-wrong": f"What neither {found.baseline} nor {found.model} got right",
    }
    return whose[found.which]


def _none(found: Review) -> str:
    right = found.total("baseline right")
    wrong = found.total("compared") - right
    if found.which == "lost":
        return f"{found.model} lost none of the {right} items that {found.baseline} got right"
    if found.which == "won":
        return f"{found.model} won none of the {wrong} items that {found.baseline} got wrong"
    return f"{found.model} got each of the {wrong} items right that {found.baseline} got wrong"


def _print_review(found: Review, written: dict[str, str], form: str) -> None:
    if form == "json":
        click.echo(json.dumps({**written, **found.line()}, ensure_ascii=False))
        return
    table = grid("task", "compared", "baseline right", found.which, "in the sheet")
    for name, counts in found.counts.items():
        table.add_row(safe(name), *map(str, counts.values()))
    print_grid(table)


def _tally(paths: Sequence[Path], form: str, options: dict[str, Any]) -> None:
    from litotes.bench.review import agreed, read_sheet, tally

    if len(paths) > 2:
        raise click.UsageError(f"one sheet is counted, or two are compared; got {len(paths)}")
    given = [f"--{name}" for name in ("model", "baseline", "out") if options[name]]
    if given:
        raise click.UsageError(f"{', '.join(given)} is for making a sheet; --tally only counts one")
    if len(set(paths)) < len(paths):
        raise click.UsageError(f"{paths[0]} is given twice; to compare two people, give the sheet of each")
    sheets = [read_sheet(path) for path in paths]
    tallies = {str(path): tally(one) for path, one in zip(paths, sheets, strict=True)}
    between = agreed(*sheets) if len(sheets) == 2 else None
    if form == "table":
        _print_tallies(tallies, between)
        return
    for name, one in tallies.items():
        click.echo(json.dumps({"sheet": name, **one.line()}, ensure_ascii=False))
    if between is not None:
        click.echo(json.dumps({"agreement": between.line()}))


def _print_tallies(tallies: dict[str, Tally], between: Agreement | None) -> None:
    table = grid("category", *(column for name in tallies for column in (safe(name), "%")))
    for category in dict.fromkeys(name for one in tallies.values() for name in one.counts):
        cells = ((str(one.counts.get(category, 0)), f"{one.share(category):.1f}") for one in tallies.values())
        table.add_row(category, *(cell for pair in cells for cell in pair))
    table.add_row("(none yet)", *(cell for one in tallies.values() for cell in (str(one.items - one.filled), "")))
    print_grid(table)
    if between is not None and between.kappa is not None:
        click.echo(f"{between.items} items sorted by both: {between.same:.1f} % the same, kappa {between.kappa:.2f}")
    elif between is not None:
        click.echo("no item was sorted by both")
