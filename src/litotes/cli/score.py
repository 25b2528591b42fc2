"""litotes score"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.app import app
from litotes.cli.pairs import Texts, from_columns, from_lines
from litotes.cli.text import Guarded, grid, print_grid, progress, safe

if TYPE_CHECKING:
    from litotes.metric import CorpusScore, Explanation, Metric, Score

BLOCK = 256
"""pairs that are scored together: enough for full batches, few enough to print as they come"""


@app.command()
@click.argument("file", required=False)
@click.option("--reference", "references", multiple=True, metavar="FILE", help="One text a line. May come again.")
@click.option("--candidate", metavar="FILE", help="One text a line; - is standard input, for a reference too.")
@click.option("--text", "literal", nargs=2, metavar="REFERENCE CANDIDATE", help="A pair of texts instead of files.")
@click.option(
    "--reference-column",
    "reference_columns",
    multiple=True,
    default=("reference",),
    show_default=True,
    help="Where FILE has the reference. May come again.",
)
@click.option("--candidate-column", default="candidate", show_default=True, help="Where FILE has the candidate.")
@click.option("--metric", "name", default="litotes-score", show_default=True, help="Or a folder, or cosine:dense:NAME.")
@click.option("--corpus", is_flag=True, help="Print the mean with its 95% interval and signature, not the pairs.")
@click.option("--explain", is_flag=True, help="Say which negation, opposite, number or name cost how much.")
@click.option("--signature", "signed", is_flag=True, help="Put the signature into every JSON line.")
@click.option("--resamples", type=click.IntRange(min=1), default=1000, show_default=True, help="For the interval.")
@click.option("--seed", default=0, show_default=True, help="What the draws of the interval depend on.")
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True, help="Pairs in a batch.")
@click.option("--device", help="cpu, cuda or mps; what there is if not said.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--plain", "form", flag_value="plain", help="Print the scores alone; with --explain, in words.")
def score(name: str, form: str, corpus: bool, explain: bool, signed: bool, **options: Any) -> None:
    """Score candidates against references, from 0 to 1.

    The pairs come from two files of lines, from the columns of FILE (.jsonl, .csv or .tsv; - is JSON lines on standard
    input), or from --text. Of several references the one that scores best counts.

    \b
    $ litotes score --metric cosine:dense:minilm --plain --text "The drug is safe." "The drug is not safe."
    0.8783
    """
    if corpus and explain:
        raise click.UsageError("--explain is for pairs; give it without --corpus")
    pairs = Guarded(_pairs(options))
    from litotes.metric import Metric

    metric = Metric(name, device=options["device"], batch=options["batch"])
    found = _scores(metric, pairs)
    if corpus:
        scores = list(found)
        pairs.check()
        _print_corpus(metric.corpus(scores=scores, resamples=options["resamples"], seed=options["seed"]), name, form)
        return
    if explain:
        _print_explanations(_explained(metric, found), form, signed)
    else:
        _print_scores(found, form, signed)
    pairs.check()


def _pairs(options: dict[str, Any]) -> Iterator[tuple[Texts, str]]:
    """The pairs from whichever of the three places was named."""
    files = bool(options["references"] or options["candidate"])
    if sum((options["file"] is not None, files, bool(options["literal"]))) != 1:
        raise click.UsageError("give FILE, or --reference and --candidate, or --text REFERENCE CANDIDATE")
    if options["literal"]:
        return iter([options["literal"]])
    if not files:
        return from_columns(options["file"], options["reference_columns"], options["candidate_column"])
    if not (options["references"] and options["candidate"]):
        raise click.UsageError("--reference and --candidate belong together")
    if [*options["references"], options["candidate"]].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    return from_lines([Path(path) for path in options["references"]], Path(options["candidate"]))


def _scores(metric: Metric, pairs: Iterable[tuple[Texts, str]]) -> Iterator[Score]:
    """Scores in order, a block at a time."""
    left = iter(pairs)
    number = 0
    while block := list(islice(left, BLOCK)):
        for one in metric.score([references for references, _ in block], [candidate for _, candidate in block]):
            number += 1
            progress(number)
            yield one


def _explained(metric: Metric, found: Iterable[Score]) -> Iterator[Explanation]:
    """Each score with its reasons, found against the reference that counted."""
    for one in found:
        yield replace(metric.explain(one.reference, one.candidate), score=one)


def _print_scores(found: Iterable[Score], form: str, signed: bool) -> None:
    if form == "table":
        table = grid("reference", "candidate", "score", dim=True)
        last = None
        for last in found:
            table.add_row(safe(last.reference), safe(last.candidate), f"{last.value:.2f}")
        table.caption = last.signature if last else None
        print_grid(table)
        return
    for one in found:
        click.echo(f"{one.value:.4f}" if form == "plain" else json.dumps(one.line(signed=signed), ensure_ascii=False))


def _print_explanations(found: Iterable[Explanation], form: str, signed: bool) -> None:
    if form == "table":
        table = grid("reference", "candidate", "score", "why", dim=True)
        last = None
        for last in found:
            why = str(last).partition("\n" if last.differences else "; ")[2]
            cells = safe(last.score.reference), safe(last.score.candidate), f"{last.score.value:.2f}"
            table.add_row(*cells, safe(why, keep="\n", longest=2000))
        table.caption = last.score.signature if last else None
        print_grid(table)
        return
    for one in found:
        if form == "plain":
            click.echo(safe(str(one), keep="\n", longest=10_000))
        else:
            click.echo(json.dumps(one.line(signed=signed), ensure_ascii=False))


def _print_corpus(found: CorpusScore, name: str, form: str) -> None:
    figures: Sequence[float] = (found.value, found.low, found.high)
    if form == "table":
        table = grid("metric", "score", "95% interval", "n", "signature")
        table.add_row(name, f"{found.value:.4f}", f"{found.low:.4f} – {found.high:.4f}", str(found.n), found.signature)
        print_grid(table)
    elif form == "plain":
        click.echo("\t".join([*(f"{figure:.4f}" for figure in figures), str(found.n), found.signature]))
    else:
        click.echo(json.dumps({"metric": name, **found.line()}, ensure_ascii=False))
