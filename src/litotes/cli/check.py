"""litotes check"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.app import app
from litotes.cli.bench import watching
from litotes.cli.text import safe
from litotes.errors import InputError

if TYPE_CHECKING:
    from litotes.bench import Check

PATH = click.Path(path_type=Path)


@app.command()
@click.argument("model")
@click.option("--baseline", metavar="BASE", help="The model it was made from; without one no loss is checked.")
@click.option("--min-negation", type=float, default=60, show_default=True, help="Points on all contrasts, at least.")
@click.option("--max-general-loss", type=float, show_default="1", help="Points lost on general-mini, at most.")
@click.option(
    "--min-kind",
    "kinds",
    multiple=True,
    metavar="KIND=VALUE",
    help="Points on the contrasts of one kind, at least. May come again.",
)
@click.option("--junit", type=PATH, help="Write a JUnit file here, a test case a requirement.")
@click.option("--cache", type=PATH, help="Where measurements are kept: what did not change is not measured again.")
@click.option("--device", help="cpu, cuda or mps; what there is if not said.")
@click.option("--json", "form", flag_value="json", default=True, help="Print one JSON object (the default).")
@click.option("--table", "form", flag_value="table", help="Print tables for people, and the verdict.")
@click.option("--plain", "form", flag_value="plain", help="Print the verdict alone.")
def check(
    model: str,
    baseline: str | None,
    min_negation: float,
    max_general_loss: float | None,
    kinds: Sequence[str],
    junit: Path | None,
    cache: Path | None,
    device: str | None,
    form: str,
) -> None:
    """Check in CI that MODEL hears negation and lost nothing else.

    Negation is pairwise accuracy on the test contrasts of the taxonomy; the loss is the mean over general-mini's three
    tasks, BASE less MODEL. Both are in points of 100 and come with litotes: nothing is fetched but the models. A MODEL
    is named as for litotes bench: dense:minilm, dense:litotes-mini@0.2, dense:PATH, cross:PATH. Exits with 4 where it
    falls short.

    \b
    $ litotes check random --min-negation 20 --plain
    passed: random: negation 26.94 (at least 20); no baseline, so general ability was not checked
    """
    from litotes.bench import Bars
    from litotes.bench import check as measure
    from litotes.models import load

    bars = Bars(min_negation, max_general_loss, min_kinds(kinds))
    _refuse_what_cannot_be_written(junit)
    bm25: Any = load("bm25")
    how = {"load": partial(load, device=device), "first_stage": bm25, "cache": cache}
    with watching() as watch:
        found = measure(model, baseline, bars=bars, watch=watch, **how)
    _tell(found, form, junit)
    found.enforce()


def min_kinds(given: Sequence[str]) -> dict[str, float]:
    """--min-kind exceptor=50, as often as it came."""
    found: dict[str, float] = {}
    for one in given:
        kind, sign, value = one.partition("=")
        if not (kind and sign):
            raise InputError(f"--min-kind got {one!r}; expected KIND=VALUE, such as exceptor=50")
        if kind in found:
            raise InputError(f"--min-kind names {kind} twice; expected one bar for each kind")
        try:
            found[kind] = float(value)
        except ValueError as error:
            raise InputError(f"--min-kind {kind} is {value!r}; expected a number of points, such as 50") from error
    return found


def _refuse_what_cannot_be_written(junit: Path | None) -> None:
    """Before minutes of measuring, not after."""
    if junit is None:
        return
    if junit.is_dir():
        raise InputError(f"--junit {junit} is a folder; expected the name of a file to write")
    if junit.parent.exists() and not junit.parent.is_dir():
        raise InputError(f"--junit {junit}: {junit.parent} is a file; expected a folder")


def _tell(found: Check, form: str, junit: Path | None) -> None:
    from litotes.bench.check_table import check_table
    from litotes.bench.junit import junit as as_xml
    from litotes.bench.rows import write_whole

    table = check_table(found)
    if junit is not None:
        write_whole(junit, as_xml(found, table))
    if form == "json":
        click.echo(json.dumps(found.line(), ensure_ascii=False))
    else:
        click.echo(safe(table if form == "table" else found.verdict, keep="\n", longest=100_000))
