"""Draw panels as inline SVG: transparent, with real text, and in colours that follow light and dark mode."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import StringIO
from typing import TYPE_CHECKING, Any

from litotes.errors import require
from litotes.reporting.plots import ACCENT, INK, SECOND

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SERIES_COLOURS = (ACCENT, SECOND, "#3a8f5c", "#8a5aa8", "#c0504d", "#6b7a86")
HEAT = "#123456"
"""A placeholder for the page's heat-map colour. The opacity of a cell shows its value."""
MARKERS = "osD^vP"
# These colours are replaced by CSS variables, which change with the colour scheme.
VARIABLES = {INK: "currentColor", HEAT: "var(--heat)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(SERIES_COLOURS, start=1)
}
POINT = 72
PANEL_WIDTH = 4.6
"""In inches: as wide as a phone can show without scrolling."""
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "litotes",
    "text.parse_math": False,  # A token may be a dollar sign.
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.8,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.fontsize": 9.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.7,
}


class Canvas:
    """The matplotlib axes of a panel; `svg` is set when the `canvas` context ends."""

    def __init__(self, figure: Figure, axes: Axes) -> None:
        self.figure, self.axes = figure, axes
        self.svg = ""


@contextmanager
def canvas(width: float, height: float, *, alt_text: str) -> Iterator[Canvas]:
    """Open a panel of this size in inches, and render it at the end; screen readers read `alt_text`."""
    matplotlib = require("matplotlib", extra="plots", why="a report")
    figures = require("matplotlib.figure", extra="plots", why="a report")
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # The browser draws the text, so a glyph missing from our fonts does not matter.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = figures.Figure(figsize=(width, height), dpi=POINT)
        open_canvas = Canvas(figure, figure.subplots())
        yield open_canvas
        stream = StringIO()
        figure.savefig(
            stream, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.04, metadata={"Date": None}
        )
    open_canvas.svg = inline_svg(stream.getvalue(), alt_text)


def inline_svg(text: str, alt_text: str) -> str:
    """Make a matplotlib SVG fit for the page: without a header, ids that could clash, or fixed colours."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<style.*?</style>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    prefix = sha256(text.encode()).hexdigest()[:8]
    text = re.sub(r'(\sid="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    text = re.sub(r'\s(?:d|x|y|transform)="[^"]*"', lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match[0]), text)
    text = re.sub(r"font-family:[^;\"]*;?\s*", "", text)
    text = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    width = float(box[1]) if box else PANEL_WIDTH * POINT
    head = (
        f'<svg role="img" aria-label="{_attribute(alt_text)}" style="--width: {width:.0f}px" {box[0] if box else ""}>'
    )
    return re.sub(r"^<svg[^>]*>", lambda _: head, text).strip()


def drawable_text(text: str, longest: int = 40) -> str:
    """Replace unprintable characters, and cut the middle out of a long text, since names often differ at the ends."""
    plain = "".join(letter if letter.isprintable() else "·" for letter in text) or "·"
    if len(plain) <= longest:
        return plain
    tail = (longest - 1) // 2
    return f"{plain[: longest - 1 - tail]}…{plain[-tail:]}"


def heat_map(axes: Any, rows: list[list[float | None]], highest: float, *, places: int | None = 2) -> None:
    """Draw cells with a stronger colour for higher values. The value is written with `places` decimals (None: not)."""
    patches = require("matplotlib.patches", extra="plots", why="a report")
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            if value is None:
                continue
            opacity = min(1.0, max(0.0, value / highest)) if highest > 0 else 0.0
            cell = patches.Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=HEAT, alpha=round(opacity, 3))
            cell.set_edgecolor("none")
            axes.add_patch(cell)
            if places is not None:
                axes.text(x, y, f"{value:.{places}f}", ha="center", va="center", fontsize=9)
    axes.set_xlim(-0.5, max((len(row) for row in rows), default=1) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def frame_cell(axes: Any, column: int, row: int) -> None:
    """Draw a frame around one cell of a heat map."""
    patches = require("matplotlib.patches", extra="plots", why="a report")
    corner = (column - 0.48, row - 0.48)
    axes.add_patch(patches.Rectangle(corner, 0.96, 0.96, fill=False, edgecolor=INK, linewidth=1.4))


def column_labels(axes: Any, names: Sequence[str]) -> None:
    """Write names above the columns of a heat map, slanted so that long ones fit."""
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")


def legend_below(axes: Any, height: float, *, x_label: bool = True) -> None:
    """Put the legend below the axes of a panel (height in inches), clear of the tick labels and the axis label."""
    offset = (0.48 if x_label else 0.3) / (0.77 * height)
    axes.legend(loc="upper left", bbox_to_anchor=(-0.02, -offset), borderaxespad=0, handlelength=1.4)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
