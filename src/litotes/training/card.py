"""The model card: README.md in the folder of a run, with scores, data, settings and licences."""

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
METRIC = "score"
"""The family of a pair model that was trained on scored pairs alone."""
LIMITS = """## Limits

- It was trained on English, mostly on single sentences. Other languages and long documents were not measured.
- It tells a text from its denial. It does not know which of the two is true.
- Scores are similarities, not probabilities. Choose a threshold on your own data.
- An embedding alone does not decide "films with X, but without Y". Split the query first.
"""
DIAL = """## The dial

The first columns of a vector are the base's, the last {width} are the tower's. The dial sets the weight of the tower
per query, without indexing again. Dial 0 searches as the base does, {default_w:g} is the default. A higher dial
responds more to negation and costs general ability.

```python
from litotes.models.tower import load_tower

model = load_tower("PATH/{folder}")  # a SentenceTransformer
queries = model.encode_query(["hotels without a pool"], dial=0.2)
scores = queries @ model.encode_document(["There is no pool.", "There is a pool."]).T
```
"""


@dataclass(frozen=True, slots=True)
class CardFigure:
    """A measured value with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CardRow:
    """One measure before and after training."""

    name: str
    """Such as "negation.taxonomy dev"."""
    measure: str
    """Such as "Spearman"; "" for the minimal pairs, whose name already says it."""
    n: int
    before: CardFigure | None
    after: CardFigure | None


@dataclass(frozen=True, slots=True)
class CardSubject:
    """The model that a card describes: its recipe, its family, its folder in the run, and its name."""

    recipe: str
    family: str
    folder: str
    name: str


def model_card(run: Mapping[str, Any], rows: Sequence[CardRow], subject: CardSubject) -> str:
    """Return the text of a card, from the content of run.json and the measured rows."""
    parts = [*_header(run, subject), *_opening(run, subject), *_measured(rows), *_use(subject)]
    settings = run["settings"]
    if "default_w" in settings:
        width = settings["width"] or "half of them"
        parts.append(DIAL.format(width=width, default_w=settings["default_w"], folder=subject.folder))
    return "\n".join([*parts, *_data(run), *_settings(settings), LIMITS, *_licences(run), *_made_with(run)])


def _header(run: Mapping[str, Any], subject: CardSubject) -> Iterator[str]:
    """Yield the metadata that a hub reads."""
    yield "---"
    yield "language: en"
    yield f"library_name: {LIBRARIES.get(subject.family, 'transformers')}"
    if subject.family in TASKS:
        yield f"pipeline_tag: {TASKS[subject.family]}"
    base = _base(run)
    if "/" in base and not base.startswith(("/", ".")):
        yield f"base_model: {base}"
    yield "tags: [negation, litotes]"
    yield "---"


def _opening(run: Mapping[str, Any], subject: CardSubject) -> Iterator[str]:
    yield f"# {subject.name}\n"
    base = _base(run)
    description = {
        "tower": f"A polarity tower: the frozen `{base}` and a trained block beside it that responds to negation.",
        "finetune": f"`{base}`, fine-tuned to respond to negation.",
    }.get(subject.recipe, f"A {subject.family} model based on `{base}`, trained to respond to negation.")
    if subject.family == METRIC:
        description = f"A metric on `{base}`: how much of a reference a candidate keeps, from 0 to 1."
    yield description
    replay = run.get("replay", {}).get("count", 0)
    data = f"{run['examples']['count']:,} examples" + (f" and {replay:,} ordinary pairs for replay" if replay else "")
    yield f"Trained by `litotes train --recipe {subject.recipe}` on {data}.\n"


def _measured(rows: Sequence[CardRow]) -> Iterator[str]:
    yield "## Measured\n"
    if not rows:
        yield "Nothing was measured in this run. `litotes bench` measures the model.\n"
        return
    yield "The base and the trained model, with 95% intervals. These sets were measured during training, so they may"
    yield "have influenced the choice of settings. `litotes bench` measures the model on others.\n"
    yield "| measure | n | before | after |\n|---|---|---|---|"
    for row in rows:
        name = f"{row.name}, {row.measure}" if row.measure else row.name
        # Similarities and margins are small numbers; all others are times 100.
        places = 1 if row.measure else 3
        yield f"| {name} | {row.n:,} | {_shown(row.before, places)} | {_shown(row.after, places)} |"
    yield ""


def _shown(figure: CardFigure | None, places: int) -> str:
    if figure is None:
        return "–"
    return f"{figure.value:.{places}f} ({figure.low:.{places}f} – {figure.high:.{places}f})"


def _use(subject: CardSubject) -> Iterator[str]:
    yield "## Use\n"
    yield "```python"
    if subject.family == METRIC:
        yield "import litotes\n"
        yield f'metric = litotes.Metric("PATH/{subject.folder}")  # PATH: the folder of this card'
        yield '(score,) = metric.score(["There is no pool."], ["There is a pool."])'
        yield "```\n"
        return
    yield "from litotes.models import load\n"
    yield f'model = load("{subject.family}:PATH/{subject.folder}")  # PATH: the folder of this card'
    if subject.family == "dense":
        yield 'queries = model.encode(["hotels without a pool"], role="query")'
        yield 'documents = model.encode(["There is no pool.", "There is a pool."], role="document")'
        yield "scores = queries @ documents.T"
    else:
        yield 'scores = model.score(["hotels without a pool"], ["There is no pool."])'
    yield "```\n"


def _data(run: Mapping[str, Any]) -> Iterator[str]:
    yield "## Data\n"
    yield "| file | kept | used | dropped | sources | sha256 |\n|---|---|---|---|---|---|"
    for file in run.get("files", ()):
        dropped = "; ".join(f"{count:,} {reason}" for reason, count in file.get("dropped", {}).items()) or "–"
        role = " (replay)" if file.get("role") == "replay" else ""
        cells = (f"{file['file']}{role}", f"{file['kept']:,}", f"{file.get('used', file['kept']):,}", dropped)
        sources = ", ".join(file.get("sources", ())) or "–"
        yield f"| {' | '.join(map(_cell, (*cells, sources)))} | `{file['sha256'][:16]}` |"
    yield f"\nThe sha256 of all examples is `{run['examples']['sha256'][:16]}`.\n"


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
    yield "- The data files keep their own licences, which may apply to models trained on them."
    sources = [source for file in run.get("files", ()) for source in file.get("sources", ())]
    if any(source.startswith("wikipedia:") for source in sources):
        yield "- Text from Wikipedia is CC BY-SA 4.0. The pages are named above."
    yield ""


def _made_with(run: Mapping[str, Any]) -> Iterator[str]:
    libraries = ", ".join(f"{name} {version}" for name, version in run.get("libraries", {}).items() if version)
    yield "## Environment\n"
    yield f"Python {run.get('python', '')}, {libraries}, on {run.get('device', '')}."
    yield f"`run.json` has the details. The fingerprint of the run is `{run.get('run', '')[:16]}`.\n"


def _base(run: Mapping[str, Any]) -> str:
    name = str(run["base"]["name"])
    return HUB_NAMES.get(name, name)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
