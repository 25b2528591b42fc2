"""Write the tables of the report as Markdown, for a pull request or a README."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.report_data import ReportData
from litotes.reporting.tables import Cell, Leaderboard, TableRow, decimals
from litotes.reporting.tradeoff import measured_tradeoff


def markdown_report(
    data: ReportData, comparison: ModelComparison, tables: Sequence[Leaderboard], figures: Sequence[ReportFigure]
) -> str:
    """Return the leaderboards, the trade-off, the medians of the minimal pairs, and the list of missing figures."""
    parts = ["# litotes report", "", "Values with 95% bootstrap intervals. Published results are marked.", ""]
    for table in tables:
        parts += [*_leaderboard(table), ""]
    tradeoff = measured_tradeoff(data, comparison)
    if tradeoff is not None:
        parts += ["## Negation against general ability", ""]
        front = {point.name for point in tradeoff.pareto_front()}
        rows = (
            (point.name, f"{point.y:.1f}", f"{point.x:.1f}", "yes" if point.name in front else "")
            for point in sorted(tradeoff.points, key=lambda point: -point.y)
        )
        head = ("model", f"negation: {tradeoff.y_tasks}", f"general: {tradeoff.x_tasks}", "on the Pareto front")
        parts += [*_table(head, rows), ""]
    if data.cosines:
        parts += ["## Minimal pairs: a text and its negation", ""]
        medians = (
            (comparison.labels[model], f"{median(cosines):.2f}", str(len(cosines)))
            for model, cosines in data.cosines.items()
        )
        parts += [*_table(("model", "median similarity", "minimal pairs"), medians), ""]
    missing = [figure for figure in figures if not figure.panels]
    if missing:
        parts += ["## Missing from this report", ""]
        parts += [*(f"- {figure.title}: {figure.reason}." for figure in missing), ""]
    return "\n".join(parts)


def _leaderboard(table: Leaderboard) -> Iterator[str]:
    """Yield the lines of a table: first the measured rows, then the published ones."""
    yield f"## {table.title[0].upper()}{table.title[1:]}"
    yield ""
    head = [
        table.row_header,
        *(f"{column.task} ({column.details})" if column.details else column.task for column in table.columns),
    ]
    yield from _table(head, [_row(row, table) for row in (*table.measured, *table.published)])
    for results in table.single_results:
        yield ""
        values = _escaped("; ".join(map(" ".join, results.values)))
        yield f"Published ({results.paper}), {results.details}: {values}."


def _row(row: TableRow, table: Leaderboard) -> list[str]:
    name = f"{row.name}{f', {row.size}' if row.size else ''} [published: {row.paper}]" if row.paper else row.name
    return [
        name,
        *(_cell(cell, decimals(column.measure)) for cell, column in zip(row.cells, table.columns, strict=True)),
    ]


def _cell(cell: Cell | None, places: int) -> str:
    if cell is None:
        return "–"
    value = f"**{cell.format(places)}**" if cell.best else cell.format(places)
    note = cell.interval(places) or cell.split
    return f"{value} ({note})" if note else value


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(map(_escaped, head)) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(text: str) -> str:
    # Markdown passes HTML through.
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
