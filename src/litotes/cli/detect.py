"""litotes detect"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.app import app
from litotes.cli.text import Texts, grid, print_grid, progress, safe
from litotes.types import Detection, Hedge, Negation


@app.command()
@click.argument("text", nargs=-1)
@click.option(
    "--input",
    "-i",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with one text a line.",
)
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--plain", "form", flag_value="plain", help="Print the cues alone, one text a line.")
@click.option("--explain", is_flag=True, help="Say which rule decided, and what a query would leave out.")
@click.option("--parser", default="", metavar="NAME", help="A spaCy pipeline; by default the installed one.")
def detect(text: Sequence[str], file: Path | None, form: str, explain: bool, parser: str) -> None:
    """Find the negations and hedges of TEXT: cue, scope, event, kind.

    \b
    $ litotes detect --plain "Nobody thinks the drug is unsafe."
    Nobody, un, thinks
    """
    from litotes.detection.find import pipe
    from litotes.parse import parser as load_parser

    texts = Texts(text, file)
    found = pipe(texts, reader=load_parser(parser))
    if form == "table":
        show_table(found, explain=explain)
    else:
        for number, detection in enumerate(found, start=1):
            if form == "plain":
                click.echo(", ".join([n.cue for n in detection.negations] + [h.cue for h in detection.hedges]))
            else:
                line = detection.line(explain=explain) | (_left_out(detection.text) if explain else {})
                click.echo(json.dumps(line, ensure_ascii=False))
            progress(number)
    texts.check()


def _left_out(text: str) -> dict[str, Any]:
    """What `litotes.query` would take out of a query, and why; nothing where it leaves the query whole."""
    from litotes.detection import exclusions

    found = next(exclusions([text]))
    return {"exclusion": found.line()} if found else {}


def show_table(found: Iterable[Detection], *, explain: bool) -> None:
    """Print detections for people."""
    table = grid("text", "cue", "kind", "scope", "event or strength", *(("rule",) if explain else ()))
    for detection in found:
        parts: list[Negation | Hedge] = [*detection.negations, *detection.hedges]
        if not parts:
            note = detection.reason or "nothing denied or hedged"
            table.add_row(safe(detection.text), "", note, "", "", *(("",) if explain else ()))
        for number, part in enumerate(parts):
            note = part.event if isinstance(part, Negation) else f"{part.strength:.1f}"
            kind = part.kind if isinstance(part, Negation) else f"hedge, {part.kind}"
            scope = " … ".join(detection.text[start:end] for start, end in part.scope)
            text = safe(detection.text) if number == 0 else ""
            cells = [text, safe(part.cue), kind, safe(scope), safe(note)]
            table.add_row(*cells, *((part.rule,) if explain else ()))
        left_out = _left_out(detection.text).get("exclusion") if explain else None
        if left_out:
            cells = ["", ", ".join(left_out["cues"]), "exclusion", left_out["kept"], ", ".join(left_out["excluded"])]
            table.add_row(*map(safe, cells), safe("; ".join(left_out["rules"])))
    print_grid(table)
