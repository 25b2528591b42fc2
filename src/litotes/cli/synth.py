"""litotes synth"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli import language_model
from litotes.cli.parameters import PATH, seed_option
from litotes.cli.progress import progress_display, timed


@click.command()
@click.argument("sources", nargs=-1)
@click.option("--out", type=PATH, required=True, help="The folder for the data.")
@click.option(
    "--type",
    "types",
    default="triples",
    show_default=True,
    help="What to make, comma-separated: triples, contrasts, pairs, instructions, quadruples.",
)
@click.option("--column", default="text", show_default=True, help="The text column of JSON, CSV and Parquet files.")
@seed_option
@click.option("--limit", default=0, show_default=True, help="Read at most this many anchors; 0 for all.")
@click.option("--draw", default=0, show_default=True, help="Draw this many anchors, so that rare kinds get a share.")
@click.option(
    "--duplicate-threshold",
    default=0.8,
    show_default=True,
    help="Drop anchors that overlap by this much; 0 drops only equal ones.",
)
@click.option("--against", multiple=True, help="A file whose texts no anchor may contain. Can be repeated.")
@click.option("--word-rule", is_flag=True, help="Keep only contrasts that obey NevIR's rule on the words of queries.")
@click.option("--keep-rejects", is_flag=True, help="Write what was dropped to OUT/rejects.jsonl, with the reason.")
@click.option(
    "--format", type=click.Choice(["jsonl", "parquet"]), default="jsonl", show_default=True, help="The file format."
)
@click.option("--workers", default=1, show_default=True, help="Processes. The output does not depend on them.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Run in processes on this machine, or in shards on a Ray cluster.",
)
@click.option("--shards", default=0, help="The number of parts for Ray. The default is one per CPU of the cluster.")
@click.option("--shard", default="0/1", show_default=True, metavar="I/N", help="Work on part I of N only, from 0.")
@click.option("--merge", is_flag=True, help="SOURCES are the folders of all shards of a run: merge them.")
@click.option("--resume", is_flag=True, help="Resume an interrupted run.")
@click.option(
    "--generator",
    type=click.Choice(["rules", "llm"]),
    default="rules",
    show_default=True,
    help="The rewriter's rules, or a language model.",
)
@click.option("--mode", type=click.Choice(["free", "controlled"]), default="free", help="How an LLM makes contrasts.")
@click.option("--topics", metavar="DOMAIN", default="", help="Read Wikipedia pages of this domain, named by the LLM.")
@click.option("--pages", default=20, show_default=True, help="The number of pages for --topics.")
@click.option("--estimate", is_flag=True, help="Only print what the LLM would be asked and what that would cost.")
@click.option("--paraphraser", default="", help="A seq2seq model, by name or path, for further positives.")
@click.option("--fluency", is_flag=True, help="Drop rewrites that a small language model finds much less likely.")
@language_model.options
def synth(sources: Sequence[str], out: Path, merge: bool, estimate: bool, **options: Any) -> None:
    """Make training data from SOURCES: files, folders, - (standard input), hf:NAME (a data set of the hub),
    wikipedia:TITLE, seed:sentences or seed:passages (shipped with litotes).

    Without SOURCES the papers' own are read if the hub answers, else seed:sentences. Writes OUT/triples.jsonl and so
    on, OUT/manifest.json (counts by kind, drops by reason) and the data card OUT/README.md.
    """
    from litotes.workflows import estimate_cost, merge_shards
    from litotes.workflows import synth as make

    options |= {"shard": _shard(options["shard"]), "types": tuple(options["types"].split(","))}
    llm = language_model.taken_from(options)
    if merge:
        made = merge_shards(sources, out=out)
    elif estimate:
        if options["generator"] != "llm":
            raise click.UsageError("--estimate is for --generator llm; the rules cost nothing")
        unused = ("generator", "workers", "engine", "shards", "resume")
        options = {name: value for name, value in options.items() if name not in unused}
        options["rejects"] = options.pop("keep_rejects")
        click.echo(estimate_cost(sources, out=out, language_model=llm, **options))
        return
    else:
        with timed(f"wrote {out}"), progress_display() as progress:
            made = make(sources, out=out, language_model=llm, progress=progress, **options)
    click.echo(json.dumps(made.line(), ensure_ascii=False))


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal()):
        raise click.UsageError(f"--shard is {text!r}; expected a part and the number of parts, such as 0/4")
    return int(part), int(parts)
