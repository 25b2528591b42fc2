"""litotes bench"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from litotes.cli.app import app
from litotes.cli.text import grid, print_grid, safe
from litotes.errors import InputError, MissingError

if TYPE_CHECKING:
    import numpy as np

    from litotes.bench.run import Progress as Step
    from litotes.bench.tasks import Task
    from litotes.types import Result

FOLDER = click.Path(path_type=Path)
LATE, LLM = "late", "llm"
PROMPTS = ("choice", "similarity", "pointwise", "listwise")


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
@click.option(
    "--maxsim",
    "pairs",
    nargs=2,
    multiple=True,
    metavar="QUERY DOCUMENT",
    help="Keep which token of late models answers which. May come again.",
)
@click.option("--exclude", is_flag=True, help="Take out of queries what they leave out (dense models).")
@click.option("--rerank", is_flag=True, help="Judge polarity on the sentence nearest to the query (towers).")
@click.option("--prompt", type=click.Choice(PROMPTS), help="How llm models are asked; choice if not said.")
@click.option("--skip-missing", is_flag=True, help="Leave out tasks whose data is not there, and say so.")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines, one a headline (the default).")
@click.option("--plain", "form", flag_value="plain", help="Print model, task, measure, value with tabs between.")
def bench(models: Sequence[str], suites: str, out: Path, form: str, **options: Any) -> None:
    """Measure MODELs on suites: negation, sensitivity, general, general-mini, mteb-lite.

    A MODEL is family:name-or-path, such as bm25, dense:minilm, cross:PATH. A suite may also be a task: nevir, excluir,
    cannot-wmt, cannot-wmt-unseen, m3-counterfactual, taxonomy, contrast-lists, cue-traps, demetr, series, ladder, stsb,
    sick, scifact, cranfield, banking77, mini-sts, mini-retrieval, mini-intents, contrasts:FILE, beir:FOLDER, mteb:NAME.

    Writes OUT/results.json and OUT/rows; what is finished is not measured again. Prints each task's headline. With
    --maxsim also OUT/maxsim.json: the token similarities of the pair, for litotes report to draw.
    """
    from litotes.bench import bench as measure

    left_out = LeftOut()
    options["pairs"] = _pairs(models, options["pairs"])
    if options["prompt"] and not any(_family(name) == LLM for name in models):
        raise InputError(f"--prompt is how llm models are asked, and there is none among {', '.join(models)}")
    tasks = _tasks(suites.split(","), options)
    with watching() as watch:
        found = measure(
            _models(models, out, options),
            tasks,
            out,
            cache=options["cache"],
            first_stage=FirstStage(options["first_stage"], options),
            depth=options["depth"],
            seed=options["seed"],
            watch=watch,
            missing=left_out,
        )
    if options["exclude"] or options["rerank"]:
        _save_exclusions(out, tasks)
    _print(headlines(found), form)
    left_out.end(options["skip_missing"])


@contextmanager
def watching() -> Iterator[Callable[[Step], None]]:
    """A bar on standard error, where somebody watches: what it is told of moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not sys.stderr.isatty()) as bar:
        line = bar.add_task("loading", total=None)

        def watch(step: Step) -> None:
            bar.update(line, description=f"{step.model}: {step.what}", completed=step.done, total=step.total)

        yield watch


class LeftOut:
    """Tasks whose data could not be had when they were asked: each is told at once, and the others go on."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, model: str, error: MissingError) -> None:
        self._count += 1
        click.echo(f"litotes: {model}: left out: {error}", err=True)

    def end(self, skip: bool) -> None:
        """Something missing is an error, unless it was to be skipped."""
        if self._count and not skip:
            ways = "the others stand in the results. With --skip-missing this is no error"
            raise MissingError(f"measurements left out for want of data: {self._count}; {ways}")


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
        raise MissingError("\n  ".join((*dict.fromkeys(missing), ways)))
    for reason in dict.fromkeys(missing):
        click.echo(f"litotes: left out: {reason}", err=True)
    return found


def _pairs(models: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of --maxsim, checked before any model is loaded."""
    other = next((name for name in models if _family(name) != LATE), "")
    if pairs and other:
        raise InputError(f"--maxsim shows the tokens of late models, and {other} is none. Bench it without --maxsim")
    for pair in pairs:
        if not all(text.strip() for text in pair):
            raise InputError(f"--maxsim got {pair[0]!r} and {pair[1]!r}; expected two texts: --maxsim QUERY DOCUMENT")
    # bytes that are no UTF-8 come from the shell as halves of surrogate pairs, which no tokenizer takes
    return [(_whole(query), _whole(document)) for query, document in pairs]


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _models(names: Sequence[str], out: Path, options: dict[str, Any]) -> Iterator[Any]:
    """One at a time: the last model is let go before the next is loaded."""
    from litotes.bench import pair_name, save_maxsims

    for name in names:
        model = _with_its_queries(_load(name, options), options)
        if options["pairs"]:
            save_maxsims(out, [model.maxsim(*pair, pair=pair_name(*pair)) for pair in options["pairs"]])
        yield model
        del model


def _load(name: str, options: dict[str, Any]) -> Any:
    from litotes.models import load

    how = {option: options[option] for option in ("device", "batch", "dtype", "max_tokens")}
    return load(name, **how, **({"prompt": options["prompt"]} if options["prompt"] and _family(name) == LLM else {}))


def _family(name: str) -> str:
    return name.partition(":")[0]


def _with_its_queries(model: Any, options: dict[str, Any]) -> Any:
    """The model, or what --exclude and --rerank make of it."""
    if not (options["exclude"] or options["rerank"]):
        return model
    if _family(model.name) != "dense":
        raise InputError(f"--exclude and --rerank are for dense models; {model.name} is none. Bench it by itself")
    from litotes.query.measuring import Excluding, Reranking

    return Reranking(model) if options["rerank"] else Excluding(model)


def _save_exclusions(out: Path, tasks: Sequence[Task]) -> None:
    """What the tasks' queries left out, for litotes report to show."""
    from litotes.query.measuring import left_out

    lines = [left_out(task.name, task.texts().get("query", [])) for task in tasks]
    fired = [line for line in lines if line["fired"]]
    (out / "exclusions.json").write_text(json.dumps(fired, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


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
            interval = "" if math.isnan(one.low) else f"{one.low:.2f} – {one.high:.2f}"
            cells = (one.model, one.task, one.split, one.slice, one.measure)
            table.add_row(*map(safe, cells), f"{one.value:.2f}", interval, str(one.n))
        print_grid(table)
        return
    for one in results:
        if form == "plain":
            click.echo(f"{one.model}\t{one.task}\t{one.measure}\t{one.value:.2f}")
        else:
            click.echo(json.dumps(one.line(), ensure_ascii=False))
