"""Show what the queries of each task exclude."""

from __future__ import annotations

from html import escape

from litotes.reporting.figures import ReportFigure
from litotes.reporting.report_data import ReportData
from litotes.types import Exclusion

MAX_EXAMPLES = 12
"""How many queries are shown per task."""


def exclusions_figure(data: ReportData) -> ReportFigure:
    """Return one table per task: the query with its parts in colour, and what is searched for."""
    panels = []
    for task in data.exclusions:
        examples = task.examples[:MAX_EXAMPLES]
        rows = "".join(map(_row, examples))
        head = "<tr><th>query</th><th>searched for</th><th>excluded</th></tr>"
        count = f"{escape(task.task)}: {task.fired} of {task.queries} queries exclude something"
        count += f"; the first {len(examples)} are shown" if task.fired > len(examples) else ""
        panels.append(
            f'<table class="words"><caption>{count}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>'
        )
    caption = (
        "The vector of such a query is the vector of what is searched for, minus a fraction of the vector of what is "
        "excluded. All other queries are encoded unchanged."
    )
    return ReportFigure("exclusions", "Exclusion: what queries exclude", caption, tuple(panels))


def _row(exclusion: Exclusion) -> str:
    cells = _coloured(exclusion), escape(exclusion.kept), escape(", ".join(exclusion.excluded))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _coloured(exclusion: Exclusion) -> str:
    """Return the query as HTML with its cues and excluded items marked. Results of older versions have no places."""
    marked = [(span, "i") for span in exclusion.cue_spans] + [(span, "s") for span in exclusion.excluded_spans]
    pieces, at = [], 0
    for (start, end), tag in sorted(marked):
        pieces += [escape(exclusion.text[at:start]), f"<{tag}>{escape(exclusion.text[start:end])}</{tag}>"]
        at = end
    return "".join([*pieces, escape(exclusion.text[at:])])
