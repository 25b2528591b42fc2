"""Write plots to files: bars, histograms, a confusion matrix. They share one style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, ACCENT, SECOND = "#22313f", "#2a6f97", "#d98e04"
FORMATS = (".png", ".svg", ".pdf")


def bars(
    shares: Mapping[str, Mapping[str, float]], path: Path, *, title: str, measured: str = "% of contrasts"
) -> None:
    """Draw grouped horizontal bars. Each series maps names to percentages; the first series is on top."""
    names = list(dict.fromkeys(name for series in shares.values() for name in series))
    figure, axes = _canvas(7.5, 0.34 * len(names) * max(1, len(shares)) + 1.4)
    height = 0.8 / max(1, len(shares))
    for number, (label, series) in enumerate(shares.items()):
        positions = [row + number * height for row in range(len(names))]
        values = [series.get(name, 0.0) for name in names]
        rectangles = axes.barh(
            positions, values, height=height * 0.92, color=(ACCENT, SECOND, INK)[number % 3], label=label
        )
        axes.bar_label(rectangles, labels=[f"{value:.0f}" if value else "" for value in values], padding=3, fontsize=8)
    axes.set_yticks([row + height * (len(shares) - 1) / 2 for row in range(len(names))], names)
    axes.invert_yaxis()
    axes.set_xlabel(measured)
    axes.margins(x=0.08)
    if len(shares) > 1:
        axes.legend(frameon=False, fontsize=9, loc="lower right")
    _save(figure, axes, path, title)


def step_lines(counts: Mapping[str, Mapping[int, int]], path: Path, *, title: str, measured: str) -> None:
    """Draw how often each value occurs, as one stepped line per series."""
    figure, axes = _canvas(7.5, 3.4)
    for number, (label, series) in enumerate(counts.items()):
        x = sorted(series)
        colour = (ACCENT, SECOND, INK)[number % 3]
        axes.step(x, [series[value] for value in x], where="mid", color=colour, label=label)
        axes.fill_between(x, [series[value] for value in x], step="mid", color=colour, alpha=0.12)
    axes.set_xlabel(measured)
    axes.set_ylabel("count")
    axes.set_ylim(bottom=0)
    if len(counts) > 1:
        axes.legend(frameon=False, fontsize=9)
    _save(figure, axes, path, title)


def histograms(
    counts: Mapping[str, Sequence[int]], path: Path, *, title: str, max_bars: int = 25, across: int = 3
) -> None:
    """Draw one small histogram per series, `across` of them per row, each with at most `max_bars` bars."""
    matplotlib = require("matplotlib", extra="plots", why="a plot")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "litotes"
    plt = require("matplotlib.pyplot", extra="plots", why="a plot")
    rows = -(-len(counts) // across)
    across = min(across, len(counts))
    figure, grid = plt.subplots(rows, across, figsize=(3.9 * across, 3.0 * rows), squeeze=False)
    for axes, (label, values) in zip(grid.flat, counts.items(), strict=False):
        low, high = min(values, default=0), max(values, default=0)
        step = max(1, -(-(high - low + 1) // max_bars))
        tally = Counter((value - low) // step for value in values)
        axes.bar([low + step * bin_ for bin_ in tally], list(tally.values()), width=0.85 * step, color=ACCENT)
        axes.set_xlabel(label)
        axes.set_ylabel("count")
        axes.xaxis.get_major_locator().set_params(integer=True)
        _tidy(axes)
    for axes in list(grid.flat)[len(counts) :]:
        axes.set_visible(False)
    figure.suptitle(title, color=INK, fontsize=12)
    figure.tight_layout()
    _write(figure, path)


def confusion_matrix(counts: Sequence[Sequence[int]], names: Sequence[str], path: Path, *, title: str) -> None:
    """Draw a confusion matrix of counts: a row per expected kind, a column per detected kind."""
    size = 0.52 * len(names) + 2.6
    figure, axes = _canvas(size, size - 0.4)
    most = max((max(row, default=0) for row in counts), default=0) or 1
    axes.imshow([[value / most for value in row] for row in counts], cmap="Blues", vmin=0, vmax=1)
    for down, row in enumerate(counts):
        for across, value in enumerate(row):
            if value:
                shade = "white" if value > 0.6 * most else INK
                axes.text(across, down, str(value), ha="center", va="center", color=shade, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("detected")
    axes.set_ylabel("expected")
    _save(figure, axes, path, title)


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    matplotlib = require("matplotlib", extra="plots", why="a plot")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "litotes"
    plt = require("matplotlib.pyplot", extra="plots", why="a plot")
    figure, axes = plt.subplots(figsize=(width, height))
    return figure, axes


def _tidy(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)
    axes.set_axisbelow(True)


def _save(figure: Figure, axes: Axes, path: Path, title: str) -> None:
    _tidy(axes)
    axes.set_title(title, color=INK, fontsize=12, loc="left")
    _write(figure, path)


def check_plot_path(path: Path) -> None:
    """Raise InputError unless the file has the suffix of an image format."""
    if path.suffix not in FORMATS:
        kind = f"as {path.suffix}" if path.suffix else "without a suffix"
        raise InputError(
            f"{path}: a plot cannot be written {kind}; expected a name that ends with {', '.join(FORMATS)}"
        )


def _write(figure: Figure, path: Path) -> None:
    plt = require("matplotlib.pyplot", extra="plots", why="a plot")
    check_plot_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without a date, the same values give the same bytes.
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    figure.savefig(path, bbox_inches="tight", dpi=144, metadata=metadata)
    plt.close(figure)
