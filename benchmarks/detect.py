"""Measure the speed of litotes.detect relative to the bare parser, within one run.

python benchmarks/detect.py --data DIR [--sentences 2000] [--seed 0] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from litotes.detection.detector import detect_all
from litotes.parse import load_parser


def seconds(run: Callable[[], Iterable[object]]) -> float:
    started = time.perf_counter()
    for _ in run():
        pass
    return time.perf_counter() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="a folder with anchors/*.txt, one sentence per line")
    options.add_argument("--sentences", type=int, default=2000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    lines = [
        line
        for file in sorted((chosen.data / "anchors").glob("*.txt"))
        for line in file.read_text("utf-8").splitlines()
    ]
    texts = random.Random(chosen.seed).sample(lines, chosen.sentences)
    reader = load_parser()
    for _ in detect_all(texts[:200], parser=reader):
        pass
    ratios = []
    for _ in range(chosen.rounds):
        bare = seconds(lambda: reader.bare(texts))
        ours = seconds(lambda: detect_all(texts, parser=reader))
        ratios.append(bare / ours)
    ratios.sort()
    print(
        json.dumps(
            {
                "sentences": chosen.sentences,
                "seed": chosen.seed,
                "parser": reader.name,
                "detect_over_parser": round(ratios[len(ratios) // 2], 3),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
