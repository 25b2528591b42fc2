"""A drawing as inline SVG in the page's own colours: transparent, text as text, so that it reads in light and dark."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import StringIO
from typing import TYPE_CHECKING, Any

from litotes.errors import require
from litotes.report.plots import ACCENT, INK, SECOND

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SERIES = (ACCENT, SECOND, "#3a8f5c", "#8a5aa8", "#c0504d", "#6b7a86")
HEAT = "#123456"
"""stands for the page's heat colour; a cell's strength is its opacity"""
MARKERS = "osD^vP"
# What is drawn in these colours takes the page's, which change with the scheme.
VARIABLES = {INK: "currentColor", HEAT: "var(--heat)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, start=1)
}
POINT = 72
WIDE = 4.6
"""inches: what a phone shows without scrolling"""
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "litotes",
    "text.parse_math": False,  # a token may be a dollar sign
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
    """What a panel is drawn on; `svg` is there once the drawing is done."""

    def __init__(self, figure: Figure, axes: Axes) -> None:
        self.figure, self.axes = figure, axes
        self.svg = ""


@contextmanager
def canvas(width: float, height: float, *, says: str) -> Iterator[Canvas]:
    """A panel of so many inches; `says` is what a screen reader reads out."""
    matplotlib = require("matplotlib", extra="plots", why="a report")
    drawing = require("matplotlib.figure", extra="plots", why="a report")
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # the reader's fonts draw the text, not ours
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = drawing.Figure(figsize=(width, height), dpi=POINT)
        open_canvas = Canvas(figure, figure.subplots())
        yield open_canvas
        stream = StringIO()
        figure.savefig(
            stream, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.04, metadata={"Date": None}
        )
    open_canvas.svg = inline(stream.getvalue(), says)


def inline(text: str, says: str) -> str:
    """A matplotlib SVG, fit to stand in the page: no header, no ids that could meet another's, no fixed colours."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<style.*?</style>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    own = sha256(text.encode()).hexdigest()[:8]
    text = re.sub(r'(\sid="|url\(#|href="#)', rf"\g<1>{own}-", text)
    text = re.sub(r'\s(?:d|x|y|transform)="[^"]*"', lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), text)
    text = re.sub(r"font-family:[^;\"]*;?\s*", "", text)
    text = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    width = float(box[1]) if box else WIDE * POINT
    head = f'<svg role="img" aria-label="{_attribute(says)}" style="--width: {width:.0f}px" {box[0] if box else ""}>'
    return re.sub(r"^<svg[^>]*>", lambda _: head, text).strip()


def clean(text: str, longest: int = 40) -> str:
    """A name or a token that can be drawn: nothing unprintable; of an over-long one the ends, where names differ."""
    plain = "".join(letter if letter.isprintable() else "·" for letter in text) or "·"
    if len(plain) <= longest:
        return plain
    tail = (longest - 1) // 2
    return f"{plain[: longest - 1 - tail]}…{plain[-tail:]}"


def heat(axes: Any, rows: list[list[float | None]], most: float, *, digits: int | None = 2) -> None:
    """Cells as strong as their number is large, and the number in them; none where there is none."""
    patches = require("matplotlib.patches", extra="plots", why="a report")
    for down, row in enumerate(rows):
        for across, value in enumerate(row):
            if value is None:
                continue
            strength = min(1.0, max(0.0, value / most)) if most > 0 else 0.0
            cell = patches.Rectangle((across - 0.48, down - 0.48), 0.96, 0.96, facecolor=HEAT, alpha=round(strength, 3))
            cell.set_edgecolor("none")
            axes.add_patch(cell)
            if digits is not None:
                axes.text(across, down, f"{value:.{digits}f}", ha="center", va="center", fontsize=9)
    axes.set_xlim(-0.5, max((len(row) for row in rows), default=1) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def frame(axes: Any, across: int, down: int) -> None:
    """A line round one cell of a heat map."""
    patches = require("matplotlib.patches", extra="plots", why="a report")
    corner = (across - 0.48, down - 0.48)
    axes.add_patch(patches.Rectangle(corner, 0.96, 0.96, fill=False, edgecolor=INK, linewidth=1.4))


def head(axes: Any, names: Sequence[str]) -> None:
    """Names over the columns of a heat map, slanted so that long ones fit."""
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")


def legend_below(axes: Any, height: float, *, x_name: bool = True) -> None:
    """The legend under the axes of a panel so many inches high, clear of the axis' numbers and its name."""
    down = (0.48 if x_name else 0.3) / (0.77 * height)
    axes.legend(loc="upper left", bbox_to_anchor=(-0.02, -down), borderaxespad=0, handlelength=1.4)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
