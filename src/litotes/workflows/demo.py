"""The demonstration: synthesise data, train a small tower, measure it and write a report, on shipped data alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import CheckError, require
from litotes.models.bases import RERANK_MINI
from litotes.workflows.benchmarking import bench
from litotes.workflows.progress import Progress
from litotes.workflows.reporting import report
from litotes.workflows.synthesising import synth
from litotes.workflows.training import train

if TYPE_CHECKING:
    from litotes.types import Result

ANCHORS = 110
"""the number of sentences of the seed corpus to make triples from"""
REPLAY = "written:utterances=0.25"
MIN_GAIN = 8.0
"""points on the taxonomy's test split that the new tower must gain over the base"""
NEGATION = "taxonomy"
TASKS = (NEGATION, "mini-retrieval", "mini-sts", "mini-intents")
BASE, SHIPPED = "dense:litotes-mini@0", "dense:litotes-mini"
"""at dial 0 litotes-mini is MiniLM exactly, and both need one encoding"""
SETTINGS = {
    "replay_weight": 0.0,
    "distance_weight": 3.0,
    "replay_batch": 32,
    "replay_together": 8,
    "lr": 3e-4,
    "max_tokens": 40,
}
SENTENCES = (
    (
        "The drug is safe for children.",
        "The drug is not safe for children.",
        "Children can take the drug without harm.",
    ),
    ("Nobody was hurt in the fire.", "Everybody was hurt in the fire.", "All of them came out of the fire unharmed."),
    ("The shop is closed on Mondays.", "The shop is open on Mondays.", "You can't buy anything there on a Monday."),
)
"""a sentence, its negation and a paraphrase"""
QUERY = "campsites where dogs are not allowed"
DOCUMENTS = (
    "Dogs are allowed on all pitches at Fern Hill campsite.",
    "We love dogs! Two are allowed per tent at this campsite.",
    "Sorry, Hazel Wood campsite does not take pets of any kind.",
    "The campsite by the lake has 40 pitches and hot showers.",
    "Please leave your dog at home when you camp at Orchard Farm.",
)
"""search results to rerank"""


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demonstration made."""

    page: Path
    tower: str
    results: tuple[Result, ...]

    @property
    def models(self) -> dict[str, str]:
        """The measured models and how tables call them."""
        return {BASE: "base", self.tower: "new tower", SHIPPED: "litotes-mini"}

    @property
    def gain(self) -> float:
        """The points that the new tower gained over the base on the taxonomy."""
        headlines: dict[str, float] = {}
        for result in self.results:
            if result.task == NEGATION and result.slice == "all":
                headlines.setdefault(result.model, result.value)
        return headlines[self.tower] - headlines[BASE]

    def check(self) -> None:
        """Raise CheckError if the new tower gained too little."""
        if self.gain < MIN_GAIN:
            raise CheckError(
                f"the new tower gained {self.gain:+.1f} points over the base on the taxonomy; expected {MIN_GAIN:g}"
            )


def demo(out: Path, *, progress: Progress | None = None, stage: Callable[[str], None] = lambda _: None) -> Demo:
    """Run the demonstration in a folder. Stages whose output exists are not run again.

    `stage` is called with the name of each stage when it starts.
    """
    for library, extra in (("sentence_transformers", "train"), ("jinja2", "bench"), ("matplotlib", "bench")):
        require(library, extra=extra, why="the demo")
    stage("synthesise triples and contrasts from the seed corpus")
    made = out / "made"
    if not (made / "manifest.json").exists():
        synth(
            ["seed:sentences", "seed:passages"],
            out=made,
            types=("triples", "contrasts"),
            draw=ANCHORS,
            resume=made.exists(),
            progress=progress,
        )
    stage("train a small tower beside the frozen base")
    run = out / "run"
    tower = f"dense:{run / 'tower'}"
    if not (run / "tower" / "tower.json").exists():
        train(made / "triples.jsonl", out=run, replay=[REPLAY], settings=SETTINGS, measure=(), progress=progress)
    stage("measure the base, the new tower and litotes-mini")
    measured = bench([BASE, tower, SHIPPED], out=out / "results", suites=TASKS, split="test", progress=progress)
    stage("write the report")
    page = report([out / "results", run], out=out / "report.html", base=BASE)
    return Demo(page.html, tower, measured.results)


def reranked() -> tuple[list[str], list[str]]:
    """Return `DOCUMENTS` in the order of MiniLM's cosines with `QUERY`, and in that of litotes-rerank-mini."""
    from litotes.query import Reranker

    reranker = Reranker(RERANK_MINI)
    orders = (reranker.rank(QUERY, DOCUMENTS, weight=weight, return_documents=True) for weight in (0.0, None))
    before, after = ([row["text"] for row in rows] for rows in orders)
    return before, after


def similarities(models: Sequence[str]) -> Mapping[str, dict[tuple[str, str], float]]:
    """Return, per model, the cosine of each of `SENTENCES` with its negation and its paraphrase."""
    from litotes.models import load

    texts = list(dict.fromkeys(text for row in SENTENCES for text in row))
    cosines = {}
    for name in models:
        model: Any = load(name)
        vectors = dict(zip(texts, model.encode(texts), strict=True))
        cosines[name] = {
            (sentence, other): float(vectors[sentence] @ vectors[other])
            for sentence, *others in SENTENCES
            for other in others
        }
    return cosines
