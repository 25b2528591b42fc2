"""litotes bench"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
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
@click.option(
    "--first-stage", default="bm25", show_default=True, type=MODEL, help="The model whose results rerankers reorder."
)
@click.option("--depth", type=click.IntRange(min=1), default=100, show_default=True, help="How many of its results.")
@click.option(
    "--weight",
    type=float,
    help="The weight of a cross model's score beside the first stage's: 0 is the first stage alone, inf the cross "
    "model alone. Pair models have a default; other cross models rank alone.",
)
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
@click.option("--exclude", is_flag=True, help="Apply the exclusion operator to queries (dense and cross models).")
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
    _print(found, form)
    click.echo(f"litotes: {_summary(found, len(models))}", err=True)


def _summary(found: Benchmarks, models: int) -> str:
    tasks = len({(result.task, result.split) for result in found.results})
    counted = f"{models} model{'s' * (models != 1)} on {tasks} task{'s' * (tasks != 1)}"
    return f"measured {counted} in {duration(found.seconds)}; results: {found.out}"


def _print(found: Benchmarks, form: str) -> None:
    results = found.headlines()
    if form == "table":
        for model in dict.fromkeys(result.model for result in results):
            _print_table(model, [one for one in results if one.model == model], found.seconds_per_query)
        return
    for one in results:
        if form == "plain":
            click.echo(f"{one.model}\t{one.task}\t{one.measure}\t{one.value:.2f}")
        else:
            click.echo(json.dumps(one.line(), ensure_ascii=False))


def _print_table(model: str, results: Sequence[Result], seconds: Mapping[str, float]) -> None:
    """Print the headlines of a model; for a reranker also the time per query, without the first stage."""
    timed = any(one.signature in seconds for one in results)
    table = grid("task", "split", "measure", "value", "95% interval", "n", *(("s/query",) if timed else ()))
    table.title = safe(model)
    for one in results:
        interval = "" if math.isnan(one.low) else f"{one.low:.2f} – {one.high:.2f}"
        time = f"{seconds[one.signature]:.3g}" if one.signature in seconds else ""
        cells = (*map(safe, (one.task, one.split, one.measure)), f"{one.value:.2f}", interval, f"{one.n:,}")
        table.add_row(*cells, *((time,) if timed else ()))
    print_grid(table)
