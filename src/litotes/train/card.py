"""The card of a trained model: README.md in its folder, filled with what was measured and what it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TASKS = {"dense": "sentence-similarity", "late": "sentence-similarity", "cross": "text-ranking"}
LIBRARIES = {"dense": "sentence-transformers", "late": "sentence-transformers", "cross": "sentence-transformers"}
HUB_NAMES = {
    "minilm": "sentence-transformers/all-MiniLM-L6-v2",
    "mpnet": "sentence-transformers/all-mpnet-base-v2",
}
LIMITS = """## Limits

- It was trained on English, mostly on single sentences; other languages and long documents were not measured here.
- It sets a text apart from its denial; it does not know which of the two is true.
- Scores are similarities, not probabilities: choose a threshold on your own data.
- "Films with X, but none with Y" is not decided by an embedding alone: take the query apart first.
"""
DIAL = """## The dial

The first columns of a vector are the base's own, the last {width} are the tower's. How much the tower counts is set on
the query's side, at any time, with no re-indexing: dial 0 searches as the base does, {default_w:g} is the default, more
hears negation louder and costs general ability.

```python
from litotes.models.tower import load_tower

model = load_tower("PATH/{folder}")  # a SentenceTransformer
queries = model.encode_query(["hotels without a pool"], dial=0.2)
scores = queries @ model.encode_document(["There is no pool.", "There is a pool."]).T
```
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number: the value and its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure of the model before and after training."""

    name: str
    """ "negation.taxonomy dev": what it stands for, and on what"""
    measure: str
    """ "Spearman" and the like; "" of the twins, whose name says it"""
    n: int
    before: Figure | None
    after: Figure | None


@dataclass(frozen=True, slots=True)
class About:
    """What the card says besides the numbers: the recipe, the model's family and its folder inside the run's."""

    recipe: str
    family: str
    folder: str
    name: str


def model_card(run: Mapping[str, Any], compared: Sequence[Compared], about: About) -> str:
    """The card's text, from what `run.json` holds and what was measured."""
    parts = [*_header(run, about), *_opening(run, about), *_measured(compared), *_use(about)]
    settings = run["settings"]
    if "default_w" in settings:
        width = settings["width"] or "half of them"
        parts.append(DIAL.format(width=width, default_w=settings["default_w"], folder=about.folder))
    return "\n".join([*parts, *_data(run), *_settings(settings), LIMITS, *_licences(run), *_made_with(run)])


def _header(run: Mapping[str, Any], about: About) -> Iterator[str]:
    """What a hub reads."""
    yield "---"
    yield "language: en"
    yield f"library_name: {LIBRARIES.get(about.family, 'transformers')}"
    if about.family in TASKS:
        yield f"pipeline_tag: {TASKS[about.family]}"
    base = _base(run)
    if "/" in base and not base.startswith(("/", ".")):
        yield f"base_model: {base}"
    yield "tags: [negation, litotes]"
    yield "---"


def _opening(run: Mapping[str, Any], about: About) -> Iterator[str]:
    yield f"# {about.name}\n"
    base = _base(run)
    how = {
        "tower": f"A polarity tower: `{base}`, frozen, and a trained block beside it that hears negation.",
        "finetune": f"`{base}`, fine-tuned to hear negation.",
        "metric": f"A metric on the lower layers of `{base}`: how much of a reference a candidate keeps, from 0 to 1.",
    }.get(about.recipe, f"A {about.family} model made from `{base}`, trained to hear negation.")
    yield how
    replay = run.get("replay", {}).get("count", 0)
    beside = f", with {replay:,} ordinary pairs replayed beside them" if replay else ""
    yield f"Trained by `litotes train --recipe {about.recipe}` on {run['examples']['count']:,} examples{beside}.\n"


def _measured(compared: Sequence[Compared]) -> Iterator[str]:
    yield "## Measured\n"
    if not compared:
        yield "Nothing was measured: the run was told not to. `litotes bench` does it.\n"
        return
    yield "The base and the trained model, with 95% intervals. These sets were looked at as it trained, so may have"
    yield "guided the choice of its settings: `litotes bench` measures it on others.\n"
    yield "| measure | n | before | after |\n|---|---|---|---|"
    for one in compared:
        about = f"{one.name}, {one.measure}" if one.measure else one.name
        # similarities and margins are as they are, all else is times 100
        places = 1 if one.measure else 3
        yield f"| {about} | {one.n:,} | {_shown(one.before, places)} | {_shown(one.after, places)} |"
    yield ""


def _shown(figure: Figure | None, places: int) -> str:
    if figure is None:
        return "–"
    return f"{figure.value:.{places}f} ({figure.low:.{places}f} – {figure.high:.{places}f})"


def _use(about: About) -> Iterator[str]:
    yield "## Use\n"
    yield "```python"
    if about.family == "score":
        yield "import litotes\n"
        yield f'metric = litotes.Metric("PATH/{about.folder}")  # PATH: where this card lies'
        yield '(score,) = metric.score(["There is a pool."], ["There is no pool."])'
        yield "```\n"
        return
    yield "from litotes.models import load\n"
    yield f'model = load("{about.family}:PATH/{about.folder}")  # PATH: where this card lies'
    if about.family == "dense":
        yield 'queries = model.encode(["hotels without a pool"], role="query")'
        yield 'documents = model.encode(["There is no pool.", "There is a pool."], role="document")'
        yield "scores = queries @ documents.T"
    else:
        yield 'scores = model.score(["hotels without a pool"], ["There is no pool."])'
    yield "```\n"


def _data(run: Mapping[str, Any]) -> Iterator[str]:
    yield "## Data\n"
    yield "| file | kept | used | left out | sources | sha256 |\n|---|---|---|---|---|---|"
    for one in run.get("files", ()):
        dropped = "; ".join(f"{count:,} {reason}" for reason, count in one.get("dropped", {}).items()) or "–"
        role = " (replay)" if one.get("role") == "replay" else ""
        cells = (f"{one['file']}{role}", f"{one['kept']:,}", f"{one.get('used', one['kept']):,}", dropped)
        sources = ", ".join(one.get("sources", ())) or "–"
        yield f"| {' | '.join(map(_cell, (*cells, sources)))} | `{one['sha256'][:16]}` |"
    yield f"\nAll examples together: sha256 `{run['examples']['sha256'][:16]}`.\n"


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    yield "## Settings\n"
    yield "| setting | value |\n|---|---|"
    for name, value in settings.items():
        yield f"| {name} | {_cell(', '.join(map(str, value)) if isinstance(value, list) else str(value)) or '–'} |"
    yield ""


def _licences(run: Mapping[str, Any]) -> Iterator[str]:
    yield "## Licences\n"
    base, known = run["base"]["name"], run["base"]["name"] in HUB_NAMES
    stated = "Apache-2.0, as its authors state" if known else "see its own card"
    yield f"- The base, `{HUB_NAMES.get(base, base)}`: {stated}."
    yield "- litotes: Apache-2.0."
    yield "- The data files above keep their licences; what they ask of those who pass on models made from them holds."
    sources = [source for one in run.get("files", ()) for source in one.get("sources", ())]
    if any(source.startswith("wikipedia:") for source in sources):
        yield "- Text from Wikipedia is CC BY-SA 4.0; the pages are named above."
    yield ""


def _made_with(run: Mapping[str, Any]) -> Iterator[str]:
    libraries = ", ".join(f"{name} {version}" for name, version in run.get("libraries", {}).items() if version)
    yield "## Made with\n"
    yield f"Python {run.get('python', '')}, {libraries}, on {run.get('device', '')}."
    yield f"`run.json` has all of it, and the fingerprint of the run: `{run.get('run', '')[:16]}`.\n"


def _base(run: Mapping[str, Any]) -> str:
    name = str(run["base"]["name"])
    return HUB_NAMES.get(name, name)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
