"""The report's tables as Markdown, for a pull request or a README."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from litotes.report.drawing import Drawing, View
from litotes.report.reading import Evidence
from litotes.report.tables import Cell, Leaderboard, Line, digits
from litotes.report.tradeoff import plane


def markdown(evidence: Evidence, view: View, tables: Sequence[Leaderboard], drawings: Sequence[Drawing]) -> str:
    """The leaderboards, the Pareto line, the twins' medians, and what is not there."""
    parts = ["# litotes report", "", "Figures are values (95% bootstrap interval). Published figures are marked.", ""]
    for table in tables:
        parts += [*leaderboard(table), ""]
    found = plane(evidence, view)
    if found is not None:
        parts += ["## Negation against general ability", ""]
        best = {point.name for point in found.line()}
        rows = (
            (point.name, f"{point.y:.1f}", f"{point.x:.1f}", "yes" if point.name in best else "")
            for point in sorted(found.points, key=lambda point: -point.y)
        )
        parts += [
            *_table(("model", f"negation: {found.y_tasks}", f"general: {found.x_tasks}", "on the Pareto line"), rows),
            "",
        ]
    if evidence.cosines:
        parts += ["## Twins: a text and its negation", ""]
        medians = (
            (view.labels[model], f"{median(those):.2f}", str(len(those))) for model, those in evidence.cosines.items()
        )
        parts += [*_table(("model", "median similarity", "twins"), medians), ""]
    missing = [drawing for drawing in drawings if not drawing.panels]
    if missing:
        parts += ["## Not in this report", "", *(f"- {one.title}: {one.reason}." for one in missing), ""]
    return "\n".join(parts)


def leaderboard(table: Leaderboard) -> Iterator[str]:
    """A table: measured lines first, then the published ones."""
    yield f"## {table.suite[0].upper()}{table.suite[1:]}"
    yield ""
    names = [
        table.line,
        *(f"{column.task} ({column.about})" if column.about else column.task for column in table.columns),
    ]
    rows = [_row(line, table) for line in (*table.measured, *table.published)]
    yield from _table(names, rows)
    for one in table.single:
        yield ""
        yield f"Published ({one.paper}), {one.about}: " + _escaped("; ".join(map(" ".join, one.figures))) + "."


def _row(line: Line, table: Leaderboard) -> list[str]:
    name = f"{line.name}{f', {line.size}' if line.size else ''} [published: {line.paper}]" if line.paper else line.name
    return [
        name,
        *(_cell(cell, digits(column.measure)) for cell, column in zip(line.cells, table.columns, strict=True)),
    ]


def _cell(cell: Cell | None, places: int) -> str:
    if cell is None:
        return "–"
    shown = f"**{cell.shown(places)}**" if cell.best else cell.shown(places)
    beside = cell.interval(places) or cell.split
    return f"{shown} ({beside})" if beside else shown


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(map(_escaped, names)) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(text: str) -> str:
    # Markdown lets HTML through
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
