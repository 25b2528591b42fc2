"""Turn results into one self-contained HTML page, and its tables into Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.errors import InputError, did_you_mean, require
from litotes.reporting.exclusions import exclusions_figure
from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.labels import short_names
from litotes.reporting.markdown import markdown_report
from litotes.reporting.negation_kinds import errors_figure, intervals_figure, kinds_figure
from litotes.reporting.published_results import PAPERS
from litotes.reporting.report_data import ReportData, read_folders
from litotes.reporting.similarity import demetr_figure, maxsim_figure, minimal_pairs_figure
from litotes.reporting.subject_tables import subject_leaderboards
from litotes.reporting.sweeps import sweeps_figure
from litotes.reporting.tables import Leaderboard, decimals, leaderboards
from litotes.reporting.tradeoff import tradeoff_figure
from litotes.reporting.training_curves import curves_figure

TEMPLATE, STYLE = "page.html", "page.css"
ReportProgress = Callable[[str, int, int], None]
"""Called with the title of the last figure, the number of figures done, and the total."""


@dataclass(frozen=True, slots=True)
class Report:
    """The page, its tables as Markdown, and which figures it has."""

    html: str
    markdown: str
    drawn: tuple[str, ...]
    """The ids of the figures on the page."""
    missing: dict[str, str]
    """Per missing figure: the reason, and the command that measures what it needs."""


def report(
    folders: Sequence[Path],
    *,
    base: str = "",
    pairs: Sequence[str] = (),
    progress: ReportProgress | None = None,
) -> Report:
    """Make a report on folders that `litotes bench` and training runs wrote.

    Args:
        folders: The folders to read.
        base: The model before training, with which the others are compared. If omitted, the first model is used, and
            no model is called "before" or "after".
        pairs: The pairs of maxsim.json to draw. The default is the first one.
        progress: Called after each figure.
    """
    data = read_folders(folders)
    comparison = _comparison(data, base, pairs)
    tables = [*leaderboards(data, comparison.labels), *subject_leaderboards(data, comparison.labels)]
    compared = (tradeoff_figure, kinds_figure, intervals_figure, errors_figure, minimal_pairs_figure, demetr_figure)
    steps: list[Callable[[], ReportFigure]] = [
        *(partial(draw, data, comparison) for draw in compared),
        partial(maxsim_figure, data, comparison, pairs),
        partial(curves_figure, data),
        *([partial(sweeps_figure, data)] if data.sweeps else []),
        *([partial(exclusions_figure, data)] if data.exclusions else []),
    ]
    figures = []
    for number, draw in enumerate(steps, start=1):
        figures.append(draw())
        if progress:
            progress(figures[-1].title, number, len(steps))
    return Report(
        _html(data, comparison, tables, figures),
        markdown_report(data, comparison, tables, figures),
        tuple(figure.id for figure in figures if figure.panels),
        {figure.id: figure.reason for figure in figures if not figure.panels},
    )


def _comparison(data: ReportData, base: str, pairs: Sequence[str]) -> ModelComparison:
    models = data.models
    if base and base not in models:
        hint = did_you_mean(base, models)
        raise InputError(f"there is no model {base!r} in the results; expected one of {_quoted(models)}.{hint}")
    known_pairs = dict.fromkeys(maxsim.pair for maxsim in data.maxsims)
    for pair in pairs:
        if pair not in known_pairs:
            raise InputError(f"there is no pair {pair!r} in maxsim.json; expected one of {_quoted(known_pairs)}")
    return ModelComparison(short_names(models), base or next(iter(models), ""), base_is_named=bool(base))


def _html(
    data: ReportData, comparison: ModelComparison, tables: Sequence[Leaderboard], figures: Sequence[ReportFigure]
) -> str:
    jinja = require("jinja2", extra="bench", why="a report")
    package = files("litotes.reporting")
    environment = jinja.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja.StrictUndefined
    )
    environment.globals["decimals"] = decimals
    template = environment.from_string(package.joinpath(TEMPLATE).read_text(encoding="utf-8"))
    values: dict[str, Any] = {
        "style": package.joinpath(STYLE).read_text(encoding="utf-8"),
        "data": data,
        "comparison": comparison,
        "tables": tables,
        "figures": figures,
        "papers": PAPERS,
        "signatures": dict.fromkeys((score.model, score.task, score.split, score.signature) for score in data.scores),
    }
    html: str = template.render(**values)
    return html


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "(the folders contain none)"
