"""litotes check"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from litotes.cli.parameters import MODEL, PATH, device_option
from litotes.cli.progress import progress_display, timed
from litotes.cli.text import safe
from litotes.errors import InputError


@click.command()
@click.argument("model", type=MODEL)
@click.option("--baseline", metavar="BASE", type=MODEL, help="The model it was made from; needed to check the loss.")
@click.option("--min-negation", type=float, help="The least accuracy on all contrasts, in points of 100.")
@click.option("--max-general-loss", type=float, help="The most points that may be lost on general-mini.")
@click.option(
    "--min-kind",
    "kinds",
    multiple=True,
    metavar="KIND=VALUE",
    help="The least accuracy on the contrasts of one kind. Can be repeated.",
)
@click.option("--junit", type=PATH, help="Write a JUnit file here, with one test case per requirement.")
@click.option("--cache", type=PATH, help="The folder for measurements; what has not changed is not measured again.")
@device_option
@click.option("--json", "form", flag_value="json", default=True, help="Print one JSON object (the default).")
@click.option("--table", "form", flag_value="table", help="Print tables and the verdict.")
@click.option("--plain", "form", flag_value="plain", help="Print the verdict only.")
def check(
    model: str,
    baseline: str | None,
    min_negation: float | None,
    max_general_loss: float | None,
    kinds: Sequence[str],
    junit: Path | None,
    cache: Path | None,
    device: str | None,
    form: str,
) -> None:
    """Check in CI that MODEL hears negation and has kept its general ability.

    Negation is pairwise accuracy on the test contrasts of the taxonomy. The loss is the mean over the three tasks of
    general-mini, BASE minus MODEL. Both benchmarks ship with litotes. A MODEL is named as for litotes bench:
    dense:minilm, dense:litotes-mini@0.2, dense:PATH, cross:PATH. Exits with 4 if the model fails.

    \b
    $ litotes check random --min-negation 20 --plain
    passed: random: negation 26.94 (at least 20); no baseline, so general ability was not checked
    """
    from litotes.evaluation.check_table import check_table
    from litotes.workflows import check as measure

    with timed(f"checked {model}"), progress_display() as progress:
        found = measure(
            model,
            baseline=baseline,
            min_negation=min_negation,
            max_general_loss=max_general_loss,
            min_kinds=min_kinds(kinds),
            junit=junit,
            cache=cache,
            device=device,
            progress=progress,
        )
    if form == "json":
        click.echo(json.dumps(found.line(), ensure_ascii=False))
    else:
        text = check_table(found) if form == "table" else found.verdict
        click.echo(safe(text, keep="\n", longest=100_000))
    found.enforce()


def min_kinds(options: Sequence[str]) -> dict[str, float]:
    """Parse the values of --min-kind, such as exceptor=50."""
    thresholds: dict[str, float] = {}
    for option in options:
        kind, sign, value = option.partition("=")
        if not (kind and sign):
            raise InputError(f"--min-kind got {option!r}; expected KIND=VALUE, such as exceptor=50")
        if kind in thresholds:
            raise InputError(f"--min-kind names {kind} twice; expected one threshold per kind")
        try:
            thresholds[kind] = float(value)
        except ValueError as error:
            raise InputError(f"--min-kind {kind} is {value!r}; expected a number of points, such as 50") from error
    return thresholds
