"""What similarities look like: twins before and after, DEMETR's drops, the tokens of late interaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from litotes.report.drawing import Drawing, View
from litotes.report.published import published
from litotes.report.reading import Evidence
from litotes.report.svg import SERIES, WIDE, canvas, clean, frame, head, heat, legend_below
from litotes.report.tables import cells
from litotes.types import Maxsim

BINS = 30
RATIO, OVER = "ratio", "ratio over unrelated"
PERTURBATION = "perturbation: "
UNRELATED = f"{PERTURBATION}base_unrelated_trans"
TOKENS = 80
"""document tokens drawn at most"""


def twins(evidence: Evidence, view: View) -> Drawing:
    """Histograms of the similarity of a text and its negation: the base, and over it each other model."""
    title = "Twins: a text and its negation, before and after"
    within = evidence.cosines
    if not within:
        reason = 'No similarities of twins here: litotes bench --suite series, or a twins.json {"model", "cosines"}'
        return Drawing("twins", title, reason=reason)
    models = view.before_and_after(within)
    base = models[0]
    low, high = min(map(min, within.values())), max(map(max, within.values()))
    width = max(high - low, 0.01) / BINS
    edges = [low + width * number for number in range(BINS + 1)]
    panels = tuple(_histogram(within, base, model, edges, view) for model in models[1:] or [base])
    medians = ", ".join(f"{view.labels[model]} {median(within[model]):.2f} ({len(within[model])})" for model in models)
    left_out = ", ".join(view.labels[model] for model in evidence.twins if model not in within)
    caption = (
        "How similar a model finds a text and its negation: further left hears the negation better. Dashed lines are "
        f"the medians (how many twins): {medians}."
        + (f" Not drawn, since their scores are no cosines: {left_out}." if left_out else "")
    )
    return Drawing("twins", title, caption, panels)


def _histogram(those: Mapping[str, Sequence[float]], base: str, model: str, edges: Sequence[float], view: View) -> str:
    with canvas(WIDE, 2.7, says=f"Similarities of twins: {view.labels[base]} and {view.labels[model]}") as sheet:
        for number, name in enumerate(dict.fromkeys((base, model))):
            label, colour = clean(view.labels[name], 32) + view.when(name, those), SERIES[1 - number]
            weights = [100 / len(those[name])] * len(those[name])
            sheet.axes.hist(
                those[name],
                bins=list(edges),
                weights=weights,
                histtype="stepfilled",
                color=colour,
                alpha=0.45,
                label=label,
            )
            sheet.axes.axvline(median(those[name]), color=colour, linestyle="--", linewidth=1.4)
        sheet.axes.set_xlabel("similarity of a text and its negation")
        sheet.axes.set_ylabel("% of the twins")
        legend_below(sheet.axes, 2.7)
    return sheet.svg


def demetr(evidence: Evidence, view: View) -> Drawing:
    """Perturbations down, models across, the papers' systems last."""
    title = "DEMETR: how far a damaged translation falls"
    there = cells(evidence.scores)
    columns = [column for _, column in there if column.task == "demetr" and column.slice.startswith(PERTURBATION)]
    splits = list(dict.fromkeys(column.split for column in columns))
    if not splits:
        return Drawing("demetr", title, reason="DEMETR was not measured: litotes bench --suite demetr --data DIR")
    panels = []
    for split in splits:
        for measure, said in ((RATIO, "over the drop to an empty text"), (OVER, "over the drop to an unrelated one")):
            values = {
                view.labels[model]: {
                    column.slice: cell.value
                    for (owner, column), cell in there.items()
                    if owner == model and (column.task, column.split, column.measure) == ("demetr", split, measure)
                }
                for model in evidence.models
            }
            values = {name: those for name, those in values.items() if those}
            if values:
                panels.append(_drops(values | _published_drops(measure), f"{said} ({split})"))
    caption = (
        "The drop of a model's score when a translation is damaged, over the drop to an empty text, and over the drop "
        "to an unrelated text, which a model that likes empty texts cannot inflate. Meaning is in the critical rows. "
        "Columns with * are published (the CANNOT paper, Figure 4); their second ratio is the printed one over the "
        "printed one of base_unrelated_trans."
    )
    return Drawing("demetr", title, caption, tuple(panels))


def _published_drops(measure: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for one in published():
        if one.task == "demetr":
            found.setdefault(f"{one.system} *", {})[one.slice] = one.value
    if measure == RATIO:
        return found
    return {
        name: {slice_: value / those[UNRELATED] for slice_, value in those.items()} for name, those in found.items()
    }


def _drops(values: Mapping[str, Mapping[str, float]], said: str) -> str:
    order = {"base": 3, "critical": 0, "major": 1, "minor": 2}
    slices = dict.fromkeys(slice_ for those in values.values() for slice_ in those)
    names = sorted(
        (slice_.removeprefix(PERTURBATION) for slice_ in slices),
        key=lambda name: (order.get(name.split("_")[0], 4), name),
    )
    rows = [[those.get(f"{PERTURBATION}{name}") for those in values.values()] for name in names]
    with canvas(1.6 + 0.38 * len(values), 0.22 * len(names) + 1.2, says=f"DEMETR, {said}") as sheet:
        heat(sheet.axes, rows, 1.0)
        sheet.axes.set_yticks(range(len(names)), [clean(name.replace("_", " ")) for name in names])
        head(sheet.axes, [clean(name, 28) for name in values])
        sheet.axes.set_title(said, pad=10)
    return sheet.svg


def maxsim(evidence: Evidence, view: View, pairs: Sequence[str] = ()) -> Drawing:
    """Tokens of a query across, of a document down; for each chosen pair a panel a model, the base first."""
    title = "MaxSim: which token answers which, before and after"
    known = list(dict.fromkeys(one.pair for one in evidence.maxsims))
    if not known:
        reason = "No token similarities of a late model here: litotes bench late:… --maxsim QUERY DOCUMENT"
        return Drawing("maxsim", title, reason=reason)
    drawn = list(dict.fromkeys(pairs)) or known[:1]
    panels, cut = [], False
    for number, pair in enumerate(drawn, start=1):
        those = {one.model: one for one in evidence.maxsims if one.pair == pair}
        most = max(max(map(max, one.matrix)) for one in those.values())
        for model in view.before_and_after(those):
            which = f"{number}. " if len(drawn) > 1 else ""
            name = f"{which}{clean(view.labels[model], 32)}{view.when(model, those)}"
            panels.append(_tokens(those[model], most, name))
            cut = cut or len(those[model].document_tokens) > TOKENS
    others = [pair for pair in known if pair not in drawn]
    caption = (
        "A query's tokens across, a document's down. The stronger a cell, the more similar two tokens (blank: 0 or "
        "less); framed is each query token's best match, and the sum of those, above, is the score. "
        f"Drawn: {_quoted(drawn, numbered=len(drawn) > 1)}."
        + (f" Of long documents {TOKENS} tokens are drawn, every best match among them." if cut else "")
        + (f" Other pairs, for --pair: {_quoted(others)}." if others else "")
    )
    return Drawing("maxsim", title, caption, tuple(panels))


def _quoted(pairs: Sequence[str], *, numbered: bool = False) -> str:
    # they are texts, with commas of their own
    return ", ".join(f"{number}. “{pair}”" if numbered else f"“{pair}”" for number, pair in enumerate(pairs, start=1))


def _tokens(one: Maxsim, most: float, name: str) -> str:
    best = [max(range(len(row)), key=row.__getitem__) for row in one.matrix]
    shown = _shown(len(one.document_tokens), set(best))
    rows: list[list[float | None]] = [[row[at] for row in one.matrix] for at in shown]
    width, height = 0.9 + 0.27 * len(one.query_tokens), 0.19 * len(shown) + 1.1
    with canvas(width, height, says=f"Token similarities of {name}: {one.pair}") as sheet:
        heat(sheet.axes, rows, most, digits=None)
        for column, at in enumerate(best):
            frame(sheet.axes, column, shown.index(at))
        sheet.axes.set_yticks(range(len(shown)), [clean(one.document_tokens[at], 18) for at in shown])
        head(sheet.axes, [clean(token, 18) for token in one.query_tokens])
        sheet.axes.set_title(f"{name}: {one.score:.2f}", pad=10)
    return sheet.svg


def _shown(length: int, best: set[int]) -> list[int]:
    """Which document tokens are drawn: the best matches, and of the others the first."""
    others = [at for at in range(length) if at not in best]
    return sorted([*best, *others[: max(0, TOKENS - len(best))]])
