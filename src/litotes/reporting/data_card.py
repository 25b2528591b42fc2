"""Write the card of a synthesised data set: a README.md with plots that people and `datasets` can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from litotes.reporting import plots

MAX_BARS = 15
"""How many bars a plot has at most."""
DESCRIPTIONS = {
    "triples": "an anchor, a text that says the same or a weaker form of it, and a text that contradicts it",
    "contrasts": "two queries and two documents: doc1 answers q1, and doc2 answers q2",
    "pairs": "two texts, with the label 1 if they mean the same and 0 if they contradict each other",
    "quadruples": "two texts that state something and two that contradict it; counting cues would pair the wrong texts",
    "instructions": "chat messages that ask whether two sentences have opposite meanings, with the answer",
}
MISUSE = """## Misuse

A tool that negates claims can be used to falsify them. State where negated text comes from. Do not attribute it to
anyone. Keep it out of corpora that are read as facts: every negative here contradicts its anchor by construction.
"""


def data_card(manifest: Mapping[str, Any], folder: Path) -> Path:
    """Write the card of a run into the folder of its data, with plots if matplotlib is installed."""
    plots_made = _plots(manifest, folder) if find_spec("matplotlib") is not None else []
    path = folder / "README.md"
    path.write_text("\n".join([*_header(manifest), *_body(manifest, plots_made), MISUSE]), encoding="utf-8")
    return path


def _header(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield the front matter that `datasets.load_dataset(folder, make)` reads."""
    suffix = manifest["config"]["format"]
    yield "---"
    yield "language: en"
    yield "configs:"
    for make in manifest["made"]:
        yield f"- config_name: {make}"
        yield f"  data_files: {make}.{suffix}"
    yield "---"


def _body(manifest: Mapping[str, Any], plots_made: list[tuple[str, str]]) -> Iterator[str]:
    config, versions = manifest["config"], manifest["versions"]
    yield "# Negated and hedged text, made by litotes\n"
    made = ", ".join(f"{counts['kept']:,} {make}" for make, counts in manifest["made"].items())
    yield f"{made} from {manifest['anchors']:,} anchors of {', '.join(f'`{name}`' for name in config['sources'])}.\n"
    yield f"Made by {config['generator']} with seed {config['seed']}, " + ", ".join(
        f"{name} {number}" for name, number in versions.items()
    )
    yield "(`manifest.json` has the full configuration, the counts and the sha256 of every file).\n"
    for make, counts in manifest["made"].items():
        yield from _section(make, counts)
    for title, name in plots_made:
        yield f"![{title}]({name})\n"
    if manifest["not taken"]:
        yield "## Skipped anchors\n"
        yield from _table(("reason", "anchors"), manifest["not taken"])


def _section(make: str, counts: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {make}\n"
    yield f"{DESCRIPTIONS[make][0].upper()}{DESCRIPTIONS[make][1:]}.\n"
    for name in ("by negative kind", "by positive kind", "by kind", "by style", "by label"):
        if counts.get(name):
            yield from _table((name.removeprefix("by "), make, "%"), counts[name], share=True)
    if counts.get("lengths"):
        yield "| text | mean words | median | 95% | longest |\n|---|---|---|---|---|"
        for name, lengths in counts["lengths"].items():
            if lengths["texts"]:
                cells = (lengths["mean"], lengths["median"], lengths["95%"], lengths["longest"])
                yield f"| {name} | " + " | ".join(str(cell) for cell in cells) + " |"
        yield ""
    if "cue counting" in counts:
        counting = counts["cue counting"]
        yield "A baseline that sees only the negation cues of each text and their number tells the positive from"
        yield f"the negative in {_percent(counting['accuracy'])} of the triples;"
        yield f"it cannot solve {_percent(counting['unsolved'])}.\n"
    if counts["dropped"]:
        yield "Dropped, by kind and reason:\n"
        dropped = {f"{kind}: {why}": n for kind, reasons in counts["dropped"].items() for why, n in reasons.items()}
        yield from _table(("kind and reason", "count"), dropped)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _table(names: tuple[str, ...], counts: Mapping[str, int], *, share: bool = False) -> Iterator[str]:
    total = sum(counts.values())
    yield "| " + " | ".join(names) + " |\n|" + "---|" * len(names)
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        cells = [name or "(none)", f"{count:,}", *([f"{100 * count / total:.1f}"] if share else [])]
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _plots(manifest: Mapping[str, Any], folder: Path) -> list[tuple[str, str]]:
    """Draw the plots of each type of data, and return their titles and paths within the folder."""
    drawn: list[tuple[str, str]] = []
    for make, counts in manifest["made"].items():
        for name, title in (
            ("by negative kind", "negatives by kind"),
            ("by positive kind", "positives by kind"),
            ("by kind", "by kind"),
            ("by negative cue", "most common cues of the negatives"),
        ):
            top = dict(list(counts.get(name, {}).items())[:MAX_BARS])
            if top:
                total = max(1, counts["kept"])
                shares = {cue or "(none)": 100 * count / total for cue, count in top.items()}
                path = folder / "figures" / f"{make}_{name.removeprefix('by ').replace(' ', '_')}.png"
                plots.bars({make: shares}, path, title=f"{make}: {title}", measured=f"% of the {make}")
                drawn.append((f"{make}: {title}", f"figures/{path.name}"))
        for name, measured in (("distances", "characters between anchor and negative"), ("words", "words")):
            values_by_text = counts.get(name) or {}
            series = {name: values_by_text} if name == "distances" else values_by_text
            numbers = {
                label: {int(value): count for value, count in values.items()}
                for label, values in series.items()
                if values
            }
            if numbers:
                path = folder / "figures" / f"{make}_{name}.png"
                plots.step_lines(numbers, path, title=f"{make}: {measured}", measured=measured)
                drawn.append((f"{make}: {measured}", f"figures/{path.name}"))
    return drawn
