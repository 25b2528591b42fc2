"""The seed corpus: sentences and passages to make negations from. The task `series` impairs some of the sentences."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.data.impaired_sentences import ImpairedSentence, impaired
from litotes.data.lines import json_objects
from litotes.data.records import MEASURE_AND_TRAIN, OURS, PACKAGE, SHIPPED, Benchmark, DataSet
from litotes.data.selection import DataSelection

SENTENCES = 200
"""How many sentences the series impair."""


def load(_: Path, split: str) -> list[dict[str, Any]]:
    """Load the rows of a split; it is shipped, so the folder does not matter."""
    lines = files("litotes.data").joinpath("seed", f"{split}.jsonl").read_text(encoding="utf-8").split("\n")
    return [row for _, _, row in json_objects(lines, f"seed {split}")]


def _series(selection: DataSelection, _: str) -> tuple[ImpairedSentence, ...]:
    # the rewriter loads a parser, so it is imported only when the task is built
    from litotes.rewrite import rewrite_texts, task

    texts = [str(row["text"]) for row in load(Path(), "sentences")]
    drawn = sorted(texts, key=lambda text: sha256(text.encode()).hexdigest())[:SENTENCES]
    selected = selection.select(drawn, key=str)
    negated = [rewrites[0].rewrite for rewrites in rewrite_texts(selected, [task("negate", "verbal")], verify=True)]
    return impaired(selected, negated)


DATA_SET = DataSet(
    name="seed",
    topic="source",
    description="sentences and passages to make negations from",
    home=PACKAGE,
    licence=OURS,
    use=MEASURE_AND_TRAIN,
    load=load,
    benchmarks=(
        Benchmark(
            name="series",
            family="series",
            help="sentences impaired step by step, and negated (shipped)",
            headline="drop",
            items=_series,
            suites=("sensitivity",),
            dev=SHIPPED,
            test=SHIPPED,
        ),
    ),
)
