"""litotes negate | affirm | hedge | paraphrase"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.app import Command, app
from litotes.cli.text import Texts, grid, print_grid, progress, safe
from litotes.taxonomy import HEDGES, REWRITES
from litotes.types import Rewrite

PARAPHRASES = ("any", "equivalent", "voice", "fronting", "cleft", "synonym", "contraction")


def _size(cue: str) -> str:
    """The size of a hedge cue: a given cue is its own kind."""
    from litotes.rewrite.hedging import hedges

    return hedges()[cue].size if cue in hedges() else "word"


def _common(command: Command) -> Command:
    """The arguments all four commands share."""
    for decorate in (
        click.option("--parser", default="", metavar="NAME", help="A spaCy pipeline; by default the installed one."),
        click.option(
            "--verify", is_flag=True, help="Parse each rewrite again and refuse those of unexpected structure."
        ),
        click.option(
            "--sentence",
            default="first",
            metavar="N",
            help="Which sentence of a text: first, each, or its number from 0.",
        ),
        click.option(
            "--plain", "form", flag_value="plain", help="Print the rewrites alone; an empty line where there is none."
        ),
        click.option("--table", "form", flag_value="table", help="Print a table for people."),
        click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default)."),
        click.option(
            "--input",
            "-i",
            "file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file with one text a line.",
        ),
        click.argument("text", nargs=-1),
    ):
        command = decorate(command)
    return command


def _run(
    operation: str,
    kinds: Sequence[str],
    text: Sequence[str],
    file: Path | None,
    form: str,
    sentence: str,
    verify: bool,
    parser: str,
    **options: Any,
) -> None:
    from litotes.parse import parser as load_parser
    from litotes.rewrite import Options, pipe, task

    tasks = [task(operation, kind, Options(**options)) for kind in kinds]
    which = int(sentence) if sentence.isdecimal() else sentence
    texts = Texts(text, file)
    _show(pipe(texts, tasks, sentence=which, verify=verify, reader=load_parser(parser)), form)
    texts.check()


@app.command()
@_common
@click.option(
    "--kind", "-k", type=click.Choice([*REWRITES, "all"]), default="verbal", show_default=True, help="How to negate."
)
@click.option("--cue", default="", help="For exceptors: except, but, apart from, other than, …")
@click.option("--no-contractions", is_flag=True, help="Write “is not”, not “isn't”.")
def negate(kind: str, cue: str, no_contractions: bool, **shared: Any) -> None:
    """Negate TEXT; a clause that is already negative is affirmed instead.

    \b
    $ litotes negate --plain "Taxes will rise."
    Taxes won't rise.
    """
    kinds = REWRITES if kind == "all" else (kind,)
    _run("negate", kinds, **shared, cue=cue, contractions=not no_contractions)


@app.command()
@_common
def affirm(**shared: Any) -> None:
    """Take the negation out of TEXT.

    \b
    $ litotes affirm --plain "Nobody has come."
    Somebody has come.
    """
    _run("affirm", ("affirm",), **shared)


@app.command()
@_common
@click.option(
    "--kind",
    "-k",
    type=click.Choice([*HEDGES, "all"]),
    default="word",
    show_default=True,
    help="The size of the hedge.",
)
@click.option("--cue", default="", help="The hedge to use; by default one is drawn.")
@click.option("--seed", default=0, show_default=True, help="What the draw depends on, besides the text.")
def hedge(kind: str, cue: str, seed: int, **shared: Any) -> None:
    """Lower the certainty of TEXT and keep its polarity.

    \b
    $ litotes hedge --plain --cue probably "The drug is safe."
    The drug is probably safe.
    """
    kinds = HEDGES if kind == "all" and not cue else (_size(cue) if cue else kind,)
    _run("hedge", kinds, **shared, cue=cue, seed=seed)


@app.command()
@_common
@click.option(
    "--kind", "-k", type=click.Choice([*PARAPHRASES, "all"]), default="any", show_default=True, help="What to change."
)
@click.option("--no-contractions", is_flag=True, help="Write “is not”, not “isn't”.")
def paraphrase(kind: str, no_contractions: bool, **shared: Any) -> None:
    """Say TEXT again with the same meaning and polarity.

    \b
    $ litotes paraphrase --plain "It is not possible."
    It is impossible.
    """
    kinds = PARAPHRASES[1:] if kind == "all" else (kind,)
    _run("paraphrase", kinds, **shared, contractions=not no_contractions)


def _show(rows: Iterable[list[Rewrite]], form: str) -> None:
    """Print rewrites as they come: "json", "plain" or "table"."""
    if form == "table":
        _show_table([rewrite for row in rows for rewrite in row])
        return
    for number, row in enumerate(rows, start=1):
        for rewrite in row:
            if form == "plain":
                click.echo(str(rewrite))
            else:
                click.echo(json.dumps(rewrite.line(), ensure_ascii=False))
        progress(number)


def _show_table(rewrites: list[Rewrite]) -> None:
    table = grid("text", "kind", "rewrite", dim=len(rewrites) > 12)
    for rewrite in rewrites:
        answer = rewrite.rewrite if rewrite.rewrite is not None else f"— {rewrite.reason}"
        table.add_row(safe(rewrite.text), rewrite.kind, safe(answer))
    print_grid(table)
