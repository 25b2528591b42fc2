"""What queries left out: how many of each task's, and some of them taken apart."""

from __future__ import annotations

from html import escape

from litotes.report.drawing import Drawing
from litotes.report.reading import Evidence
from litotes.types import Exclusion

MOST = 12
"""examples shown of a task"""


def exclusions(evidence: Evidence) -> Drawing:
    """A table a task: the query, what was kept, what was taken out, and by which rule."""
    title = "Exclusion: what queries left out"
    panels = []
    for one in evidence.left_out:
        shown = one.examples[:MOST]
        rows = "".join(map(_row, shown))
        head = "<tr><th>query</th><th>kept</th><th>left out</th><th>because</th></tr>"
        count = f"{escape(one.task)}: {one.fired} of {one.queries} queries leave something out"
        count += f"; the first {len(shown)}" if one.fired > len(shown) else ""
        panels.append(
            f'<table class="words"><caption>{count}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>'
        )
    caption = (
        "The vector of such a query is that of what is kept, less a little of what is left out; all other queries are "
        "encoded as they are."
    )
    return Drawing("exclusions", title, caption, tuple(panels))


def _row(found: Exclusion) -> str:
    cells = found.text, found.kept, ", ".join(found.excluded), "; ".join(found.rules)
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
