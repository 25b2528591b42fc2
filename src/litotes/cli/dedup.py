"""litotes dedup"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import FILE, MODEL, PATH, device_option, table_option, threshold_of, tier_option
from litotes.cli.progress import progress_display, timed
from litotes.cli.text import grid, print_grid

if TYPE_CHECKING:
    from litotes.workflows.dedup import Deduplication


@click.command()
@click.argument("file", type=FILE)
@click.option("--out", type=PATH, required=True, help="The folder for the results, or the file for the kept rows.")
@click.option("--field", default="text", show_default=True, help="The field or column with the text.")
@click.option("--encoder", type=MODEL, default="dense:minilm", show_default=True, help="The model of the vectors.")
@tier_option
@click.option("--threshold", metavar="SCORE|FILE", help="The score from which texts are the same, or a fitted file.")
@click.option(
    "--min-cosine",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.7,
    show_default=True,
    help="Compare only texts whose vectors have at least this cosine.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Compare each text with at most this many nearest ones.",
)
@click.option("--work", type=PATH, help="The folder of vectors and verdicts. The default is in or beside --out.")
@click.option("--ray", is_flag=True, help="Work in parts on a Ray cluster whose machines share the work folder.")
@device_option
@click.option("--json", "form", flag_value="json", default=True, help="Print one JSON object (the default).")
@table_option
def dedup(file: Path, form: str, threshold: str | None, **options: Any) -> None:
    """Merge rows of FILE that say the same, and list pairs that contradict each other.

    FILE has JSON lines (.jsonl or .jsonl.gz) or is Parquet. Near texts are found by vectors; the guard decides which of
    them say the same. A row is dropped only if the guard accepts it together with the earlier row that is kept.

    The folder OUT gets kept.jsonl (as FILE, the kept rows unchanged and in order), merged.jsonl and
    contradictions.jsonl. If OUT is a file, the other two are put beside it. Rows are counted from 0. After an
    interruption, the same command resumes; the work folder can be removed in the end.
    """
    from litotes.workflows.dedup import deduplicate

    with timed(f"wrote {options['out']}"), progress_display() as progress:
        found = deduplicate(file, threshold=threshold_of(threshold), progress=progress, **options)
    if form == "json":
        click.echo(json.dumps(found.line(), ensure_ascii=False))
    else:
        _print_table(found)


def _print_table(found: Deduplication) -> None:
    table = grid("rows", "kept", "merged", "contradicting pairs")
    counts = found.rows, len(found.kept), len(found.merged), len(found.contradictions)
    table.add_row(*(f"{count:,}" for count in counts))
    print_grid(table)
