"""litotes demo"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litotes.cli.parameters import PATH
from litotes.cli.progress import duration, progress_display
from litotes.cli.text import grid, print_grid

if TYPE_CHECKING:
    from litotes.types import Result
    from litotes.workflows.demo import Demo

HEADLINES = {
    "taxonomy": "pairwise accuracy",
    "mini-retrieval": "nDCG@10",
    "mini-sts": "Spearman",
    "mini-intents": "accuracy, nearest centroid",
}

PLAYGROUND = "Playground: run `litotes serve` and open http://127.0.0.1:8000/ to move the dial yourself."


@click.command()
@click.option("--out", type=PATH, default=Path("demo"), show_default=True, help="The folder for all files.")
@click.option("--sentences", is_flag=True, help="Only rewrite, detect and classify a few sentences (seconds).")
def demo(out: Path, sentences: bool) -> None:
    """Synthesise data, train a small tower, measure it and write a report, on shipped data alone.

    Makes triples and contrasts from the seed corpus, trains a small tower on MiniLM, and measures the base, the tower
    and litotes-mini on the taxonomy benchmark and general-mini. Writes OUT/report.html. It takes up to three minutes on
    two cores and downloads nothing. A second run uses what exists. Exits with 4 if the tower is not better than the
    base.
    """
    if sentences:
        from litotes.cli.demo_sentences import show_sentences

        show_sentences()
        return
    from litotes.workflows.demo import demo as run

    started = time.monotonic()
    stages = Stages()
    with progress_display() as progress:
        made = run(out, progress=progress, stage=stages.start)
    _print_similarities(made)
    _print_abilities(made)
    _print_reranked()
    click.echo(f"Report: {made.page}. {stages.summary()}; {duration(time.monotonic() - started)} in total.")
    made.check()
    click.echo(f"The new tower gained {made.gain:+.1f} points over the base on the taxonomy's test split.")
    click.echo(PLAYGROUND)


class Stages:
    """Announces each stage and measures how long it takes."""

    def __init__(self) -> None:
        self._started: dict[str, float] = {}

    def start(self, what: str) -> None:
        """Announce a stage."""
        click.echo(f"litotes: {what} …", err=True)
        self._started[what.partition(" ")[0]] = time.monotonic()

    def summary(self) -> str:
        """List the stages with the time each took."""
        ends = [*list(self._started.values())[1:], time.monotonic()]
        stages = zip(self._started.items(), ends, strict=True)
        return ", ".join(f"{what} {duration(end - start)}" for (what, start), end in stages)


def _print_similarities(made: Demo) -> None:
    from litotes.workflows.demo import SENTENCES, similarities

    cosines = similarities(list(made.models))
    table = grid("a sentence, and another", *made.models.values())
    for sentence, *others in SENTENCES:
        table.add_section()
        table.add_row(sentence, *("" for _ in made.models))
        for kind, other in zip(("opposite", "same"), others, strict=True):
            table.add_row(f"  {kind}: {other}", *(f"{cosines[name][sentence, other]:.2f}" for name in made.models))
    table.title = "Cosine similarity: the opposite should be lower than the paraphrase"
    print_grid(table)


def _print_reranked() -> None:
    from litotes.workflows.demo import QUERY, reranked

    table = grid("", "MiniLM", "then litotes-rerank-mini")
    for rank, texts in enumerate(zip(*reranked(), strict=True), start=1):
        table.add_row(str(rank), *texts)
    table.title = f"Search results for “{QUERY}”"
    print_grid(table)


def _print_abilities(made: Demo) -> None:
    """Print accuracy on the taxonomy, in total and by kind, and general ability."""
    values = {(one.model, one.task, one.slice, one.measure): one for one in made.results}
    rows = dict.fromkeys((one.task, one.slice, one.measure) for one in made.results if _is_shown(one))
    table = grid("measured on", *made.models.values())
    for task, part, measure in rows:
        cells = [values.get((model, task, part, measure)) for model in made.models]
        title = f"{task}: {measure}" if part == "all" else f"  {part.partition(': ')[2]}"
        table.add_row(title, *(f"{one.value:.1f}" if one else "–" for one in cells))
    table.title = "Negation by kind, and general ability, in points of 100"
    print_grid(table)


def _is_shown(result: Result) -> bool:
    part = result.slice == "all" or (result.task == "taxonomy" and result.slice.startswith("kind: "))
    return part and result.measure == HEADLINES.get(result.task)
