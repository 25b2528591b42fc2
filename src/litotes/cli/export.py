"""litotes export"""

from __future__ import annotations

import json
from pathlib import Path

import click

from litotes.cli.parameters import PATH


@click.group()
def export() -> None:
    """Write a model in a form that other programs can run."""


@export.command("onnx")
@click.argument("model", default="litotes-mini")
@click.option("--out", type=PATH, required=True, help="The folder for the graph, its tokenizer and its card.")
@click.option("--int8", is_flag=True, help="Multiply eight-bit numbers: a quarter of the size, and faster.")
@click.option("--json", "form", flag_value="json", default=True, help="Print one JSON object (the default).")
@click.option("--plain", "form", flag_value="plain", help="Print one sentence per check.")
def onnx(model: str, out: Path, int8: bool, form: str) -> None:
    """Write MODEL as an ONNX graph: litotes-mini, or another model on MiniLM.

    The graph needs no torch. It is compared with the model if torch is installed, and a graph in eight bits with that
    in full precision. If they do not agree, nothing is written, and the exit code is 4.

    \b
    $ litotes export onnx litotes-mini --out mini-onnx --int8 --plain
    """
    from litotes.workflows.exporting import export_onnx

    found = export_onnx(model, out, int8=int8)
    if form == "json":
        click.echo(json.dumps(found.line()))
        return
    click.echo(f"{found.graph}: {found.graph.stat().st_size / 1e6:.1f} MB")
    for check in found.checks:
        click.echo(str(check))
