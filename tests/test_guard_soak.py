"""The guard for a long time: random pairs of all sorts, without an error and without growth of memory."""

from __future__ import annotations

import gc
import os
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from litotes.guard import Guard
from litotes.models.pair.build import new_pair_scorer, save_pair_scorer
from litotes.models.pair.heads import RELEVANCE, VERDICT
from tests.family_models import quiet
from tests.small_base import tiny_base

PAIRS = int(os.environ.get("LITOTES_GUARD_SOAK", "1500"))
"""Pairs per half of the run. An hour of a busy cache is LITOTES_GUARD_SOAK=100000."""
SAMPLE = """turn open close lock unlock cancel confirm start stop send fetch the a my our not never no without with on
off in out before after until only all except heating gate order parcel account invoice room window backup Rita Omar
Lisbon Oslo 3 12 40 2024 5% 1,250 don't can't isn't how do I what is where who may must should could it's"""
WORDS = SAMPLE.split()
ODD = ("", " ", "?", "…", "\u200b", "é", "Wo ist mein Paket geblieben?", "😀" * 5, "x" * 5000, "NULL", "\x00", "#" * 80)


def pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield random texts, each with a changed copy, another random text or something odd."""
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choices(WORDS, k=rng.randint(1, 14))
        other = [rng.choice(WORDS) if rng.random() < 0.15 else word for word in words]
        text = " ".join(words)
        swapped = rng.sample(words, len(words))
        yield text, rng.choice([" ".join(other), " ".join(swapped), rng.choice(ODD), text.upper()])


@pytest.fixture(scope="module")
def pair_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("soak")
    base = str(tiny_base(folder / "base"))
    with quiet():
        scorer = new_pair_scorer(base, rank=4, longest=64, heads=(RELEVANCE, VERDICT), device="cpu")
        shape = {"rank": 4, "scale": 2.0, "layers": 2}
        return str(save_pair_scorer(scorer, folder / "model", base=base, shape=shape))


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["rules", "model"])
def test_many_random_pairs(tier: str, pair_model: str, tmp_path: Path) -> None:
    with quiet():
        guard = Guard("rules" if tier == "rules" else pair_model, threshold=0.5, log=tmp_path / "log.jsonl")
    _judge(guard, PAIRS, seed=0)
    gc.collect()
    tracemalloc.start()
    _judge(guard, PAIRS, seed=1)
    gc.collect()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    counts = guard.counts
    assert counts.calls == 2 * PAIRS
    assert counts.accepted + sum(counts.rejected.values()) == counts.calls
    assert 0 < counts.errors < counts.calls / 2
    # Caches of words are bounded and were filled in the first half.
    assert grown < 2_000_000


def _judge(guard: Guard, count: int, seed: int) -> None:
    """Judge pairs singly and in batches, both orders of some."""
    drawn = list(pairs(count, seed))
    for start in range(0, count, 100):
        block = drawn[start : start + 100]
        single, many = block[:20], block[20:]
        for new, cached in single:
            guard.judge(new, cached)
        guard.judge_all([new for new, _ in many], [cached for _, cached in many])
        new, cached = single[0]
        one, other = guard.scores([new], [cached])[0], guard.scores([cached], [new])[0]
        assert one == pytest.approx(other, abs=1e-6)
