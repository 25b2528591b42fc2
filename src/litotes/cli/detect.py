"""litotes detect"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.parameters import FILE, json_option, table_option
from litotes.cli.text import Texts, grid, print_grid, safe, show_count
from litotes.types import Detection, Hedge, Negation


@click.command()
@click.argument("text", nargs=-1)
@click.option(
    "--input",
    "-i",
    "file",
    type=FILE,
    help="A file with one text per line.",
)
@json_option
@table_option
@click.option("--plain", "form", flag_value="plain", help="Print the cues only, one line per text.")
@click.option("--explain", is_flag=True, help="Add the rule that decided, and what a search query excludes.")
@click.option("--parser", default="", metavar="NAME", help="A spaCy pipeline. The default is the installed one.")
@click.option(
    "--splitter",
    default="linear",
    metavar="NAME",
    help="What finds the excluded parts for --explain: linear (default), litotes-splitter, or a folder.",
)
def detect(text: Sequence[str], file: Path | None, form: str, explain: bool, parser: str, splitter: str) -> None:
    """Find the negations and hedges in TEXT: cue, scope, event and kind.

    \b
    $ litotes detect --plain "Nobody thinks the drug is unsafe."
    Nobody, un, thinks
    """
    from litotes.detection.detector import detect_all

    texts = Texts(text, file)
    found = detect_all(texts, parser=parser)
    if form == "table":
        show_table(found, splitter=splitter if explain else "")
    else:
        for number, detection in enumerate(found, start=1):
            if form == "plain":
                click.echo(", ".join([n.cue for n in detection.negations] + [h.cue for h in detection.hedges]))
            else:
                line = detection.line(explain=explain) | (_exclusion(detection.text, splitter) if explain else {})
                click.echo(json.dumps(line, ensure_ascii=False))
            show_count(number)
    texts.check()


def _exclusion(text: str, splitter: str) -> dict[str, Any]:
    """Return what `litotes.query` excludes from a query; nothing if the query excludes nothing."""
    from litotes.query import exclude

    found = exclude(text, splitter=splitter)
    return {"exclusion": found.line()} if found else {}


def show_table(found: Iterable[Detection], *, splitter: str = "") -> None:
    """Print detections as a table; with a splitter, also rules and what each text excludes as a query, in colour."""
    table = grid("text", "cue", "kind", "scope", "event or strength", *(("rule",) if splitter else ()))
    for detection in found:
        parts: list[Negation | Hedge] = [*detection.negations, *detection.hedges]
        if not parts:
            note = detection.reason or "no negation or hedge"
            table.add_row(safe(detection.text), "", note, "", "", *(("",) if splitter else ()))
        for number, part in enumerate(parts):
            note = part.event if isinstance(part, Negation) else f"{part.strength:.1f}"
            kind = part.kind if isinstance(part, Negation) else f"hedge, {part.kind}"
            scope = " … ".join(detection.text[start:end] for start, end in part.scope)
            text = safe(detection.text) if number == 0 else ""
            cells = [text, safe(part.cue), kind, safe(scope), safe(note)]
            table.add_row(*cells, *((part.rule,) if splitter else ()))
        if splitter:
            _add_exclusion(table, detection.text, splitter)
    print_grid(table)


def _add_exclusion(table: Any, text: str, splitter: str) -> None:
    """Add a row for what a query excludes: the query with its parts in colour, its cues, and what is kept."""
    from rich.text import Text

    from litotes.query import exclude

    found = exclude(text, splitter=splitter)
    if found:
        coloured = Text(text)
        for spans, style in ((found.cue_spans, "dim"), (found.excluded_spans, "red strike")):
            for start, end in spans:
                coloured.stylize(style, start, end)
        cells = [", ".join(found.cues), "exclusion", found.kept, ", ".join(found.excluded)]
        table.add_row(coloured, *map(safe, cells), splitter)
