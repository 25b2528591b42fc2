"""Measure synthesis at the scale of the papers: its output, its speed relative to bare parsing, and its growth.

python benchmarks/synth.py --data DIR                                31,000 anchors of DIR/anchors/*.txt, two processes
python benchmarks/synth.py --data DIR --growth 1000 10000 100000     time and memory by number of anchors

The bare parser is two processes that only parse the same texts (the drawn anchors and the kept rewrites), with the
pipeline and the batches of the run. Memory is the peak of the sum over all processes of the run (Linux only).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litotes.synthesis import SynthesisConfig

PIECE = 4000
EVERY = 1.0


def memory_of_family(root: int) -> int:
    """Return the resident bytes of a process and its descendants. Shared pages count once per process."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)], pages[int(entry.name)] = int(fields[1]), int(fields[21])
    family, grown = {root}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return sum(pages.get(member, 0) for member in family) * os.sysconf("SC_PAGE_SIZE")


def processor() -> float:
    """Return the processor time in seconds of this process and of the children it has waited for."""
    return sum(use.ru_utime + use.ru_stime for use in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measured(work: Callable[[], Any]) -> tuple[Any, float, float, float]:
    """Run `work`; return its result, the elapsed seconds, the processor seconds and the peak memory in MB."""
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(EVERY):
            peak = max(peak, memory_of_family(os.getpid()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    start, spent = time.perf_counter(), processor()
    try:
        result = work()
    finally:
        seconds, spent = time.perf_counter() - start, processor() - spent
        done.set()
        watcher.join()
    return result, seconds, spent, peak / 1e6


def parse(texts: Sequence[str]) -> int:
    """Parse the texts and return their number."""
    from litotes.parse import load_parser

    return len(list(map(len, load_parser().bare(texts))))


def bare(texts: Sequence[str]) -> None:
    """Parse the texts in two processes, which includes loading the pipeline."""
    pieces = [texts[at : at + PIECE] for at in range(0, len(texts), PIECE)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for _ in pool.map(parse, pieces):
            pass


def configured(folder: Path, anchors: int) -> SynthesisConfig:
    from litotes.synthesis import SynthesisConfig

    sources = tuple(str(path) for path in sorted((folder / "anchors").glob("*.txt")))
    if not sources:
        raise SystemExit(f"{folder} has no anchors/*.txt. Expected files with one sentence per line.")
    return SynthesisConfig(sources, draw=anchors)


def run(config: SynthesisConfig, out: Path) -> dict[str, Any]:
    from litotes.synthesis import synthesise

    return synthesise(config, out, workers=2).manifest


def texts_of(config: SynthesisConfig, path: Path) -> list[str]:
    """Return the distinct texts of a run: the anchors it drew and the rewrites it kept."""
    from litotes.synthesis.blocks import blocks

    texts = dict.fromkeys(anchor.text for _, block in blocks(config, Counter()) for anchor in block)
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            texts.update(dict.fromkeys((row["anchor"], row["positive"], row["negative"])))
    return list(texts)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--anchors", type=int, default=31_000)
    options.add_argument("--growth", type=int, nargs="+")
    options.add_argument("--rounds", type=int, default=3, help="how many runs and bare parses, alternating")
    options.add_argument("--out", type=Path, help="write the data of the first run here")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for anchors in arguments.growth or ():
            work = partial(run, configured(arguments.data, anchors), Path(temporary) / str(anchors))
            manifest, seconds, spent, memory = measured(work)
            triples = manifest["made"]["triples"]
            least = min(triples["by negative kind"].items(), key=itemgetter(1))
            row = {
                "anchors": anchors,
                "triples": triples["kept"],
                "rarest kind, %": f"{least[0]} {100 * least[1] / triples['kept']:.1f}",
                "beyond counting cues": triples["cue counting"]["unsolved"],
                "ms per anchor": round(1000 * seconds / anchors, 1),
                "processor ms per anchor": round(1000 * spent / anchors, 1),
                "peak MB": round(memory),
            }
            print(json.dumps(row), flush=True)
        if arguments.growth:
            return
        out = arguments.out or Path(temporary) / "run"
        config = configured(arguments.data, arguments.anchors)
        runs = [measured(lambda: run(config, out))]
        manifest, triples = runs[0][0], runs[0][0]["made"]["triples"]
        texts = texts_of(config, out / "triples.jsonl")
        parses = []
        for number in range(arguments.rounds):
            # Alternate, so that a machine that becomes slower or faster favours neither.
            parses.append(measured(lambda: bare(texts)))
            if number + 1 < arguments.rounds:
                again = partial(run, config, Path(temporary) / str(number))
                runs.append(measured(again))
        memory = max(measurement[3] for measurement in runs)
    kinds = triples["by negative kind"]
    ratios = [[parse[at] / whole[at] for whole, parse in zip(runs, parses, strict=True)] for at in (1, 2)]
    report = {
        "anchors": manifest["anchors"],
        "triples": triples["kept"],
        "negatives, % by kind": {kind: round(100 * n / triples["kept"], 1) for kind, n in kinds.items()},
        "cue counting": triples["cue counting"],
        "texts": len(texts),
        "bare parser / synthesis, time": [round(ratio, 3) for ratio in sorted(ratios[0])],
        "bare parser / synthesis, processor time": [round(ratio, 3) for ratio in sorted(ratios[1])],
        "peak MB": round(memory),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
