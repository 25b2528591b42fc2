"""Trains litotes-score on what score_data.py made: python scripts/train_score.py --pairs PAIRS --out RUN

Two passes: over everything, on a GPU a few minutes; then, from where that ended, a short one over what the first got
wrong on the *select* halves (sentences turned without a "not", free paraphrases), half an hour on two CPU cores.
RUN/second/model is the model; a run that was stopped goes on with the same command. docs/litotes-score.md has the runs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.errors import LitotesError
from litotes.train.examples import Example
from litotes.train.metric import MetricTraining, train_metric

FIRST = MetricTraining(lr=7e-4, batch=512, epochs=2)
SECOND = MetricTraining(lr=2e-4, batch=64, epochs=1, max_tokens=160)
# How often each pair of a source comes; a part of one is a draw.
FIRST_TIMES = {
    "paraphrases": 1,
    "negations": 0.9,
    "quadruples": 0.6,
    "written": 3,
    "passages": 1,
    "turned sentences": 0,
    "graded": 14,
    "edits": 1,
    "faults": 0.8,
    "stsb": 2,
    "wmt": 4,
    "wmt denied": 1,
    "wmt damaged": 1,
}
SECOND_TIMES = {
    "paraphrases": 0.06,
    "negations": 0.03,
    "quadruples": 0.03,
    "written": 0.15,
    "passages": 0,
    "turned sentences": 0.9,
    "graded": 1.2,
    "edits": 0.1,
    "faults": 0.06,
    "stsb": 0.15,
    "wmt": 0.8,
    "wmt denied": 0.5,
    "wmt damaged": 0.05,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=Path, required=True, help="the folder score_data.py wrote")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--first", type=Path, help="the model of a first pass, to make the second alone")
    options.add_argument("--device", default=None)
    given = options.parse_args()
    try:
        first = given.first or given.out / "first" / "model"
        if not given.first:
            run(FIRST, drawn(given.pairs, FIRST_TIMES), given.out / "first", given.device)
        run(replace(SECOND, start=str(first)), drawn(given.pairs, SECOND_TIMES), given.out / "second", given.device)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def run(config: MetricTraining, examples: list[Example], out: Path, device: str | None) -> None:
    print(json.dumps(Counter(example.kind for example in examples)), flush=True)
    train_metric(config, examples, out=out, device=device, watch=_say)


def drawn(folder: Path, times: Mapping[str, float]) -> list[Example]:
    """The pairs of the file, each source as often as is said; the same every time."""
    draw = random.Random(0)
    found = []
    with gzip.open(folder / "pairs.jsonl.gz", "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            whole, part = divmod(times[row["source"]], 1)
            example = Example(row["reference"], row["candidate"], kind=row["source"], score=row["score"])
            found += [example] * (int(whole) + (draw.random() < part))
    return found


def _say(line: Mapping[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
