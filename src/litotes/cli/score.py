"""litotes score"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import device_option, json_option, seed_option, table_option
from litotes.cli.text import Guarded, grid, print_grid, safe, show_count
from litotes.workflows.text_pairs import Texts, from_columns, from_lines

if TYPE_CHECKING:
    from litotes.metric import CorpusScore, Explanation, Metric, Score

BLOCK = 256
"""the number of pairs scored together: full batches, printed as they come"""


@click.command()
@click.argument("file", required=False)
@click.option(
    "--reference", "references", multiple=True, metavar="FILE", help="References, one per line. Can be repeated."
)
@click.option("--candidate", metavar="FILE", help="Candidates, one per line; - is standard input.")
@click.option("--text", "literal", nargs=2, metavar="CANDIDATE REFERENCE", help="A pair of texts instead of files.")
@click.option(
    "--reference-column",
    "reference_columns",
    multiple=True,
    default=("reference",),
    show_default=True,
    help="The column of the reference in FILE. Can be repeated.",
)
@click.option("--candidate-column", default="candidate", show_default=True, help="The column of the candidate in FILE.")
@click.option(
    "--metric",
    "name",
    default="litotes-score",
    show_default=True,
    help="litotes-score, litotes-score-mini, a folder, or cosine:dense:NAME.",
)
@click.option("--corpus", is_flag=True, help="Print the mean with its 95% interval and signature, not the pairs.")
@click.option("--explain", is_flag=True, help="Say which negation, opposite, number or name cost how many points.")
@click.option("--hedges", is_flag=True, help="Halve the score if only one text is hedged (may, possibly, suggests).")
@click.option("--signature", "signed", is_flag=True, help="Add the signature to every JSON line.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Bootstrap samples for the interval.",
)
@seed_option
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True, help="The batch size, in pairs.")
@device_option
@json_option
@table_option
@click.option("--plain", "form", flag_value="plain", help="Print the scores only; with --explain, in words.")
def score(name: str, form: str, corpus: bool, explain: bool, signed: bool, **options: Any) -> None:
    """Score candidates against references, from 0 to 1.

    The pairs come from two files with one text per line, from the columns of FILE (.jsonl, .csv or .tsv; - is JSON
    lines on standard input), or from --text. With several references, the best score counts.

    \b
    $ litotes score --metric cosine:dense:minilm --plain --text "The drug is not safe." "The drug is safe."
    0.8783
    """
    if corpus and explain:
        raise click.UsageError("--explain is for pairs; give it without --corpus")
    pairs = Guarded(_pairs(options))
    from litotes.metric import Metric

    metric = Metric(name, hedges=options["hedges"], device=options["device"], batch=options["batch"])
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
    """Read the pairs of references and candidate from the place that was named."""
    files = bool(options["references"] or options["candidate"])
    if sum((options["file"] is not None, files, bool(options["literal"]))) != 1:
        raise click.UsageError("give FILE, or --candidate and --reference, or --text CANDIDATE REFERENCE")
    if options["literal"]:
        candidate, reference = options["literal"]
        return iter([(reference, candidate)])
    if not files:
        return from_columns(options["file"], options["reference_columns"], options["candidate_column"])
    if not (options["references"] and options["candidate"]):
        raise click.UsageError("--reference and --candidate must be given together")
    if [*options["references"], options["candidate"]].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    return from_lines([Path(path) for path in options["references"]], Path(options["candidate"]))


def _scores(metric: Metric, pairs: Iterable[tuple[Texts, str]]) -> Iterator[Score]:
    """Score the pairs in order, block by block."""
    left = iter(pairs)
    number = 0
    while block := list(islice(left, BLOCK)):
        for one in metric.score([candidate for _, candidate in block], [references for references, _ in block]):
            number += 1
            show_count(number)
            yield one


def _explained(metric: Metric, found: Iterable[Score]) -> Iterator[Explanation]:
    """Explain each score against the reference that counted."""
    for one in found:
        yield replace(metric.explain(one.candidate, one.reference), score=one)


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
