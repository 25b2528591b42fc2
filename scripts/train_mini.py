"""Trains litotes-mini on what mini_data.py made: python scripts/train_mini.py --made MADE --out RUN

Needs torch, transformers, sentence-transformers and numpy alone. On a GPU some minutes, on two CPU cores days; a run
that was stopped goes on with the same command. RUN/tower is the model: the mean of MEMBERS, towers of one start that
differ in their shares of the examples, the order of these and the weight of the distance to the base, in RUN/0 and so
on. --member trains one of them alone, so that a GPU can train several at once; the command without it then trains those
that are missing and averages all. The settings were chosen on the *select* halves of the development files:
docs/litotes-mini.md has every run that was tried. With --recipe finetune the examples train the whole encoder instead,
by the HedgeTriple recipe: what the tower is compared with.
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
from litotes.models.tower.dial import TOWER_CARD
from litotes.train import Example, FinetuneTraining, TowerTraining, train_finetune, train_tower
from litotes.train.averaging import average
from litotes.train.sets import Set, read_sets

SETTINGS = TowerTraining(
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
WHOLE = FinetuneTraining(base="minilm", in_batch=False, lr=5e-5, batch=256, max_tokens=256)
# A share above one: each example so many times. The few that people and language models wrote come often.
EXAMPLES = {
    "triples/triples.jsonl": 0.14,
    "quadruples/quadruples.jsonl": 0.2,
    "sentence_contrasts/contrasts.jsonl": 1,
    "passage_contrasts.jsonl": 1,
    "close.jsonl": 1.5,
    "edits.jsonl": 2,
    "reviews.jsonl": 1,
    "details.jsonl": 1.6,
    "exchanged.jsonl": 1.5,
    "graded.jsonl": 1.3,
    "written:quadruples": 3,
    "written:contrasts": 6,
    "written:exclusions": 6,
}
NOTHING_CLOSE = {"close.jsonl": 0, "reviews.jsonl": 0}
MORE_CLOSE = {"close.jsonl": 3, "reviews.jsonl": 2}
LESS_GRADED = {"triples/triples.jsonl": 0.1, "quadruples/quadruples.jsonl": 0.15, "details.jsonl": 0.8}
LESS_GRADED |= {"graded.jsonl": 0.5, "written:quadruples": 4}


@dataclass(frozen=True, slots=True)
class Member:
    """One of the towers that the model is the mean of: all begin alike, and differ in this."""

    distance: float
    """the weight of the distance to the base"""
    shares: Mapping[str, float] = field(default_factory=dict)
    order: int = 0


MEMBERS = (
    Member(5.0),
    Member(3.0),
    Member(4.0, NOTHING_CLOSE),
    Member(4.0, MORE_CLOSE),
    Member(4.0, order=1),
    Member(4.0, order=2),
    Member(5.0, LESS_GRADED, order=3),
    Member(4.0, LESS_GRADED, order=4),
    Member(4.0, LESS_GRADED, order=5),
)
# What must stay as it is. Abstracts, what people type to a service, and finely graded news, forum answers and captions
# are there because they suffered most.
REPLAY = {
    "replay_neighbours.jsonl": 0.4,
    "replay_questions.jsonl": 3,
    "replay_sentences.jsonl": 0.6,
    "replay_abstracts.jsonl": 0.8,
    "written:abstracts": 5,
    "written:utterances": 4,
    "written:neighbours": 4,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--made", type=Path, required=True, help="the folder mini_data.py wrote")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--base", default="minilm", help="minilm, or a folder that holds it")
    options.add_argument("--recipe", choices=("tower", "finetune"), default="tower")
    options.add_argument("--seed", type=int, default=SETTINGS.seed)
    options.add_argument("--member", type=int, choices=range(len(MEMBERS)), help="this one alone, and no mean")
    options.add_argument("--device", default=None)
    given = options.parse_args()
    if given.recipe == "finetune" and given.member is not None:
        options.error("--member is for --recipe tower")
    try:
        if given.recipe == "finetune":
            _finetune(given)
        else:
            _tower(given)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _finetune(given: argparse.Namespace) -> None:
    sets = read_sets(_named(given.made, EXAMPLES))
    manifest = [one.line for one in sets]
    run: Any = {"out": given.out, "device": given.device, "watch": _say, "manifest": manifest}
    train_finetune(replace(WHOLE, base=given.base, seed=given.seed), _examples(sets), **run)


def _tower(given: argparse.Namespace) -> None:
    again = read_sets(_named(given.made, REPLAY), role="replay")
    # on a GPU there is room for the lower layers' output of every text
    remember = torch.cuda.is_available() and given.device != "cpu"
    for number in range(len(MEMBERS)) if given.member is None else (given.member,):
        member = MEMBERS[number]
        if (given.out / str(number) / "tower" / TOWER_CARD).exists():
            continue
        sets = read_sets(_named(given.made, {**EXAMPLES, **member.shares}))
        told: Any = {"base": given.base, "seed": given.seed, "remember": remember, "order": member.order}
        told |= {"distance_weight": member.distance, "strangers_weight": member.distance}
        run: Any = {"device": given.device, "watch": _say, "manifest": [one.line for one in (*sets, *again)]}
        run |= {"replay": _examples(again), "out": given.out / str(number)}
        started = time.monotonic()
        trained = train_tower(replace(SETTINGS, **told), _examples(sets), **run)
        print(f"{number}: {trained.steps} steps in {time.monotonic() - started:.0f} s", flush=True)
    if given.member is None:
        print(average([given.out / str(number) for number in range(len(MEMBERS))], given.out), flush=True)


def _examples(sets: Sequence[Set]) -> list[Example]:
    return [example for one in sets for example in one.examples]


def _say(line: Mapping[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def _named(made: Path, shares: Mapping[str, float]) -> list[str]:
    return [f"{name if ':' in name else made / name}={share}" for name, share in shares.items() if share]


if __name__ == "__main__":
    raise SystemExit(main())
