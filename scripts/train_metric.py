"""Train a metric on the output of metric_data.py: python -m scripts.train_metric MODEL PAIRS.jsonl.gz --out RUN

MODEL is score (on all-mpnet-base-v2) or score-mini (on all-MiniLM-L6-v2), whose teacher is litotes-score. Both are pair
models with one head, `score`. Training takes minutes on a GPU. The same command resumes an interrupted run. RUN/model
is the adapter.
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

from litotes.errors import LitotesError
from litotes.models.bases import SCORE
from litotes.training import Example
from litotes.training.pair import PairTraining, train_pair
from scripts.train_rerank import print_line

TIMES = {
    "wmt": 4,
    "likeness": 4,
    "translated": 3,
    "negations": 0.7,
    "quadruples": 0.7,
    "hedges": 0.7,
}
"""How often each pair of a source is used, if not once; the fraction is the probability of one more use."""
MODELS = {
    "score": PairTraining(base="mpnet", rank=56, epochs=2, batch=512),
    "score-mini": PairTraining(base="minilm", rank=0, lr=3e-4, epochs=2, batch=512, teacher=SCORE),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--examples", type=int, help="train on this many examples only, for a trial")
    options = parser.parse_args()
    try:
        examples = drawn(options.pairs)
        if options.examples:
            examples = random.Random(0).sample(examples, options.examples)
        print(json.dumps(Counter(example.kind for example in examples)), flush=True)
        train_pair(MODELS[options.model], examples, out=options.out, progress=print_line)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def drawn(file: Path, times: Mapping[str, float] = TIMES) -> list[Example]:
    """Draw the pairs of each source as often as `times` says; the draw is always the same."""
    draw = random.Random(0)
    examples = []
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            whole, part = divmod(times.get(row["source"], 1), 1)
            example = Example(row["reference"], row["candidate"], kind=row["source"], score=row["score"])
            examples += [example] * (int(whole) + (draw.random() < part))
    return examples


if __name__ == "__main__":
    raise SystemExit(main())
