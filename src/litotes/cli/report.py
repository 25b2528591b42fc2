"""litotes report"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from litotes.cli.parameters import PATH
from litotes.cli.progress import timed


@click.command()
@click.argument("folders", nargs=-1, required=True, type=PATH, metavar="DIR...")
@click.option("--out", type=PATH, default=Path("report.html"), show_default=True, help="The page to write.")
@click.option("--markdown", type=PATH, help="Also write the tables as Markdown here.")
@click.option("--base", default="", metavar="MODEL", help="The model before training, to compare the others with.")
@click.option("--pair", "pairs", multiple=True, help="A pair of maxsim.json to draw. Can be repeated.")
def report(folders: Sequence[Path], out: Path, markdown: Path | None, base: str, pairs: Sequence[str]) -> None:
    """Write one self-contained HTML page about results.

    A DIR is a folder that litotes bench or litotes train wrote. The page has leaderboards beside the published figures
    and draws what was measured. For each figure that is missing it names the command that measures it.

    Prints one JSON object: the files, the figures drawn, and the figures that are missing.
    """
    from litotes.workflows import report as write

    with timed(f"wrote {out}"):
        written = write(folders, out=out, markdown=markdown, base=base, pairs=pairs)
    click.echo(json.dumps(written.line(), ensure_ascii=False))
