"""Trains litotes-score on what score_data.py made: python scripts/train_score.py --pairs PAIRS --out RUN

On a GPU a few minutes; RUN/model is the model; a run that was stopped goes on with the same command. The settings were
chosen on the *select* halves of the development files: docs/litotes-score.md has the runs that were tried.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litotes.errors import LitotesError
from litotes.train.examples import Example
from litotes.train.metric import MetricTraining, train_metric

SETTINGS = MetricTraining(lr=7e-4, batch=512, epochs=2)
# How often each pair of a source comes; a part of one is a draw.
TIMES = {
    "paraphrases": 1,
    "negations": 0.9,
    "quadruples": 0.6,
    "written": 3,
    "passages": 1,
    # made after the shipped model was trained: docs/litotes-score.md has what they brought
    "turned sentences": 0,
    "details": 0,
    "exchanged": 0,
    "wmt likeness": 0,
    "drifted": 0,
    "graded": 14,
    "edits": 1,
    "faults": 0.8,
    "stsb": 2,
    "wmt": 4,
    "wmt denied": 1,
    "wmt damaged": 1,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=Path, required=True, help="the folder score_data.py wrote")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--device", default=None)
    given = options.parse_args()
    examples = drawn(given.pairs, TIMES)
    print(json.dumps(Counter(example.kind for example in examples)), flush=True)
    try:
        train_metric(SETTINGS, examples, out=given.out, device=given.device, watch=_say)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


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
