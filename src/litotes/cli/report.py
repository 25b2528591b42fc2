"""litotes report"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from litotes.cli.app import app
from litotes.errors import InputError

PATH = click.Path(path_type=Path)


@app.command()
@click.argument("results", nargs=-1, required=True, type=PATH, metavar="DIR...")
@click.option("--out", type=PATH, default=Path("report.html"), show_default=True, help="The page to write.")
@click.option("--markdown", type=PATH, help="Write the tables as Markdown here, too.")
@click.option("--base", default="", metavar="MODEL", help="The model before tuning, which the others come after.")
@click.option(
    "--pair", "pairs", multiple=True, help="A pair of maxsim.json to draw; the first if not said. May come again."
)
def report(results: Sequence[Path], out: Path, markdown: Path | None, base: str, pairs: Sequence[str]) -> None:
    """Make one self-contained HTML page of results.

    A DIR is a folder that litotes bench wrote (results.json and its rows; twins.json and maxsim.json where there are
    any) or that a training run wrote (curves.jsonl). The page has the leaderboards beside the published figures, and
    draws what is there; what is not there it names, with the command that measures it.

    Prints what was written, what is drawn, and what is missing, as one JSON object.
    """
    from litotes.report import report as make

    for path in (out, markdown):
        if path is not None and path.is_dir():
            raise InputError(f"{path} is a folder; expected the name of a file to write")
    made = make(results, base=base, pairs=pairs)
    written = {"html": (out, made.html)} | ({"markdown": (markdown, made.markdown)} if markdown else {})
    for path, text in written.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        # half of a surrogate pair, which a model's name may hold, cannot be written
        path.write_text(text, encoding="utf-8", errors="replace")
    said = {name: str(path) for name, (path, _) in written.items()}
    click.echo(json.dumps(said | {"drawn": made.drawn, "missing": made.missing}, ensure_ascii=False))
