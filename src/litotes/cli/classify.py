"""litotes classify"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli.parameters import FILE, PATH, json_option, table_option
from litotes.cli.text import Guarded, grid, print_grid, safe, show_count
from litotes.types import Classification, Contrast

if TYPE_CHECKING:
    from litotes.detection.classification import Engine


@click.command()
@click.argument("file")
@click.option(
    "--engine",
    type=click.Choice(["rules", "llm"]),
    default="rules",
    show_default=True,
    help="What classifies the contrasts.",
)
@click.option(
    "--replay",
    type=FILE,
    help="For --engine llm: recorded answers. The default is the shipped recording.",
)
@json_option
@table_option
@click.option("--explain", is_flag=True, help="Print the lexicon, inventory, analysis and formula of each query.")
@click.option("--summary", is_flag=True, help="Print the distribution of kinds instead of the items.")
@click.option("--plot", type=PATH, help="Draw the distribution to this file (.png, .svg, .pdf).")
def classify(
    file: str, engine: str, replay: Path | None, form: str, explain: bool, summary: bool, plot: Path | None
) -> None:
    """Classify the contrasts of FILE by the taxonomy of negation.

    FILE has JSON lines with q1, q2, doc1, doc2 (or query, positive, negative). - is standard input; taxonomy:dev and
    taxonomy:test are the shipped benchmark. Each line of the output has an id, a kind and its evidence.

    \b
    $ echo '{"q1": "lakes without fish", "q2": "lakes with fish", "doc1": "…", "doc2": "…"}' | litotes classify -
    {"id": "1", "kind": "sentential", "evidence": "without (q1)"}
    """
    from litotes.data import open_contrasts
    from litotes.detection.classification import classify_all

    chosen = _engine(engine, replay)
    if plot is not None:
        from litotes.reporting import check_plot_path

        check_plot_path(plot)
    rows: list[tuple[Contrast, Classification]] = []
    keep = summary or plot is not None or form == "table"
    readable = Guarded(open_contrasts(file))
    asked, answered = tee(readable)
    for number, (contrast, found) in enumerate(zip(answered, classify_all(asked, engine=chosen), strict=True), start=1):
        if keep:
            rows.append((contrast, found))
        if not summary and form == "json":
            click.echo(json.dumps(_line(contrast, found, explain), ensure_ascii=False))
        show_count(number)
    if form == "table" and not summary:
        _table(rows, explain)
    if summary:
        _summary([found for _, found in rows], form)
    if plot is not None:
        _plot([found for _, found in rows], plot, file)
    readable.check()


def _engine(name: str, replay: Path | None) -> Engine:
    from litotes.detection.classification import LlmEngine, RulesEngine

    if name == "rules":
        if replay is not None:
            raise click.UsageError("--replay is for --engine llm")
        return RulesEngine()
    from litotes.llm import Replay

    return LlmEngine(Replay(replay))


def _line(contrast: Contrast, found: Classification, explain: bool) -> dict[str, Any]:
    line = found.line()
    if not explain:
        return line
    return line | {"step": found.step, "engine": found.engine, "analyses": _analyses(contrast)}


def _analyses(contrast: Contrast) -> list[list[str]]:
    """Return the rules engine's terms for the queries as printable lines."""
    from litotes.detection.classification import analyse
    from litotes.parse import load_parser

    queries = [query for query in (contrast.q1, contrast.q2) if query]
    return [made.lines() for document in load_parser().pipe(queries) if (made := analyse(document)) is not None]


def _table(rows: Iterable[tuple[Contrast, Classification]], explain: bool) -> None:
    table = grid("id", "kind", "evidence", "step", *(("analysis",) if explain else ()))
    for contrast, found in rows:
        analyses = "\n\n".join("\n".join(lines) for lines in _analyses(contrast)) if explain else ""
        cells = [found.id, found.kind or "unread", found.evidence, found.step, *((analyses,) if explain else ())]
        table.add_row(*(safe(cell, keep="\n", longest=2000) for cell in cells))
    print_grid(table)


def shares(found: Sequence[Classification]) -> dict[str, float]:
    """Return the percentage of each kind, most frequent first."""
    counts = Counter(one.kind or "unread" for one in found)
    return {kind: round(100 * count / len(found), 1) for kind, count in counts.most_common()}


def _summary(found: Sequence[Classification], form: str) -> None:
    counts = Counter(one.kind or "unread" for one in found)
    if form == "json":
        kinds = {kind: {"count": counts[kind], "percent": share} for kind, share in shares(found).items()}
        click.echo(json.dumps({"contrasts": len(found), "kinds": kinds}, ensure_ascii=False))
        return
    table = grid("kind", "contrasts", "%")
    for kind, share in shares(found).items():
        table.add_row(kind, str(counts[kind]), f"{share:.1f}")
    print_grid(table)


def _plot(found: Sequence[Classification], path: Path, name: str) -> None:
    from litotes.reporting import bars

    bars({name: shares(found)}, path, title=f"Kinds of negation in {Path(name).name} ({len(found)} contrasts)")
