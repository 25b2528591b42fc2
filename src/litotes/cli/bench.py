"""litotes bench"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import (
    MODEL,
    PATH,
    SUITES,
    data_option,
    device_option,
    seed_option,
    table_option,
)
from litotes.cli.progress import duration, progress_display
from litotes.cli.text import grid, print_grid, printable, safe

if TYPE_CHECKING:
    from litotes.types import Result
    from litotes.workflows import Benchmarks

PROMPTS = ("choice", "similarity", "pointwise", "listwise")


class BenchCommand(click.Command):
    """A command whose help ends with the suites and tasks, as their records describe them."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the suites and tasks below the options."""
        from litotes.evaluation import task_help

        formatter.write("\n" + task_help() + "\n")


@click.command(cls=BenchCommand)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...", type=MODEL)
@click.option(
    "--suite",
    "suites",
    default="general-mini",
    show_default=True,
    type=SUITES,
    help="Suites or tasks, comma-separated.",
)
@data_option
@click.option("--out", type=PATH, required=True, help="The folder for the results.")
@click.option("--split", type=click.Choice(("dev", "test")), default="dev", show_default=True, help="The split.")
@click.option(
    "--half",
    type=click.Choice(("all", "select", "report")),
    default="all",
    show_default=True,
    help="The rows of each task: make choices on select, report figures on report.",
)
@click.option("--cache", type=PATH, help="The folder for cached vectors. The default is in OUT.")
@click.option("--first-stage", default="bm25", show_default=True, help="The model whose results rerankers reorder.")
@click.option("--depth", type=click.IntRange(min=1), default=100, show_default=True, help="How many of its results.")
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True, help="The batch size, in texts.")
@click.option(
    "--max-tokens", type=click.IntRange(min=8), default=256, show_default=True, help="Longer texts are truncated."
)
@click.option("--dtype", default="float32", show_default=True, help="float32, float16 or bfloat16.")
@device_option
@seed_option
@click.option(
    "--maxsim",
    nargs=2,
    multiple=True,
    metavar="QUERY DOCUMENT",
    help="Save the token similarities of this pair (late-interaction models). Can be repeated.",
)
@click.option("--exclude", is_flag=True, help="Apply the exclusion operator to queries (dense models).")
@click.option("--rerank", is_flag=True, help="Judge polarity on the sentence nearest to the query (towers).")
@click.option("--prompt", type=click.Choice(PROMPTS), help="How llm models are asked. The default is choice.")
@click.option("--skip-missing", is_flag=True, help="Skip tasks whose data is missing instead of failing.")
@table_option
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines, one per headline (default).")
@click.option("--plain", "form", flag_value="plain", help="Print model, task, measure and value, tab-separated.")
def bench(models: Sequence[str], suites: str, maxsim: Sequence[tuple[str, str]], form: str, **options: Any) -> None:
    """Measure MODELs on suites of benchmarks.

    A MODEL is family:name-or-path, such as bm25, dense:minilm or cross:PATH.

    Writes OUT/results.json and the rows of each item to OUT/rows. What was measured before is not measured again.
    Prints the headline of each task. With --maxsim also writes OUT/maxsim.json, which litotes report draws.
    """
    from litotes.workflows import ModelOptions
    from litotes.workflows import bench as measure

    loading = ModelOptions(*(options.pop(name) for name in ("device", "batch", "dtype", "max_tokens", "prompt")))
    pairs = [(printable(query), printable(document)) for query, document in maxsim]
    with progress_display() as progress:
        found = measure(
            models,
            suites=suites.split(","),
            maxsim=pairs,
            loading=loading,
            progress=progress,
            **options,
        )
    _print(found.headlines(), form)
    click.echo(f"litotes: {_summary(found, len(models))}", err=True)


def _summary(found: Benchmarks, models: int) -> str:
    tasks = len({(result.task, result.split) for result in found.results})
    counted = f"{models} model{'s' * (models != 1)} on {tasks} task{'s' * (tasks != 1)}"
    return f"measured {counted} in {duration(found.seconds)}; results: {found.out}"


def _print(results: Sequence[Result], form: str) -> None:
    if form == "table":
        for model in dict.fromkeys(result.model for result in results):
            table = grid("task", "split", "measure", "value", "95% interval", "n")
            table.title = safe(model)
            for one in results:
                if one.model == model:
                    interval = "" if math.isnan(one.low) else f"{one.low:.2f} – {one.high:.2f}"
                    cells = (one.task, one.split, one.measure)
                    table.add_row(*map(safe, cells), f"{one.value:.2f}", interval, f"{one.n:,}")
            print_grid(table)
        return
    for one in results:
        if form == "plain":
            click.echo(f"{one.model}\t{one.task}\t{one.measure}\t{one.value:.2f}")
        else:
            click.echo(json.dumps(one.line(), ensure_ascii=False))
