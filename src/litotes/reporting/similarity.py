"""Draw similarities: of minimal pairs, of DEMETR's damaged translations, and of tokens in late interaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.published_results import read_published_results
from litotes.reporting.report_data import ReportData
from litotes.reporting.svg import (
    PANEL_WIDTH,
    SERIES_COLOURS,
    canvas,
    column_labels,
    drawable_text,
    frame_cell,
    heat_map,
    legend_below,
)
from litotes.reporting.tables import cells_by_column
from litotes.types import Maxsim

BINS = 30
HISTOGRAM_HEIGHT = 2.7
RATIO, RATIO_OVER_UNRELATED = "ratio", "ratio over unrelated"
PERTURBATION = "perturbation: "
UNRELATED = f"{PERTURBATION}base_unrelated_trans"
SEVERITIES = ("critical", "major", "minor", "base")
"""The first word of a perturbation's name, in the order of the rows."""
MAX_TOKENS = 80
"""How many tokens of a document are drawn."""


def minimal_pairs_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw histograms of the similarity of a text and its negation: each model over the base."""
    title = "Minimal pairs: a text and its negation, before and after"
    cosines = data.cosines
    if not cosines:
        reason = (
            "No similarities of minimal pairs. Run: litotes bench --suite series, or write a minimal_pairs.json "
            '{"model", "cosines"}'
        )
        return ReportFigure("minimal-pairs", title, reason=reason)
    models = comparison.base_first(cosines)
    base = models[0]
    low, high = min(map(min, cosines.values())), max(map(max, cosines.values()))
    width = max(high - low, 0.01) / BINS
    edges = [low + width * number for number in range(BINS + 1)]
    panels = tuple(_histogram(cosines, base, model, edges, comparison) for model in models[1:] or [base])
    medians = ", ".join(
        f"{comparison.labels[model]} {median(cosines[model]):.2f} ({len(cosines[model])})" for model in models
    )
    not_drawn = ", ".join(comparison.labels[model] for model in data.minimal_pairs if model not in cosines)
    caption = (
        "The similarity that a model gives to a text and its negation. Lower (further left) is better. Dashed lines "
        f"are the medians (with the number of minimal pairs): {medians}."
        + (f" Not drawn, because their scores are not cosines: {not_drawn}." if not_drawn else "")
    )
    return ReportFigure("minimal-pairs", title, caption, panels)


def _histogram(
    cosines: Mapping[str, Sequence[float]], base: str, model: str, edges: Sequence[float], comparison: ModelComparison
) -> str:
    alt_text = f"Similarities of minimal pairs: {comparison.labels[base]} and {comparison.labels[model]}"
    with canvas(PANEL_WIDTH, HISTOGRAM_HEIGHT, alt_text=alt_text) as panel:
        for number, name in enumerate(dict.fromkeys((base, model))):
            colour = SERIES_COLOURS[1 - number]
            panel.axes.hist(
                cosines[name],
                bins=list(edges),
                weights=[100 / len(cosines[name])] * len(cosines[name]),
                histtype="stepfilled",
                color=colour,
                alpha=0.45,
                label=drawable_text(comparison.labels[name], 32) + comparison.stage(name, cosines),
            )
            panel.axes.axvline(median(cosines[name]), color=colour, linestyle="--", linewidth=1.4)
        panel.axes.set_xlabel("similarity of a text and its negation")
        panel.axes.set_ylabel("% of the minimal pairs")
        legend_below(panel.axes, HISTOGRAM_HEIGHT)
    return panel.svg


def demetr_figure(data: ReportData, comparison: ModelComparison) -> ReportFigure:
    """Draw heat maps with a row per perturbation and a column per model, the published systems last."""
    title = "DEMETR: how much the score of a damaged translation drops"
    cells = cells_by_column(data.scores)
    columns = [column for _, column in cells if column.task == "demetr" and column.slice.startswith(PERTURBATION)]
    splits = list(dict.fromkeys(column.split for column in columns))
    if not splits:
        reason = "DEMETR was not measured. Run: litotes bench --suite demetr --data DIR"
        return ReportFigure("demetr", title, reason=reason)
    panels = []
    for split in splits:
        for measure, panel_title in (
            (RATIO, "relative to an empty text"),
            (RATIO_OVER_UNRELATED, "relative to an unrelated text"),
        ):
            drops = {
                comparison.labels[model]: {
                    column.slice: cell.value
                    for (owner, column), cell in cells.items()
                    if owner == model and (column.task, column.split, column.measure) == ("demetr", split, measure)
                }
                for model in data.models
            }
            drops = {name: by_perturbation for name, by_perturbation in drops.items() if by_perturbation}
            if drops:
                panels.append(_drops_panel(drops | _published_drops(measure), f"{panel_title} ({split})"))
    caption = (
        "How much a model's score drops when a translation is damaged. On the left, the drop is divided by the drop "
        "for an empty text; on the right, by the drop for an unrelated text, which does not favour models that give "
        "empty texts high scores. The critical rows change the meaning. Columns with * are published (the CANNOT "
        "paper, Figure 4). The paper prints the first ratio; the second one is the printed ratio divided by the "
        "printed ratio of base_unrelated_trans."
    )
    return ReportFigure("demetr", title, caption, tuple(panels))


def _published_drops(measure: str) -> dict[str, dict[str, float]]:
    """Return the ratios of each published system by perturbation."""
    ratios: dict[str, dict[str, float]] = {}
    for result in read_published_results():
        if result.task == "demetr":
            ratios.setdefault(f"{result.system} *", {})[result.slice] = result.value
    if measure == RATIO:
        return ratios
    return {
        system: {perturbation: ratio / by_perturbation[UNRELATED] for perturbation, ratio in by_perturbation.items()}
        for system, by_perturbation in ratios.items()
    }


def _drops_panel(drops: Mapping[str, Mapping[str, float]], title: str) -> str:
    slices = dict.fromkeys(slice_ for by_perturbation in drops.values() for slice_ in by_perturbation)
    names = sorted((slice_.removeprefix(PERTURBATION) for slice_ in slices), key=_severity)
    rows = [[by_perturbation.get(f"{PERTURBATION}{name}") for by_perturbation in drops.values()] for name in names]
    with canvas(1.6 + 0.38 * len(drops), 0.22 * len(names) + 1.2, alt_text=f"DEMETR, {title}") as panel:
        heat_map(panel.axes, rows, 1.0)
        panel.axes.set_yticks(range(len(names)), [drawable_text(name.replace("_", " ")) for name in names])
        column_labels(panel.axes, [drawable_text(name, 28) for name in drops])
        panel.axes.set_title(title, pad=10)
    return panel.svg


def _severity(perturbation: str) -> tuple[int, str]:
    severity = perturbation.split("_", maxsplit=1)[0]
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES), perturbation


def maxsim_figure(data: ReportData, comparison: ModelComparison, pairs: Sequence[str] = ()) -> ReportFigure:
    """Draw the token similarities of each chosen pair: one panel per model, the base first."""
    title = "MaxSim: which tokens match, before and after"
    known_pairs = list(dict.fromkeys(maxsim.pair for maxsim in data.maxsims))
    if not known_pairs:
        reason = "No token similarities of a late-interaction model. Run: litotes bench late:… --maxsim QUERY DOCUMENT"
        return ReportFigure("maxsim", title, reason=reason)
    drawn = list(dict.fromkeys(pairs)) or known_pairs[:1]
    panels, truncated = [], False
    for number, pair in enumerate(drawn, start=1):
        by_model = {maxsim.model: maxsim for maxsim in data.maxsims if maxsim.pair == pair}
        highest = max(max(map(max, maxsim.matrix)) for maxsim in by_model.values())
        for model in comparison.base_first(by_model):
            prefix = f"{number}. " if len(drawn) > 1 else ""
            name = f"{prefix}{drawable_text(comparison.labels[model], 32)}{comparison.stage(model, by_model)}"
            panels.append(_token_panel(by_model[model], highest, name))
            truncated = truncated or len(by_model[model].document_tokens) > MAX_TOKENS
    others = [pair for pair in known_pairs if pair not in drawn]
    caption = (
        "Each column is a query token, each row a document token. The stronger the colour of a cell, the more similar "
        "the two tokens (blank: 0 or less). The best match of each query token is framed; the sum of these "
        "is the score in the title. "
        f"Drawn: {_quoted(drawn, numbered=len(drawn) > 1)}."
        + (f" Long documents are cut to {MAX_TOKENS} tokens, which include every best match." if truncated else "")
        + (f" Other pairs, for --pair: {_quoted(others)}." if others else "")
    )
    return ReportFigure("maxsim", title, caption, tuple(panels))


def _quoted(pairs: Sequence[str], *, numbered: bool = False) -> str:
    # The names of pairs are texts, which may contain commas.
    return ", ".join(f"{number}. “{pair}”" if numbered else f"“{pair}”" for number, pair in enumerate(pairs, start=1))


def _token_panel(maxsim: Maxsim, highest: float, name: str) -> str:
    best = [max(range(len(row)), key=row.__getitem__) for row in maxsim.matrix]
    shown = _shown_tokens(len(maxsim.document_tokens), set(best))
    rows: list[list[float | None]] = [[row[index] for row in maxsim.matrix] for index in shown]
    width, height = 0.9 + 0.27 * len(maxsim.query_tokens), 0.19 * len(shown) + 1.1
    with canvas(width, height, alt_text=f"Token similarities of {name}: {maxsim.pair}") as panel:
        heat_map(panel.axes, rows, highest, places=None)
        for column, index in enumerate(best):
            frame_cell(panel.axes, column, shown.index(index))
        panel.axes.set_yticks(range(len(shown)), [drawable_text(maxsim.document_tokens[index], 18) for index in shown])
        column_labels(panel.axes, [drawable_text(token, 18) for token in maxsim.query_tokens])
        panel.axes.set_title(f"{name}: {maxsim.score:.2f}", pad=10)
    return panel.svg


def _shown_tokens(length: int, best: set[int]) -> list[int]:
    """Return the document tokens to draw: the best matches, and the first of the others."""
    others = [index for index in range(length) if index not in best]
    return sorted([*best, *others[: max(0, MAX_TOKENS - len(best))]])
