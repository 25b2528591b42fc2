"""litotes data stats | rule | annotate | agreement | people | score"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.app import app
from litotes.cli.text import grid, print_grid
from litotes.errors import InputError
from litotes.types import Contrast, Triple

if TYPE_CHECKING:
    from rich.table import Table

RETURNED = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(path_type=Path)


@app.group()
def data() -> None:
    """Look into contrast and triple files, and have people annotate contrasts.

    FILE is JSON lines with q1, q2, doc1, doc2 (or query, positive, negative), - for standard input, or
    taxonomy:dev and taxonomy:test for our own benchmark.
    """


@data.command()
@click.argument("file")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON (the default).")
@click.option("--plot", type=OUT, help="Draw lengths, their differences and differing words (.png, .svg, .pdf).")
def stats(file: str, form: str, plot: Path | None) -> None:
    """Lengths, length differences and differing words of FILE, as in the NevIR paper.

    FILE may also be triples (JSON lines with anchor, positive, negative): then lengths by role and by kind.
    """
    from litotes.data.contrasts import contrasts
    from litotes.data.statistics import statistics, summary
    from litotes.data.triples import peeked, triples

    name = "standard input" if file == "-" else file
    shipped = file != "-" and not Path(file).is_file()
    holds_triples, lines = (False, iter(())) if shipped else peeked(file)
    if holds_triples:
        _triple_stats(triples(lines, name), form, plot, name)
        return
    rows = statistics(_read(file) if shipped else contrasts(lines, name))
    figures = summary(rows)
    if form == "table":
        table = grid("statistic", "value")
        for name, value in figures.items():
            table.add_row(name, "–" if value is None else f"{value:g}")
        print_grid(table)
    else:
        click.echo(json.dumps(figures))
    if plot is not None:
        from litotes.data.statistics import series
        from litotes.report import histograms

        histograms(series(rows), plot, title=f"Lengths and differing words in {Path(file).name}")


def _triple_stats(rows: Iterator[Triple], form: str, plot: Path | None, name: str) -> None:
    from litotes.data.lengths import triple_lengths

    lengths = triple_lengths(rows)
    figures = lengths.line()
    if form == "table":
        print_grid(_length_grid(figures))
    else:
        click.echo(json.dumps(figures, ensure_ascii=False))
    if plot is not None:
        from litotes.report import histograms

        histograms(lengths.series(), plot, title=f"Lengths of the triples in {Path(name).name}")


def _length_grid(figures: dict[str, Any]) -> Table:
    """One row a role, then one a kind of it."""
    columns = [name for name in figures["negative"] if name != "length difference"]
    table = grid("words of", *columns)
    for role in ("anchor", "positive", "negative"):
        kinds = figures.get(f"by {role} kind", {})
        for name, row in ((f"{role}s", figures[role]), *((f"  {kind}", row) for kind, row in kinds.items())):
            table.add_row(name, *(f"{row[column]:,}" for column in columns))
    return table


@data.command()
@click.argument("file")
def rule(file: str) -> None:
    """List the contrasts of FILE whose queries use a word that stands in only one document.

    Exits with 4 when there are any: NevIR's rule for writing queries.
    """
    from litotes.data.writing_rule import breaches

    rows = _read(file)
    broken = [breach for contrast in rows for breach in breaches(contrast)]
    for breach in broken:
        click.echo(json.dumps(breach.line(), ensure_ascii=False))
    items = len({breach.id for breach in broken})
    click.echo(f"{items} of {len(rows)} contrasts break the rule", err=True)
    if broken:
        raise click.exceptions.Exit(4)


@data.command()
@click.argument("file")
@click.option("--out", type=OUT, required=True, help="A folder for tasks.json and config.xml.")
@click.option("--seed", default=0, show_default=True, help="What the order within each task depends on.")
def annotate(file: str, out: Path, seed: int) -> None:
    """Write FILE as a Label Studio project with the taxonomy paper's six questions."""
    from litotes.data.annotation import config, tasks

    made = tasks(_read(file), seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "tasks.json").write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    (out / "config.xml").write_text(config(), encoding="utf-8")
    click.echo(f"{len(made)} tasks in {out}; paste its config.xml as the labeling interface", err=True)


@data.command()
@click.argument("files", type=RETURNED, nargs=-1, required=True)
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON (the default).")
def agreement(files: Sequence[Path], form: str) -> None:
    """Score returned annotations (Label Studio's JSON exports): against the labels, and between people."""
    from litotes.bench import agreement as measure
    from litotes.data.annotation import read_annotations

    found = measure([annotation for file in files for annotation in read_annotations(file)])
    if form == "json":
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    table = grid("figure", *found)
    for name in found["all"]:
        table.add_row(
            name, *(f"{figures[name]:g}" if figures.get(name) is not None else "–" for figures in found.values())
        )
    print_grid(table)


@data.command()
@click.argument("file")
@click.option("--out", type=OUT, required=True, help="Where to write the sheet (.csv).")
@click.option("--key", type=OUT, required=True, help="Where to write the right answers (.csv).")
@click.option("--seed", default=0, show_default=True, help="What the order depends on.")
def people(file: str, out: Path, key: Path, seed: int) -> None:
    """Write FILE as a sheet for measuring people on the ranking task: which document answers the query, A or B?"""
    from litotes.data.annotation import ranking_sheet

    rows = ranking_sheet(_read(file), seed=seed)
    for path, columns in ((out, ("item", "query", "A", "B", "answer")), (key, ("item", "right"))):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as stream:
            sheet = csv.DictWriter(stream, columns, extrasaction="ignore")
            sheet.writeheader()
            sheet.writerows(rows)
    click.echo(f"{len(rows)} rows in {out}, the right answers in {key}", err=True)


@data.command()
@click.argument("sheet", type=RETURNED)
@click.option("--key", type=RETURNED, required=True, help="The right answers that came with the sheet (.csv).")
def score(sheet: Path, key: Path) -> None:
    """Score a filled SHEET of the ranking task: queries right, and contrasts with both queries right."""
    from litotes.bench import score_sheet

    answers, wanted = (_column(path, name) for path, name in ((sheet, "answer"), (key, "right")))
    click.echo(json.dumps(score_sheet(answers, wanted)))


def _column(path: Path, name: str) -> dict[str, str]:
    """item → one column of a sheet"""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if any(row.get("item") is None or row.get(name) is None for row in rows):
        raise InputError(f"{path}: expected the columns item and {name}")
    return {row["item"]: row[name] for row in rows}


def _read(file: str) -> list[Contrast]:
    from litotes.data import open_contrasts

    return list(open_contrasts(file))
