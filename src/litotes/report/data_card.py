"""The card of a synthesised data set: README.md in its folder, with plots, readable by people and by `datasets`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from litotes.report import plots

SHOWN = 15
WHAT = {
    "triples": "an anchor, a text that says the same or a weaker form of it, and one that denies it",
    "contrasts": "two queries and two documents: q1 belongs to doc1, q2 to doc2",
    "pairs": "two texts, label 1 when they say the same and 0 when they deny each other",
    "quadruples": "two ways to say a thing and two to deny it, in which the number of cues joins the wrong ones",
    "instructions": "chat messages that ask whether two sentences have opposite meanings, with the answer",
}
MISUSE = """## Misuse

A tool that negates claims can forge them. Say where negated text came from, do not publish it as anybody's words, and
keep it out of corpora that are read as fact: every negative here is false of its anchor by construction.
"""


def data_card(manifest: Mapping[str, Any], folder: Path) -> Path:
    """Write the card of a run beside its data; plots where matplotlib is installed."""
    drawn = _figures(manifest, folder) if find_spec("matplotlib") is not None else []
    path = folder / "README.md"
    path.write_text("\n".join([*_header(manifest), *_body(manifest, drawn), MISUSE]), encoding="utf-8")
    return path


def _header(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What `datasets.load_dataset(folder, make)` reads."""
    suffix = manifest["config"]["format"]
    yield "---"
    yield "language: en"
    yield "configs:"
    for make in manifest["made"]:
        yield f"- config_name: {make}"
        yield f"  data_files: {make}.{suffix}"
    yield "---"


def _body(manifest: Mapping[str, Any], drawn: list[tuple[str, str]]) -> Iterator[str]:
    config, versions = manifest["config"], manifest["versions"]
    yield "# Negated and hedged text, made by litotes\n"
    made = ", ".join(f"{one['kept']:,} {make}" for make, one in manifest["made"].items())
    yield f"{made} from {manifest['anchors']:,} anchors of {', '.join(f'`{name}`' for name in config['sources'])}.\n"
    yield f"Made by {config['generator']} with seed {config['seed']}, " + ", ".join(
        f"{name} {number}" for name, number in versions.items()
    )
    yield "(`manifest.json` has the whole configuration, the counts and the sha256 of every file).\n"
    for make, one in manifest["made"].items():
        yield from _make(make, one)
    for title, name in drawn:
        yield f"![{title}]({name})\n"
    if manifest["not taken"]:
        yield "## Anchors that were not taken\n"
        yield from _table(("reason", "anchors"), manifest["not taken"])


def _make(make: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {make}\n"
    yield f"{WHAT[make][0].upper()}{WHAT[make][1:]}.\n"
    for name in ("by negative kind", "by positive kind", "by kind", "by style", "by label"):
        if one.get(name):
            yield from _table((name.removeprefix("by "), make, "%"), one[name], share=True)
    if one.get("lengths"):
        yield "| text | mean words | median | 95% | longest |\n|---|---|---|---|---|"
        for name, figures in one["lengths"].items():
            if figures["texts"]:
                cells = (figures["mean"], figures["median"], figures["95%"], figures["longest"])
                yield f"| {name} | " + " | ".join(str(cell) for cell in cells) + " |"
        yield ""
    if "cue counting" in one:
        counting = one["cue counting"]
        yield "A baseline that sees only which and how many negation cues stand in each text tells the positive from"
        yield f"the negative in {_percent(counting['accuracy'])} of the triples;"
        yield f"{_percent(counting['beyond'])} are beyond it.\n"
    if one["dropped"]:
        yield "Dropped, by kind and reason:\n"
        dropped = {f"{kind}: {why}": n for kind, reasons in one["dropped"].items() for why, n in reasons.items()}
        yield from _table(("kind and reason", "how many"), dropped)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _table(names: tuple[str, ...], counts: Mapping[str, int], *, share: bool = False) -> Iterator[str]:
    total = sum(counts.values())
    yield "| " + " | ".join(names) + " |\n|" + "---|" * len(names)
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        cells = [name or "(none)", f"{count:,}", *([f"{100 * count / total:.1f}"] if share else [])]
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _figures(manifest: Mapping[str, Any], folder: Path) -> list[tuple[str, str]]:
    """The plots of the triples, else of whatever has kinds: (title, path within the folder)."""
    drawn: list[tuple[str, str]] = []
    for make, one in manifest["made"].items():
        for name, title in (
            ("by negative kind", "negatives by kind"),
            ("by positive kind", "positives by kind"),
            ("by kind", "by kind"),
            ("by negative cue", "commonest cues of the negatives"),
        ):
            counts = dict(list(one.get(name, {}).items())[:SHOWN])
            if counts:
                total = max(1, one["kept"])
                shares = {cue or "(none)": 100 * count / total for cue, count in counts.items()}
                path = folder / "figures" / f"{make}_{name.removeprefix('by ').replace(' ', '_')}.png"
                plots.bars({make: shares}, path, title=f"{make}: {title}", measured=f"% of the {make}")
                drawn.append((f"{make}: {title}", f"figures/{path.name}"))
        for name, measured in (("distances", "characters between anchor and negative"), ("words", "words")):
            found = one.get(name) or {}
            series = {name: found} if name == "distances" else found
            numbers = {label: {int(at): n for at, n in values.items()} for label, values in series.items() if values}
            if numbers:
                path = folder / "figures" / f"{make}_{name}.png"
                plots.profiles(numbers, path, title=f"{make}: {measured}", measured=measured)
                drawn.append((f"{make}: {measured}", f"figures/{path.name}"))
    return drawn
