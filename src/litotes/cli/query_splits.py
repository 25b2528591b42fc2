"""litotes data split-queries"""

from __future__ import annotations

from typing import Any

import click

from litotes.cli.parameters import PATH, SUITES, data_option


@click.command()
@click.option("--suite", "suites", required=True, type=SUITES, help="Suites or tasks, comma-separated.")
@data_option
@click.option("--out", type=PATH, required=True, help="The file to write (.jsonl).")
@click.option("--split", type=click.Choice(("dev", "test")), default="dev", show_default=True, help="The split.")
@click.option(
    "--half",
    type=click.Choice(("all", "select", "report")),
    default="all",
    show_default=True,
    help="The rows of each task, as for litotes bench.",
)
@click.option("--skip-missing", is_flag=True, help="Skip tasks whose data is missing instead of failing.")
def split_queries(suites: str, **options: Any) -> None:
    """Write what the queries of benchmarks keep and exclude, for litotes bench --exclude --splits FILE.

    The file has JSON lines with query, kept and excluded. With it, a machine without a parser can measure exclusion.
    """
    from litotes.workflows import save_query_splits

    saved = save_query_splits(suites.split(","), **options)
    counted = f"{saved.excluding:,} of {saved.queries:,} queries exclude something"
    click.echo(f"litotes: {counted}; wrote {saved.out}", err=True)
