"""Measure the time of the guard per pair, relative to encoding the same two texts once with the same base.

python benchmarks/guard.py TIER [--base minilm] [--pairs 64] [--rounds 5]

TIER is rules, mini, base or the folder of a pair model. The pairs are messages of same-answer, read on one core.
Batches of one and of 32 pairs are measured, without and with the words that decided. The ratios compare the best
rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any


def seconds(task: Callable[[], Any]) -> float:
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def measure(tier: str, base: str, count: int, rounds: int) -> dict[str, Any]:
    """Return the best times per pair, and the ratios to encoding."""
    from litotes.data.benchmarks.same_answer import same_answer_pairs
    from litotes.errors import require
    from litotes.guard import Guard
    from litotes.models import load

    require("torch").set_num_threads(1)
    pairs = [pair for pair in same_answer_pairs("dev") if not pair.same][:count]
    new, cached = [pair.new for pair in pairs], [pair.cached for pair in pairs]
    encoder: Any = load(f"dense:{base}", device="cpu")
    plain, explaining = (
        Guard(tier, threshold=0.5, log=False, explain=explain, device="cpu") for explain in (False, True)
    )

    def by(size: int, task: Callable[[list[str], list[str]], Any]) -> Callable[[], None]:
        def run() -> None:
            for start in range(0, len(new), size):
                task(new[start : start + size], cached[start : start + size])

        return run

    found: dict[str, Any] = {"tier": plain.tier, "base": base, "pairs": len(pairs)}
    for size in (1, 32):
        tasks = {
            "encode": by(size, lambda one, other: encoder.encode([*one, *other], role="document")),
            "guard": by(size, plain.judge_all),
            "with words": by(size, explaining.judge_all),
        }
        # The tasks take turns, so that other work on the machine slows all of them.
        times = [{name: seconds(task) for name, task in tasks.items()} for _ in range(rounds + 1)]
        best = {name: min(one[name] for one in times) for name in tasks}
        found[f"batch of {size}"] = {
            "milliseconds per pair": {name: round(1000 * value / len(pairs), 2) for name, value in best.items()},
            "ratio": {name: round(best[name] / best["encode"], 2) for name in ("guard", "with words")},
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tier")
    parser.add_argument("--base", default="minilm")
    parser.add_argument("--pairs", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(json.dumps(measure(options.tier, options.base, options.pairs, options.rounds), indent=2))


if __name__ == "__main__":
    main()
