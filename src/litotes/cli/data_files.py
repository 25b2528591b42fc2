"""litotes data stats | check-queries | annotate | agreement | ranking-sheet | grade-sheet"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import FILE, PATH, seed_option, table_option
from litotes.cli.text import grid, print_grid
from litotes.errors import InputError
from litotes.types import Contrast, Triple

if TYPE_CHECKING:
    from rich.table import Table

PERCENTILES = ("5%", "25%", "75%", "95%")
json_option = click.option("--json", "form", flag_value="json", default=True, help="Print JSON (the default).")


@click.command()
@click.argument("file")
@table_option
@json_option
@click.option("--plot", type=PATH, help="Draw histograms of lengths and differing words (.png, .svg, .pdf).")
def stats(file: str, form: str, plot: Path | None) -> None:
    """Print lengths, length differences and differing words of FILE, as in the NevIR paper.

    If FILE has triples (JSON lines with anchor, positive, negative), print lengths by role and by kind.
    """
    from litotes.data.contrast_files import parse_contrasts
    from litotes.data.contrast_statistics import measure_contrasts, summary
    from litotes.data.triple_files import detect_triples, parse_triples

    name = "standard input" if file == "-" else file
    shipped = file != "-" and not Path(file).is_file()
    holds_triples, lines = (False, iter(())) if shipped else detect_triples(file)
    if holds_triples:
        _triple_stats(parse_triples(lines, name), form, plot, name)
        return
    rows = measure_contrasts(_read(file) if shipped else parse_contrasts(lines, name))
    figures = summary(rows)
    if form == "table":
        table = grid("statistic", "value")
        for name, value in figures.items():
            table.add_row(name, "–" if value is None else f"{value:g}")
        print_grid(table)
    else:
        click.echo(json.dumps(figures))
    if plot is not None:
        from litotes.data.contrast_statistics import histogram_values
        from litotes.reporting import histograms

        histograms(histogram_values(rows), plot, title=f"Lengths and differing words in {Path(file).name}")


def _triple_stats(rows: Iterator[Triple], form: str, plot: Path | None, name: str) -> None:
    from litotes.data.lengths import triple_lengths

    lengths = triple_lengths(rows)
    figures = lengths.line()
    if form == "table":
        print_grid(_length_grid(figures))
    else:
        click.echo(json.dumps(figures, ensure_ascii=False))
    if plot is not None:
        from litotes.reporting import histograms

        histograms(lengths.histogram_values(), plot, title=f"Lengths of the triples in {Path(name).name}")


def _length_grid(figures: dict[str, Any]) -> Table:
    """Make a table with one row per role, followed by one per kind of it. JSON also has the percentiles."""
    columns = [name for name in figures["negative"] if name != "length difference" and name not in PERCENTILES]
    table = grid("words of", *columns)
    table.columns[0].no_wrap = True
    for role in ("anchor", "positive", "negative"):
        kinds = figures.get(f"by {role} kind", {})
        for name, row in ((f"{role}s", figures[role]), *((f"  {kind}", row) for kind, row in kinds.items())):
            table.add_row(name, *(f"{row[column]:,}" for column in columns))
    return table


@click.command()
@click.argument("file")
def check_queries(file: str) -> None:
    """List the contrasts of FILE whose queries use a word that only one of the two documents contains.

    Exits with 4 if there are any: they break NevIR's rule for writing queries.
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


@click.command()
@click.argument("file")
@click.option("--out", type=PATH, required=True, help="The folder for tasks.json and config.xml.")
@seed_option
def annotate(file: str, out: Path, seed: int) -> None:
    """Write FILE as a Label Studio project with the taxonomy paper's six questions."""
    from litotes.data.annotation import label_studio_config, label_studio_tasks

    made = label_studio_tasks(_read(file), seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "tasks.json").write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    (out / "config.xml").write_text(label_studio_config(), encoding="utf-8")
    click.echo(f"wrote {len(made)} tasks to {out}; paste config.xml as the labeling interface", err=True)


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@table_option
@json_option
def agreement(files: Sequence[Path], form: str) -> None:
    """Measure the agreement of annotations (Label Studio JSON exports) with the labels and between people."""
    from litotes.data.annotation import read_annotations
    from litotes.evaluation import agreement as measure

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


@click.command()
@click.argument("file")
@click.option("--out", type=PATH, required=True, help="The sheet to write (.csv).")
@click.option("--key", type=PATH, required=True, help="The file of right answers to write (.csv).")
@seed_option
def ranking_sheet(file: str, out: Path, key: Path, seed: int) -> None:
    """Write FILE as a sheet on which people do the ranking task: which document answers the query, A or B?"""
    from litotes.data.annotation import ranking_sheet as make

    rows = make(_read(file), seed=seed)
    for path, columns in ((out, ("item", "query", "A", "B", "answer")), (key, ("item", "right"))):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as stream:
            sheet = csv.DictWriter(stream, columns, extrasaction="ignore")
            sheet.writeheader()
            sheet.writerows(rows)
    click.echo(f"wrote {len(rows)} rows to {out} and the right answers to {key}", err=True)


@click.command()
@click.argument("sheet", type=FILE)
@click.option("--key", type=FILE, required=True, help="The right answers written with the sheet (.csv).")
def grade_sheet(sheet: Path, key: Path) -> None:
    """Grade a filled SHEET of the ranking task: queries right, and contrasts with both queries right."""
    from litotes.evaluation import score_sheet

    answers, wanted = (_column(path, name) for path, name in ((sheet, "answer"), (key, "right")))
    click.echo(json.dumps(score_sheet(answers, wanted)))


def _column(path: Path, name: str) -> dict[str, str]:
    """Read one column of a sheet, by item."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if any(row.get("item") is None or row.get(name) is None for row in rows):
        raise InputError(f"{path}: expected the columns item and {name}")
    return {row["item"]: row[name] for row in rows}


def _read(file: str) -> list[Contrast]:
    from litotes.data import open_contrasts

    return list(open_contrasts(file))
