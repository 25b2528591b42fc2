"""litotes bench"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from litotes.cli.app import app
from litotes.cli.text import grid, print_grid, safe
from litotes.errors import MissingError

if TYPE_CHECKING:
    import numpy as np

    from litotes.bench import Result
    from litotes.bench.run import Progress as Step
    from litotes.bench.tasks import Task

FOLDER = click.Path(path_type=Path)


@app.command()
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--suite", "suites", default="general-mini", show_default=True, help="Suites or tasks, with commas.")
@click.option("--data", type=FOLDER, envvar="LITOTES_DATA", help="The folder of data sets (or LITOTES_DATA).")
@click.option("--out", type=FOLDER, required=True, help="The folder the results go into.")
@click.option("--split", type=click.Choice(("dev", "test")), default="dev", show_default=True, help="Which splits.")
@click.option(
    "--half",
    type=click.Choice(("all", "select", "report")),
    default="all",
    show_default=True,
    help="Choose on the rows of select, report on those of report.",
)
@click.option("--cache", type=FOLDER, help="Where vectors are kept; in OUT if not said.")
@click.option("--first-stage", default="bm25", show_default=True, help="Whose first documents rerankers reorder.")
@click.option("--depth", type=click.IntRange(min=1), default=100, show_default=True, help="How many of them.")
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True, help="Texts in a batch.")
@click.option("--max-tokens", type=click.IntRange(min=8), default=256, show_default=True, help="Longer texts are cut.")
@click.option("--dtype", default="float32", show_default=True, help="float32, float16 or bfloat16.")
@click.option("--device", help="cpu, cuda or mps; what there is if not said.")
@click.option("--seed", default=0, show_default=True, help="What the draws of the intervals depend on.")
@click.option("--skip-missing", is_flag=True, help="Leave out tasks whose data is not there, and say so.")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines, one a headline (the default).")
@click.option("--plain", "form", flag_value="plain", help="Print model, task, measure, value with tabs between.")
def bench(models: Sequence[str], suites: str, out: Path, form: str, **options: Any) -> None:
    """Measure MODELs on suites: negation, sensitivity, general, general-mini.

    A MODEL is family:name-or-path, such as bm25, dense:minilm, cross:PATH. A suite may also be a task: nevir, excluir,
    cannot-wmt, m3-counterfactual, taxonomy, cue-traps, demetr, series, ladder, stsb, sick, scifact, cranfield,
    banking77, mini-sts, mini-retrieval, mini-intents, contrasts:FILE, beir:FOLDER.

    Writes OUT/results.json and OUT/rows; what is finished is not measured again. Prints each task's headline.
    """
    from litotes.bench import bench as measure

    tasks = _tasks(suites.split(","), options)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not sys.stderr.isatty()) as bar:
        line = bar.add_task("loading", total=None)

        def watch(step: Step) -> None:
            bar.update(line, description=f"{step.model}: {step.what}", completed=step.done, total=step.total)

        found = measure(
            _models(models, options),
            tasks,
            out,
            cache=options["cache"],
            first_stage=FirstStage(options["first_stage"], options),
            depth=options["depth"],
            seed=options["seed"],
            watch=watch,
        )
    _print(headlines(found), form)


class FirstStage:
    """What searches before a reranker does; loaded when there is one."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = name
        self._options = options

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The score of every query with every document."""
        from litotes.bench import Scorer

        return Scorer(_load(self.name, self._options), cache=self._options["cache"]).matrix(queries, documents)


def _tasks(names: Sequence[str], options: dict[str, Any]) -> list[Task]:
    from litotes.bench import Where, build
    from litotes.bench.suites import members

    where = Where(options["data"], options["split"], options["half"])
    found, missing = [], []
    for name in members(names):
        try:
            found.append(build(name, where))
        except MissingError as error:
            missing.append(str(error))
    if missing and not options["skip_missing"]:
        ways = "Fetch one with: litotes data get NAME --data DIR. Or leave such tasks out: --skip-missing"
        raise MissingError("\n  ".join((*missing, ways)))
    for reason in missing:
        click.echo(f"litotes: left out: {reason}", err=True)
    return found


def _models(names: Sequence[str], options: dict[str, Any]) -> Iterator[Any]:
    """One at a time: the last model is let go before the next is loaded."""
    for name in names:
        yield _load(name, options)


def _load(name: str, options: dict[str, Any]) -> Any:
    from litotes.models import load

    return load(name, **{option: options[option] for option in ("device", "batch", "dtype", "max_tokens")})


def headlines(results: Sequence[Result]) -> list[Result]:
    """The first figure of each model and task."""
    found: dict[tuple[str, str, str], Result] = {}
    for result in results:
        found.setdefault((result.model, result.task, result.split), result)
    return list(found.values())


def _print(results: Sequence[Result], form: str) -> None:
    if form == "table":
        table = grid("model", "task", "split", "slice", "measure", "value", "95% interval", "n")
        for one in results:
            interval = f"{one.low:.2f} – {one.high:.2f}"
            cells = (one.model, one.task, one.split, one.slice, one.measure)
            table.add_row(*map(safe, cells), f"{one.value:.2f}", interval, str(one.n))
        print_grid(table)
        return
    for one in results:
        if form == "plain":
            click.echo(f"{one.model}\t{one.task}\t{one.measure}\t{one.value:.2f}")
        else:
            click.echo(json.dumps(one.line(), ensure_ascii=False))
