"""litotes contamination"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.parameters import PATH, table_option
from litotes.cli.text import grid, print_grid, safe, show_count


class ManyAgainst(click.Command):
    """A command whose --against takes every name up to the next option: in `DATA --against A B`, B is a benchmark."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        expanded: list[str] = []
        in_list = False
        for argument in arguments:
            if argument.startswith("-") and argument != "-":
                in_list = argument == "--against"
            elif in_list and expanded[-1] != "--against":
                expanded.append("--against")
            expanded.append(argument)
        return super().parse_args(context, expanded)


@click.command(cls=ManyAgainst)
@click.argument("data", nargs=-1, required=True)
@click.option("--against", multiple=True, required=True, metavar="FILE...", help="The benchmarks to search for.")
@click.option(
    "--ngram",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="The number of consecutive words that count as overlap; 13 is the other common choice.",
)
@click.option("--field", "fields", multiple=True, help="Search for this field of the benchmarks only. Can be repeated.")
@click.option(
    "--json", "form", flag_value="json", default=True, help="Print JSON lines, one per benchmark (the default)."
)
@table_option
@click.option(
    "--plain",
    "form",
    flag_value="plain",
    help="Print per benchmark: exact matches, overlapping samples, samples, file.",
)
@click.option("--out", type=PATH, help="Write one line per text of the benchmarks here.")
@click.option(
    "--max-share",
    type=click.FloatRange(0, 1),
    help="Exit with 4 if a larger share of a benchmark's samples is in the data, exactly or by an n-gram.",
)
def contamination(
    data: Sequence[str],
    against: Sequence[str],
    ngram: int,
    fields: Sequence[str],
    form: str,
    out: Path | None,
    max_share: float | None,
) -> None:
    """Search training data for the texts of benchmarks.

    DATA and FILE are txt, JSON lines, JSON, CSV, TSV or Parquet files, folders of them, - for standard input, or the
    shipped seed:sentences, seed:passages, taxonomy:dev and taxonomy:test. Every text of at least five words is searched
    for, in any field. An exact match is a text of a benchmark that a text of the data contains word for word, or the
    reverse.

    \b
    $ litotes contamination seed:passages --against taxonomy:dev --plain
    0 0 352 taxonomy:dev
    """
    from litotes.data.contamination import measure_contamination

    measured = measure_contamination(data, against, ngram=ngram, fields=fields, progress=show_count)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row.line(), ensure_ascii=False) + "\n" for row in measured.rows)
    files = measured.files()
    if form == "table":
        _table(files)
    for figures in files:
        if form == "plain":
            click.echo("{exact} {overlapping} {samples} {against}".format(**figures))
        elif form == "json":
            click.echo(json.dumps(figures, ensure_ascii=False))
    if max_share is not None:
        _check(files, max_share)


def _check(files: Sequence[dict[str, Any]], most: float) -> None:
    """Exit with 4 if the data contains more than this share of a benchmark's samples."""
    # Compare counts, not rounded shares: one sample of a large benchmark would round to none.
    over = [figures for figures in files if max(figures["exact"], figures["overlapping"]) > most * figures["samples"]]
    for figures in over:
        click.echo(
            f"{figures['against']}: {figures['exact_share']:.2%} of the samples match exactly and "
            f"{figures['overlap_share']:.2%} by {figures['ngram']} words, more than {most:.2%}",
            err=True,
        )
    if over:
        raise click.exceptions.Exit(4)


def _table(files: Sequence[dict[str, Any]]) -> None:
    """Print one row per benchmark and field, then the texts with the most overlap."""
    ngram, texts = files[0]["ngram"], files[0]["texts"]
    table = grid("benchmark", "field", "samples", "exact", "%", f"{ngram} words", "%", "mean share, %")
    for figures in files:
        table.add_row(safe(figures["against"]), "(all)", str(figures["samples"]), *_cells(figures))
        for name, those in figures["fields"].items():
            table.add_row("", safe(name), str(those["texts"]), *_cells(those))
    print_grid(table)
    worst = grid("benchmark", "id", "field", "share, %", "exact", "training text", "words in common")
    for figures in files:
        for one in figures["worst"]:
            cells = (figures["against"], one["id"], one["field"], f"{100 * one['share']:.1f}")
            worst.add_row(*map(safe, (*cells, one["exact"], one["source"], one["common"])))
    if worst.row_count:
        print_grid(worst)
    short = sum(figures["short"] for figures in files)
    skipped = f"; {short:,} samples without a text of five words were skipped" if short else ""
    click.echo(f"{texts:,} training texts searched{skipped}", err=True)


def _cells(figures: dict[str, Any]) -> tuple[str, ...]:
    shares = (f"{100 * figures[name]:.2f}" for name in ("exact_share", "overlap_share", "mean_share"))
    exact, overlap, mean = shares
    return str(figures["exact"]), exact, str(figures["overlapping"]), overlap, mean
