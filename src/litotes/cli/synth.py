"""litotes synth"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from litotes.cli import language_model
from litotes.cli.app import app

if TYPE_CHECKING:
    from litotes.cli.language_model import Asking
    from litotes.synth import Config, Progress


@app.command()
@click.argument("sources", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder the data goes into.")
@click.option(
    "--make",
    default="triples",
    show_default=True,
    help="What to make, with commas: triples, contrasts, pairs, instructions, quadruples.",
)
@click.option("--column", default="text", show_default=True, help="Where JSON lines, CSV and Parquet have the text.")
@click.option("--seed", default=0, show_default=True, help="What every draw depends on, besides the anchor.")
@click.option("--limit", default=0, show_default=True, help="Read so many anchors at most; 0 for all.")
@click.option(
    "--draw", default=0, show_default=True, help="Take so many of them, drawn so that rare kinds get a share."
)
@click.option(
    "--near", default=0.8, show_default=True, help="Drop anchors that overlap so much; 0 for equal ones only."
)
@click.option("--against", multiple=True, help="A file whose texts no anchor may have: a benchmark; may come again.")
@click.option("--word-rule", is_flag=True, help="Keep only contrasts that obey NevIR's rule on the queries' words.")
@click.option("--keep-rejects", is_flag=True, help="Write what was dropped to OUT/rejects.jsonl, with the reason.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet"]),
    default="jsonl",
    show_default=True,
    help="How the data is written.",
)
@click.option("--workers", default=1, show_default=True, help="Processes; the output is the same for any number.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Processes here, or shards over a Ray cluster.",
)
@click.option("--shards", default=0, help="How many parts Ray schedules [default: one a CPU of the cluster].")
@click.option("--shard", default="0/1", show_default=True, metavar="I/N", help="Work part I of N (from 0) only.")
@click.option("--merge", is_flag=True, help="SOURCES are the folders of all shards of a run: put them together.")
@click.option("--resume", is_flag=True, help="Go on with a run that was interrupted.")
@click.option(
    "--generator",
    type=click.Choice(["rules", "llm"]),
    default="rules",
    show_default=True,
    help="The rewriter's rules, or a language model.",
)
@click.option("--mode", type=click.Choice(["free", "controlled"]), default="free", help="How an LLM makes contrasts.")
@click.option("--topics", metavar="DOMAIN", help="Read Wikipedia pages of this domain, which the LLM names.")
@click.option("--pages", default=20, show_default=True, help="How many pages --topics asks for.")
@click.option("--estimate", is_flag=True, help="Only print what the LLM would be asked and what that would cost.")
@click.option("--paraphraser", default="", help="A seq2seq model, by name or path, for further positives.")
@language_model.options
def synth(sources: Sequence[str], out: Path, **given: Any) -> None:
    """Make training data from SOURCES: files, folders, -, hf:NAME (a data set of the hub), wikipedia:TITLE, or our own
    seed:sentences and seed:passages.

    Without SOURCES the paper's own are read where the hub answers, else seed:sentences. Writes OUT/triples.jsonl and so
    on, OUT/manifest.json (counts by kind, drops by reason) and OUT/README.md, the data card. A run that was killed goes
    on with --resume.
    """
    from litotes.report.data_card import data_card
    from litotes.synth import merge

    if given["merge"]:
        manifest = merge([Path(name) for name in sources], out)
    else:
        with ExitStack() as stack:
            model = None
            if given["generator"] == "llm":
                model = stack.enter_context(language_model.asking(given, out / "answers"))
            config = _config(sources, model, given)
            if given["estimate"]:
                _estimate(config, model)
                return
            manifest = _run(config, out, model, given)
    if "versions" in manifest:
        data_card(manifest, out)
    made = {
        make: {name: one[name] for name in ("kept", "by negative kind", "by kind", "dropped") if name in one}
        for make, one in manifest["made"].items()
    }
    click.echo(json.dumps({"anchors": manifest["anchors"], "made": made}, ensure_ascii=False))


def _config(sources: Sequence[str], model: Asking | None, given: dict[str, Any]) -> Config:
    from litotes.synth import Config
    from litotes.synth.sources import default_sources, pinned

    part, _, parts = given["shard"].partition("/")
    if not (part.isdecimal() and parts.isdecimal()):
        raise click.UsageError(f"--shard is {given['shard']!r}; expected a part and a number of parts, as 0/4")
    named = _topics(given["topics"], given["pages"], model) if given["topics"] else ()
    return Config(
        sources=pinned(tuple(sources) or named or default_sources()),
        make=tuple(given["make"].split(",")),
        shard=(int(part), int(parts)),
        generator=model.model if model is not None else "rules",
        rejects=given["keep_rejects"],
        format=given["form"],
        against=tuple(given["against"]),
        **{
            name: given[name]
            for name in ("column", "seed", "limit", "draw", "near", "mode", "word_rule", "paraphraser")
        },
    )


def _topics(domain: str, pages: int, model: Asking | None) -> tuple[str, ...]:
    """The pages of a domain that a model names and that are there."""
    from litotes.synth.sources import WIKIPEDIA
    from litotes.synth.sources.wikipedia import checked, topics

    if model is None:
        raise click.UsageError("--topics needs a model to name them: give --generator llm and --model")
    refused: Counter[str] = Counter()
    found = checked(topics(model.generator, domain, pages), counts=refused)
    for reason, count in refused.items():
        click.echo(f"litotes: {count} pages were not taken: {reason}", err=True)
    if not found:
        raise click.ClickException(f"none of the pages named for {domain!r} can be used")
    return tuple(WIKIPEDIA + title for title in found)


def _estimate(config: Config, model: Asking | None) -> None:
    from litotes.llm import estimate
    from litotes.synth.blocks import requests

    if model is None:
        raise click.UsageError("--estimate is for --generator llm; the rules cost nothing")
    asked = requests(config)
    click.echo(estimate(asked, price_in=model.price_in, price_out=model.price_out, cached=model.generator))


def _run(config: Config, out: Path, model: Asking | None, given: dict[str, Any]) -> dict[str, Any]:
    from litotes.synth import Hands, on_ray, synthesise
    from litotes.synth.seq2seq import Paraphraser

    hands = None
    if model is not None or config.paraphraser:
        paraphraser = Paraphraser(config.paraphraser) if config.paraphraser else None
        hands = Hands(model.generator if model else None, model.concurrency if model else 1, paraphraser)
    if given["engine"] == "ray" and hands is not None:
        raise click.UsageError("--engine ray schedules the rules only: a model is asked from one process")
    with _bar(given["draw"] or given["limit"]) as watch:
        if given["engine"] == "ray":
            return on_ray(config, out, shards=given["shards"], resume=given["resume"], watch=watch)
        try:
            return synthesise(config, out, workers=given["workers"], resume=given["resume"], watch=watch, hands=hands)
        finally:
            if model is not None:
                click.echo(f"litotes: {model.spent()}", err=True)


@contextmanager
def _bar(total: int) -> Iterator[Any]:
    """A progress bar, where somebody watches."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bars:
        line = bars.add_task("anchors", total=total or None, rate="")

        def watch(step: Progress) -> None:
            made = ", ".join(f"{count:,} {name}" for name, count in step.made.items())
            speed = bars.tasks[0].speed
            rate = f"{speed:.0f}/s" if speed else ""
            bars.update(line, completed=step.anchors, description=f"anchors → {made}", rate=rate)

        yield watch
