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
def detect(text: Sequence[str], file: Path | None, form: str, explain: bool, parser: str) -> None:
    """Find the negations and hedges in TEXT: cue, scope, event and kind.

    \b
    $ litotes detect --plain "Nobody thinks the drug is unsafe."
    Nobody, un, thinks
    """
    from litotes.detection.detector import detect_all

    texts = Texts(text, file)
    found = detect_all(texts, parser=parser)
    if form == "table":
        show_table(found, explain=explain)
    else:
        for number, detection in enumerate(found, start=1):
            if form == "plain":
                click.echo(", ".join([n.cue for n in detection.negations] + [h.cue for h in detection.hedges]))
            else:
                line = detection.line(explain=explain) | (_exclusion(detection.text) if explain else {})
                click.echo(json.dumps(line, ensure_ascii=False))
            show_count(number)
    texts.check()


def _exclusion(text: str) -> dict[str, Any]:
    """Return what `litotes.query` excludes from a query and why; nothing if the query excludes nothing."""
    from litotes.detection import split_query_all

    found = next(split_query_all([text]))
    return {"exclusion": found.line()} if found else {}


def show_table(found: Iterable[Detection], *, explain: bool) -> None:
    """Print detections as a table."""
    table = grid("text", "cue", "kind", "scope", "event or strength", *(("rule",) if explain else ()))
    for detection in found:
        parts: list[Negation | Hedge] = [*detection.negations, *detection.hedges]
        if not parts:
            note = detection.reason or "no negation or hedge"
            table.add_row(safe(detection.text), "", note, "", "", *(("",) if explain else ()))
        for number, part in enumerate(parts):
            note = part.event if isinstance(part, Negation) else f"{part.strength:.1f}"
            kind = part.kind if isinstance(part, Negation) else f"hedge, {part.kind}"
            scope = " … ".join(detection.text[start:end] for start, end in part.scope)
            text = safe(detection.text) if number == 0 else ""
            cells = [text, safe(part.cue), kind, safe(scope), safe(note)]
            table.add_row(*cells, *((part.rule,) if explain else ()))
        excluded = _exclusion(detection.text).get("exclusion") if explain else None
        if excluded:
            cells = ["", ", ".join(excluded["cues"]), "exclusion", excluded["kept"], ", ".join(excluded["excluded"])]
            table.add_row(*map(safe, cells), safe("; ".join(excluded["rules"])))
    print_grid(table)
