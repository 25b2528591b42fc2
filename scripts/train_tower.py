"""Train a tower on the output of mini_data.py: python scripts/train_tower.py MODEL --made MADE --out RUN

MODEL is mini (litotes-mini, on all-MiniLM-L6-v2) or base (litotes-base, on all-mpnet-base-v2, as updates of low rank).
It takes minutes on a GPU and days on two CPU cores. The same command resumes an interrupted run. RUN/tower is the
model: the mean of its members, which are saved in RUN/0, RUN/1 and so on. They are towers with the same start that
differ in their shares of the examples, the order of the examples and the weight of the distance to the base. --member
trains one of them, so that a GPU can train several at once; the command without it then trains the missing ones and
averages all. The settings were chosen on the *select* halves of the development files; docs/history lists the runs.

For comparison, --recipe finetune trains the whole encoder on the same examples: by the HedgeTriple recipe with our
settings or, with --preset hedge or negmpnet, with those of a paper.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from litotes.errors import LitotesError
from litotes.models.tower.shape import TOWER_CARD
from litotes.training import Example, FinetuneTraining, TowerTraining, train_finetune, train_tower
from litotes.training.averaging import average
from litotes.training.config import PRESETS
from litotes.training.sets import ExampleSet, read_sets

MINI = TowerTraining(
    base="minilm",
    default_w=0.21,
    train_w=0.3,
    in_batch=False,
    replay_weight=0.0,
    replay_batch=512,
    replay_together=32,
    lr=5e-4,
    batch=256,
    max_tokens=256,
    seed=0,
)
BASE = replace(
    MINI,
    base="mpnet",
    default_w=0.13,
    shared_layers=6,
    own_layers=6,
    rank=66,
    width=256,
    lr=8e-4,
    batch=128,
    replay_batch=256,
)
FINETUNE = FinetuneTraining(in_batch=False, lr=5e-5, batch=256, max_tokens=256)
# A share above 1 repeats the examples. The few that people and language models wrote are repeated most.
EXAMPLES = {
    "triples/triples.jsonl": 0.14,
    "quadruples/quadruples.jsonl": 0.2,
    "sentence_contrasts/contrasts.jsonl": 1,
    "passage_contrasts.jsonl": 1,
    "changed_sentences.jsonl": 1.5,
    "edits.jsonl": 2,
    "reviews.jsonl": 1,
    "omissions.jsonl": 1.6,
    "substitutions.jsonl": 1.5,
    "graded.jsonl": 1.3,
    "written:quadruples": 3,
    "written:contrasts": 6,
    "written:exclusions": 6,
}
# litotes-base learns faster, and each of its steps costs four times as much.
BASE_EXAMPLES = {
    "triples/triples.jsonl": 0.05,
    "quadruples/quadruples.jsonl": 0.05,
    "sentence_contrasts/contrasts.jsonl": 0.5,
    "passage_contrasts.jsonl": 0.5,
    "changed_sentences.jsonl": 0.5,
    "edits.jsonl": 0.8,
    "reviews.jsonl": 0.4,
    "omissions.jsonl": 0.5,
    "substitutions.jsonl": 0.5,
    "graded.jsonl": 0.25,
    "written:quadruples": 0.8,
    "written:contrasts": 2,
    "written:exclusions": 3,
    "written:kinds": 2,
}
NOTHING_CLOSE = {"changed_sentences.jsonl": 0, "reviews.jsonl": 0}
MORE_CLOSE = {"changed_sentences.jsonl": 3, "reviews.jsonl": 2}
LESS_GRADED = {"triples/triples.jsonl": 0.1, "quadruples/quadruples.jsonl": 0.15, "omissions.jsonl": 0.8}
LESS_GRADED |= {"graded.jsonl": 0.5, "written:quadruples": 4}


@dataclass(frozen=True, slots=True)
class Member:
    """One of the towers whose mean is the model: what sets it apart from the others."""

    distance: float
    """The weight of the distance to the base."""
    shares: Mapping[str, float] = field(default_factory=dict)
    order: int = 0


@dataclass(frozen=True, slots=True)
class Tower:
    """A model: the settings that its members share, its members, and the shares of its examples."""

    settings: TowerTraining
    members: tuple[Member, ...]
    examples: Mapping[str, float]
    replay: Mapping[str, float]


# Texts on which the base must stay as it is. Abstracts, requests to a service, news, forum answers and captions are
# included because results on them fell most.
REPLAY = {
    "replay_neighbours.jsonl": 0.4,
    "replay_questions.jsonl": 3,
    "replay_sentences.jsonl": 0.6,
    "replay_abstracts.jsonl": 0.8,
    "written:abstracts": 5,
    "written:utterances": 4,
    "written:neighbours": 4,
}
MODELS = {
    "mini": Tower(
        MINI,
        (
            Member(5.0),
            Member(3.0),
            Member(4.0, NOTHING_CLOSE),
            Member(4.0, MORE_CLOSE),
            Member(4.0, order=1),
            Member(4.0, order=2),
            Member(5.0, LESS_GRADED, order=3),
            Member(4.0, LESS_GRADED, order=4),
            Member(4.0, LESS_GRADED, order=5),
        ),
        EXAMPLES,
        REPLAY,
    ),
    "base": Tower(
        BASE,
        (Member(6.0), Member(8.0, order=1)),
        BASE_EXAMPLES,
        {**REPLAY, "replay_abstracts.jsonl": 1.5},
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--made", type=Path, required=True, help="the folder that mini_data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", help="the folder of a copy of the model's base")
    parser.add_argument("--recipe", choices=("tower", "finetune"), default="tower")
    parser.add_argument("--preset", choices=("hedge", "negmpnet"), help="the settings of a paper, for finetune")
    parser.add_argument("--member", type=int, help="train only this member, counted from 0")
    parser.add_argument("--device", default=None)
    options = parser.parse_args()
    tower = MODELS[options.model]
    if options.recipe == "finetune" and options.member is not None:
        parser.error("--member is for --recipe tower")
    if options.recipe == "tower" and options.preset:
        parser.error("--preset is for --recipe finetune")
    if options.member is not None and not 0 <= options.member < len(tower.members):
        parser.error(f"--member is {options.member}; {options.model} has the members 0 to {len(tower.members) - 1}")
    options.base = options.base or tower.settings.base
    try:
        if options.recipe == "finetune":
            _finetune(tower, options)
        else:
            _tower(tower, options)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _finetune(tower: Tower, options: argparse.Namespace) -> None:
    sets = read_sets(_named(options.made, tower.examples))
    manifest = [part.line for part in sets]
    run: Any = {"out": options.out, "device": options.device, "progress": _print_line, "manifest": manifest}
    paper = {**PRESETS[options.preset], "max_tokens": FINETUNE.max_tokens} if options.preset else {}
    train_finetune(replace(FINETUNE, **{**paper, "base": options.base}), _examples(sets), **run)


def _tower(tower: Tower, options: argparse.Namespace) -> None:
    replay = read_sets(_named(options.made, tower.replay), role="replay")
    # A GPU has memory for the lower layers' output of every text.
    remember = torch.cuda.is_available() and options.device != "cpu"
    for number in range(len(tower.members)) if options.member is None else (options.member,):
        member = tower.members[number]
        if (options.out / str(number) / "tower" / TOWER_CARD).exists():
            continue
        sets = read_sets(_named(options.made, {**tower.examples, **member.shares}))
        settings: Any = {"base": options.base, "remember": remember, "order": member.order}
        settings |= {"distance_weight": member.distance, "unrelated_weight": member.distance}
        run: Any = {
            "device": options.device,
            "progress": _print_line,
            "manifest": [part.line for part in (*sets, *replay)],
        }
        run |= {"replay": _examples(replay), "out": options.out / str(number)}
        started = time.monotonic()
        trained = train_tower(replace(tower.settings, **settings), _examples(sets), **run)
        print(f"{number}: {trained.steps} steps in {time.monotonic() - started:.0f} s", flush=True)
    if options.member is None:
        print(average([options.out / str(number) for number in range(len(tower.members))], options.out), flush=True)


def _examples(sets: Sequence[ExampleSet]) -> list[Example]:
    return [example for part in sets for example in part.examples]


def _print_line(line: Mapping[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def _named(made: Path, shares: Mapping[str, float]) -> list[str]:
    return [f"{name if ':' in name else made / name}={share}" for name, share in shares.items() if share]


if __name__ == "__main__":
    raise SystemExit(main())
