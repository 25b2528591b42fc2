"""Train a pair model on the output of rerank_data.py: python -m scripts.train_rerank MODEL --made MADE --out RUN

MODEL is rerank (on all-mpnet-base-v2), or rerank-mini or guard-mini (on all-MiniLM-L6-v2), whose teacher is
litotes-rerank. rerank-mini is the mean of two runs, RUN/0 and RUN/1, and guard-mini is the first of them. Training
takes minutes on a GPU. The same command resumes an interrupted run. RUN/model is the adapter. docs/history/reranker.md
lists the runs by which the shares and settings were chosen.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litotes.errors import LitotesError
from litotes.training import Example
from litotes.training.averaging import average
from litotes.training.pair import PairTraining, train_pair
from litotes.training.sets import read_sets

SHARES = {
    "written:contrasts": 3.0,
    "written:kinds": 3.0,
    "written:quadruples": 1.0,
    "written:exclusions": 2.0,
    "changed_sentences": 1.0,
    "graded": 1.0,
    "edits": 1.0,
    "reviews": 0.5,
    "questions": 1.0,
    "claims": 2.0,
    "searches": 2.0,
    "verdicts": 0.5,
    "restatements": 0.4,
    "exchanges": 1.0,
    "crossings": 1.0,
    "written:messages": 1.5,
    "sentences": 0.5,
}
"""How often each example of a set is used: the written ones, and those of rerank_data.py."""


@dataclass(frozen=True, slots=True)
class Member:
    """One run of a model."""

    settings: PairTraining
    labelled: bool = True
    """whether it learns from labelled messages, too"""


SMALL = PairTraining(base="minilm", rank=0, lr=3e-4, batch=160, mirror_weight=0.5, teacher="litotes-rerank")
ALL_EXAMPLES = Member(replace(SMALL, epochs=3))
"""a small model on all examples: it learns from labelled messages, too, so it has the head `verdict`"""
MODELS = {
    "rerank": (Member(PairTraining(base="mpnet", rank=56, batch=160, mirror_weight=0.5)),),
    "rerank-mini": (ALL_EXAMPLES, Member(replace(SMALL, epochs=5), labelled=False)),
    "guard-mini": (ALL_EXAMPLES,),
}
"""model → the runs whose mean it is"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--made", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", help="the folder of the base, if its package is not installed")
    parser.add_argument("--examples", type=int, help="train on this many examples only, for a trial")
    options = parser.parse_args()
    members = MODELS[options.model]
    try:
        examples = collected(options.made)
        if options.examples:
            examples = random.Random(0).sample(examples, options.examples)
        runs = [options.out / str(number) for number in range(len(members))] if members[1:] else [options.out]
        for member, run in zip(members, runs, strict=True):
            used = [example for example in examples if member.labelled or not example.label]
            print(f"{run}: {len(used):,} examples", flush=True)
            settings = replace(member.settings, base=options.base or member.settings.base)
            train_pair(settings, used, out=run, progress=print_line)
        if members[1:]:
            print(average(runs, options.out), flush=True)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def collected(folder: Path, shares: Mapping[str, float] = SHARES) -> list[Example]:
    """Return the examples of every set in its share."""
    found: list[Example] = []
    for name, share in shares.items():
        (read,) = read_sets([name if ":" in name else str(folder / f"{name}.jsonl")])
        examples = list(read.examples)
        times = int(share)
        found += examples * times
        found += random.Random(name).sample(examples, round(len(examples) * (share - times)))
    return found


def print_line(line: Mapping[str, Any]) -> None:
    """Print a line of the curves."""
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
