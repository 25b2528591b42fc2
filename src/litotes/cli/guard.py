"""litotes guard"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import PATH, device_option, json_option, table_option, threshold_of, tier_option
from litotes.cli.progress import progress_display
from litotes.cli.text import Guarded, grid, print_grid, safe, show_count

if TYPE_CHECKING:
    from litotes.guard import Guard, Verdict

COLUMNS = (("new", "new text"), ("cached", "text whose answer is known"))


class DefaultGroup(click.Group):
    """A group with a default command: `litotes guard FILE` is `litotes guard judge FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command before arguments that do not begin with a command."""
        asks_for_help = bool(args) and args[0] in ctx.help_option_names
        return super().parse_args(ctx, args if asks_for_help else self.resolve_default(args))

    def resolve_default(self, args: list[str]) -> list[str]:
        """Return arguments that begin with a command."""
        return ["judge", *args] if args and args[0] not in self.commands else args


def _columns(command: Any) -> Any:
    for name, what in reversed(COLUMNS):
        option = click.option(f"--{name}-column", default=name, show_default=True, help=f"The column of the {what}.")
        command = option(command)
    return command


@click.group(cls=DefaultGroup)
def guard() -> None:
    """Say whether two texts deserve the same answer, and why not.

    `litotes guard FILE` is short for `litotes guard judge FILE`, whose options `litotes guard judge --help` lists.
    `litotes guard fit PAIRS` fits the threshold to your own pairs.

    \b
    $ litotes guard --tier rules --plain --text "How do I turn the alarm off?" "How do I turn the alarm on?"
    not the same answer: opposite (“off” / “on”), score 0.00
    """


@guard.command()
@click.argument("file", required=False)
@click.option("--text", "literal", nargs=2, metavar="NEW CACHED", help="A pair of texts instead of a file.")
@_columns
@tier_option
@click.option("--threshold", metavar="SCORE|FILE", help="Accept pairs from this score on; or a fitted file.")
@click.option(
    "--on-error",
    type=click.Choice(["reject", "accept", "raise"]),
    default="reject",
    show_default=True,
    help="What happens to a pair that cannot be judged: not English, empty, too long.",
)
@click.option("--explain", is_flag=True, help="Name the words that make the difference.")
@device_option
@json_option
@table_option
@click.option("--plain", "form", flag_value="plain", help="Print one sentence per pair.")
def judge(file: str | None, literal: tuple[str, str] | None, form: str, explain: bool, **options: Any) -> None:
    """Judge the pairs of FILE (.jsonl, .csv or .tsv; - is JSON lines on standard input), or one --text NEW CACHED.

    The operating point and the counts go to standard error.

    \b
    $ echo '{"new": "Is it open on Sundays?", "cached": "Is it closed on Sundays?"}' | litotes guard - --tier rules
    """
    from litotes.guard import Guard
    from litotes.workflows.guarding import Columns, read_pairs
    from litotes.workflows.guarding import judge as judge_pairs

    if (file is None) == (literal is None):
        raise click.UsageError("give FILE, or --text NEW CACHED")
    columns = Columns(options["new_column"], options["cached_column"])
    pairs = Guarded(iter([literal]) if literal else read_pairs(str(file), columns))
    loaded = Guard(
        options["tier"],
        threshold=threshold_of(options["threshold"]),
        on_error=options["on_error"],
        log=False,
        explain=explain or form == "plain",
        device=options["device"],
    )
    click.echo(f"{loaded.tier}: {loaded.operating_point or f'threshold {loaded.threshold}'}", err=True)
    _print_verdicts(judge_pairs(loaded, iter(pairs)), form, explain)
    if file is not None:
        _print_counts(loaded)
    pairs.check()


@guard.command("fit")
@click.argument("pairs")
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.99,
    show_default=True,
    help="The share of accepted pairs that must deserve the same answer.",
)
@click.option("--out", type=PATH, default="guard.json", show_default=True, help="The file for the threshold.")
@_columns
@click.option("--same-column", default="same", show_default=True, help="The column with true or false.")
@tier_option
@device_option
def fit_command(pairs: str, precision: float, out: Path, tier: str | None, device: str | None, **columns: str) -> None:
    """Fit the threshold to labelled PAIRS (.jsonl, .csv or .tsv), and write it for `--threshold`.

    Each pair has a new text, a cached text, and whether both deserve the same answer. The threshold is the lowest one
    with the precision. A warning says if the pairs are too few to be sure of it.
    """
    from litotes.workflows.guarding import Columns, fit_guard

    if Path(pairs).is_file() and out.exists() and out.samefile(pairs):
        raise click.UsageError("--out is the file of pairs; give another one")
    names = Columns(columns["new_column"], columns["cached_column"], columns["same_column"])
    with progress_display() as progress:
        fitted = fit_guard(pairs, precision=precision, tier=tier, columns=names, device=device, progress=progress)
    fitted.point.save(out)
    click.echo(f"{out}: {fitted.point}")
    if fitted.not_judged:
        click.echo(f"warning: {fitted.not_judged} pairs could not be judged and were left out", err=True)
    if fitted.warning:
        click.echo(f"warning: {fitted.warning}", err=True)


def _print_verdicts(verdicts: Iterable[Verdict], form: str, explain: bool) -> None:
    table = grid("same", "score", "reason", "new", "cached")
    for number, verdict in enumerate(verdicts, start=1):
        if form == "json":
            line = verdict.line()
            if not explain:
                line.pop("words")
            click.echo(json.dumps(line, ensure_ascii=False))
        elif form == "plain":
            click.echo(str(verdict))
        else:
            words = " / ".join(text or "–" for text in verdict.words) if any(verdict.words) else ""
            reason = f"{verdict.reason} ({words})" if words else verdict.error or verdict.reason
            same = "yes" if verdict.same else "no"
            table.add_row(same, f"{verdict.score:.2f}", safe(reason), safe(verdict.new), safe(verdict.cached))
        show_count(number)
    if form == "table":
        print_grid(table)


def _print_counts(loaded: Guard) -> None:
    counts = loaded.counts
    rejected = ", ".join(f"{count} {reason}" for reason, count in counts.rejected.items())
    total = sum(counts.rejected.values())
    errors = f"; {counts.errors} could not be judged" if counts.errors else ""
    pairs = "1 pair" if counts.calls == 1 else f"{counts.calls} pairs"
    click.echo(f"{pairs}: {counts.accepted} accepted, {total} rejected ({rejected or 'none'}){errors}", err=True)
