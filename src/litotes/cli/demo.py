"""litotes demo: the whole road on what the package holds, from sentences to a page."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litotes.cli import text
from litotes.cli.app import app
from litotes.errors import CheckError, require

if TYPE_CHECKING:
    from litotes.train import TowerTraining
    from litotes.types import Result

PATH = click.Path(path_type=Path)
ANCHORS = 110
"""sentences of the seed corpus that are synthesised from"""
REPLAYED = "written:utterances=0.25"
LEAST_GAIN = 8.0
"""points on the taxonomy's test split that the fresh tower must have over the base: below, the demo has failed"""
TASKS = ("taxonomy", "mini-retrieval", "mini-sts", "mini-intents")
BASE, SHIPPED = "dense:minilm", "dense:litotes-mini"
SHOWN = (
    (
        "The drug is safe for children.",
        "The drug is not safe for children.",
        "Children can take the drug without harm.",
    ),
    ("Nobody was hurt in the fire.", "Everybody was hurt in the fire.", "All of them came out of the fire unharmed."),
    ("The shop is closed on Mondays.", "The shop is open on Mondays.", "You can't buy anything there on a Monday."),
)


@app.command()
@click.option("--out", type=PATH, default=Path("demo"), show_default=True, help="The folder of all that is made.")
@click.option("--sentences", is_flag=True, help="Only rewrite, detect and sort a few sentences: seconds, no training.")
def demo(out: Path, sentences: bool) -> None:
    """Synthesise, train, measure and report, on what the package holds: some minutes on two cores.

    Takes our seed corpus, makes triples and contrasts of it, trains a small tower on MiniLM, and measures the base,
    that tower and litotes-mini on our taxonomy benchmark and general-mini. Writes OUT/report.html. A second run takes
    what is there. Nothing is downloaded. Exit 4 where the fresh tower does not hear negation better than the base.
    """
    if sentences:
        from litotes.cli.demo_sentences import show_sentences

        show_sentences()
        return
    # at once, not after the first stage
    require("sentence_transformers", extra="train", why="the demo")
    require("jinja2", extra="bench", why="the demo")
    require("matplotlib", extra="bench", why="the demo")
    clock = _Clock()
    with clock.stage("synthesise triples and contrasts from our seed corpus"):
        made = _synthesise(out / "made")
    with clock.stage("train a small tower beside the frozen base"):
        tower = _train(made, out / "run")
    with clock.stage("measure the base, the fresh tower and litotes-mini"):
        fresh = f"dense:{tower}"
        found = _measure([BASE, fresh, SHIPPED], out / "results")
    with clock.stage("write the page"):
        page = _report(out)
    names = {BASE: "base", fresh: "fresh tower", SHIPPED: "litotes-mini"}
    _similarities(names)
    _abilities(found, names)
    click.echo(f"The page: {page}. Stages: {clock.told()}.")
    _judge(found, fresh)


class _Clock:
    """What takes how long, told as it goes."""

    def __init__(self) -> None:
        self._taken: dict[str, float] = {}

    @contextmanager
    def stage(self, what: str) -> Iterator[None]:
        click.echo(f"litotes: {what} …", err=True)
        started = time.monotonic()
        yield
        self._taken[what.split(maxsplit=1)[0]] = time.monotonic() - started

    def told(self) -> str:
        parts = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in self._taken.items())
        return f"{parts}; {sum(self._taken.values()):.0f} s in all"


def _synthesise(folder: Path) -> Path:
    from litotes.synth import Config, synthesise

    if not (folder / "manifest.json").exists():
        config = Config(("seed:sentences", "seed:passages"), make=("triples", "contrasts"), draw=ANCHORS, seed=0)
        synthesise(config, folder, workers=1, resume=folder.exists())
    return folder


def _settings() -> TowerTraining:
    from litotes.train import TowerTraining

    return TowerTraining(
        replay_weight=0.0,
        distance_weight=3.0,
        replay_batch=32,
        replay_together=8,
        lr=3e-4,
        max_tokens=40,
        remember=True,
    )


def _train(made: Path, folder: Path) -> Path:
    """The tower of a run that is finished, or goes on, or begins."""
    from litotes.cli.training import Job, run
    from litotes.train.recipes import recipe_of
    from litotes.train.sets import read_sets

    tower = folder / "tower"
    if not (tower / "tower.json").exists():
        sets, again = read_sets([str(made / "triples.jsonl")]), read_sets([REPLAYED], role="replay")
        examples = [example for one in sets for example in one.examples]
        replay = [example for one in again for example in one.examples]
        lines = [one.line for one in (*sets, *again)]
        run(Job(recipe_of("tower"), _settings(), examples, replay, lines, folder))
    return tower


def _measure(models: Sequence[str], folder: Path) -> list[Result]:
    from litotes.bench import Where, bench, build
    from litotes.cli.bench import watching
    from litotes.models import load

    tasks = [build(name, Where(split="test")) for name in TASKS]
    with watching() as watch:
        return bench((load(name) for name in models), tasks, folder, watch=watch)


def _report(out: Path) -> Path:
    from litotes.report import report

    page = out / "report.html"
    page.write_text(report([out / "results", out / "run"], base=BASE).html, encoding="utf-8", errors="replace")
    return page


def _similarities(names: Mapping[str, str]) -> None:
    """A sentence, its negation and a paraphrase, and how near each model has them."""
    from litotes.models import load

    texts = list(dict.fromkeys(one for row in SHOWN for one in row))
    columns = {}
    for model, name in names.items():
        rows: Any = load(model).encode(texts)  # type: ignore[union-attr]
        columns[name] = dict(zip(texts, rows, strict=True))
    table = text.grid("a sentence, and another", *columns)
    for sentence, *others in SHOWN:
        table.add_section()
        table.add_row(sentence, *("" for _ in columns))
        for kind, other in zip(("denied", "same"), others, strict=True):
            near = [f"{float(rows[sentence] @ rows[other]):.2f}" for rows in columns.values()]
            table.add_row(f"  {kind}: {other}", *near)
    table.title = "Similarity: the denial should be farther away than the paraphrase"
    text.print_grid(table)


def _abilities(found: Sequence[Result], names: Mapping[str, str]) -> None:
    """Accuracy on the taxonomy, whole and by kind, and general ability, model by model."""
    values = {(one.model, one.task, one.slice, one.measure): one for one in found}
    lines = dict.fromkeys((one.task, one.slice, one.measure) for one in found if _is_shown(one))
    table = text.grid("measured on", *names.values())
    for task, part, measure in lines:
        cells = [values.get((model, task, part, measure)) for model in names]
        title = f"{task}: {measure}" if part == "all" else f"  {part.partition(': ')[2]}"
        table.add_row(title, *(f"{one.value:.1f}" if one else "–" for one in cells))
    table.title = "Negation by kind, and general ability: of 100"
    text.print_grid(table)


def _is_shown(one: Result) -> bool:
    headlines = {"taxonomy": "pairwise accuracy", "mini-retrieval": "nDCG@10", "mini-sts": "Spearman"}
    headlines["mini-intents"] = "accuracy, nearest centroid"
    part = one.slice == "all" or (one.task == "taxonomy" and one.slice.startswith("kind: "))
    return part and one.measure == headlines.get(one.task)


def _judge(found: Sequence[Result], fresh: str) -> None:
    heads = {one.model: one.value for one in reversed(found) if one.task == "taxonomy" and one.slice == "all"}
    gain = heads[fresh] - heads[BASE]
    if gain < LEAST_GAIN:
        raise CheckError(
            f"the fresh tower has {gain:+.1f} points over the base on the taxonomy; {LEAST_GAIN:g} were expected"
        )
    click.echo(f"The fresh tower has {gain:+.1f} points over the base on the taxonomy's test split.")
