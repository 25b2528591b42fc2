"""litotes negate | affirm | hedge | paraphrase"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.app import Command
from litotes.cli.parameters import FILE, json_option, seed_option, table_option
from litotes.cli.text import Texts, grid, print_grid, safe, show_count
from litotes.taxonomy import HEDGES, REWRITES
from litotes.types import Rewrite

PARAPHRASES = ("any", "equivalent", "voice", "fronting", "cleft", "synonym", "contraction")


def _size(cue: str) -> str:
    """Return the kind of a hedge cue: word or phrase."""
    from litotes.rewrite.hedging import hedge_cues

    return hedge_cues()[cue].size if cue in hedge_cues() else "word"


def _common(command: Command) -> Command:
    """Add the arguments that all four commands share."""
    for decorate in (
        click.option(
            "--parser", default="", metavar="NAME", help="A spaCy pipeline. The default is the installed one."
        ),
        click.option("--verify", is_flag=True, help="Parse each rewrite and refuse those of unexpected structure."),
        click.option(
            "--sentence",
            default="first",
            metavar="N",
            help="The sentence of each text to rewrite: first, each, or its number from 0.",
        ),
        click.option(
            "--plain", "form", flag_value="plain", help="Print the rewrites only; an empty line if there is none."
        ),
        table_option,
        json_option,
        click.option(
            "--input",
            "-i",
            "file",
            type=FILE,
            help="A file with one text per line.",
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
    from litotes.rewrite import Options, rewrite_texts, task

    tasks = [task(operation, kind, Options(**options)) for kind in kinds]
    which = int(sentence) if sentence.isdecimal() else sentence
    texts = Texts(text, file)
    _show(rewrite_texts(texts, tasks, sentence=which, verify=verify, parser=parser), form)
    texts.check()


@click.command()
@_common
@click.option(
    "--kind",
    "-k",
    type=click.Choice(["natural", *REWRITES, "all"]),
    default="natural",
    show_default=True,
    help="How to negate; natural chooses the most natural way that denies TEXT.",
)
@click.option("--cue", default="", help="For exceptors: except, but, apart from, other than, …")
@click.option("--no-contractions", is_flag=True, help="Write “is not” instead of “isn't”.")
def negate(kind: str, cue: str, no_contractions: bool, **shared: Any) -> None:
    """Negate TEXT. A clause that is already negative is affirmed instead.

    \b
    $ litotes negate --plain "Taxes will rise."
    Taxes won't rise.
    """
    kinds = REWRITES if kind == "all" else (kind,)
    _run("negate", kinds, **shared, cue=cue, contractions=not no_contractions)


@click.command()
@_common
def affirm(**shared: Any) -> None:
    """Remove the negation from TEXT.

    \b
    $ litotes affirm --plain "Nobody has come."
    Somebody has come.
    """
    _run("affirm", ("affirm",), **shared)


@click.command()
@_common
@click.option(
    "--kind",
    "-k",
    type=click.Choice([*HEDGES, "all"]),
    default="word",
    show_default=True,
    help="The size of the hedge.",
)
@click.option("--cue", default="", help="The hedge to use. The default is a random one.")
@seed_option
def hedge(kind: str, cue: str, seed: int, **shared: Any) -> None:
    """Make TEXT less certain and keep its polarity.

    \b
    $ litotes hedge --plain --cue probably "The drug is safe."
    The drug is probably safe.
    """
    kinds = HEDGES if kind == "all" and not cue else (_size(cue) if cue else kind,)
    _run("hedge", kinds, **shared, cue=cue, seed=seed)


@click.command()
@_common
@click.option(
    "--kind", "-k", type=click.Choice([*PARAPHRASES, "all"]), default="any", show_default=True, help="What to change."
)
@click.option("--no-contractions", is_flag=True, help="Write “is not” instead of “isn't”.")
def paraphrase(kind: str, no_contractions: bool, **shared: Any) -> None:
    """Rephrase TEXT with the same meaning and polarity.

    \b
    $ litotes paraphrase --plain "It is not possible."
    It is impossible.
    """
    kinds = PARAPHRASES[1:] if kind == "all" else (kind,)
    _run("paraphrase", kinds, **shared, contractions=not no_contractions)


def _show(rows: Iterable[list[Rewrite]], form: str) -> None:
    """Print rewrites as they are made, in the form "json", "plain" or "table"."""
    if form == "table":
        _show_table([rewrite for row in rows for rewrite in row])
        return
    for number, row in enumerate(rows, start=1):
        for rewrite in row:
            if form == "plain":
                click.echo(str(rewrite))
            else:
                click.echo(json.dumps(rewrite.line(), ensure_ascii=False))
        show_count(number)


def _show_table(rewrites: list[Rewrite]) -> None:
    table = grid("text", "kind", "rewrite", dim=len(rewrites) > 12)
    for rewrite in rewrites:
        answer = rewrite.rewrite if rewrite.rewrite is not None else f"— {rewrite.reason}"
        table.add_row(safe(rewrite.text), rewrite.kind, safe(answer))
    print_grid(table)
