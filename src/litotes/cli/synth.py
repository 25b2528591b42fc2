"""litotes synth"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from litotes.cli.app import app


@app.command()
@click.argument("sources", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder the data goes into.")
@click.option(
    "--make", default="triples", show_default=True, help="What to make: triples, contrasts, or both with a comma."
)
@click.option("--column", default="text", show_default=True, help="Where JSON lines, CSV and Parquet have the text.")
@click.option("--seed", default=0, show_default=True, help="What every draw depends on, besides the anchor.")
@click.option("--limit", default=0, show_default=True, help="Read so many anchors at most; 0 for all.")
@click.option("--workers", default=1, show_default=True, help="Processes; the output is the same for any number.")
@click.option("--shard", default="0/1", show_default=True, metavar="I/N", help="Work part I of N (from 0) only.")
@click.option("--resume", is_flag=True, help="Go on with a run that was interrupted.")
def synth(
    sources: Sequence[str],
    out: Path,
    make: str,
    column: str,
    seed: int,
    limit: int,
    workers: int,
    shard: str,
    resume: bool,
) -> None:
    """Make training data from SOURCES: files, folders, - or our own seed:sentences and seed:passages.

    Writes OUT/triples.jsonl, OUT/contrasts.jsonl and OUT/manifest.json (counts by kind, drops by reason). A run that
    was killed goes on with --resume.
    """
    from litotes.synth import Config, synthesise
    from litotes.synth.run import Progress as Step

    part, _, parts = shard.partition("/")
    if not (part.isdecimal() and parts.isdecimal()):
        raise click.UsageError(f"--shard is {shard!r}; expected a part and a number of parts, as 0/4")
    chosen = Config(tuple(sources), tuple(make.split(",")), column, seed, limit, (int(part), int(parts)))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        line = bar.add_task("anchors", total=limit or None)

        def watch(step: Step) -> None:
            made = ", ".join(f"{count:,} {name}" for name, count in step.made.items())
            bar.update(line, completed=step.anchors, description=f"anchors → {made}")

        manifest = synthesise(chosen, out, workers=workers, resume=resume, watch=watch)
    click.echo(json.dumps({"anchors": manifest["anchors"], "made": manifest["made"]}, ensure_ascii=False))
