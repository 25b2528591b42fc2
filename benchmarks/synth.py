"""Synthesis at the papers' scale: how much it makes, how it compares to bare parsing, and how it grows.

python benchmarks/synth.py --data DIR                                31,000 anchors of DIR/anchors/*.txt, two processes
python benchmarks/synth.py --data DIR --growth 1000 10000 100000     time and memory by number of anchors

The bare parser is two processes that read the same texts, the drawn anchors and the kept rewrites together, with the
pipeline and the batches the run has, and do nothing else. Memory is the peak of the sum over all processes of the run
(Linux).
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
    from litotes.synth import Config

PIECE = 4000
EVERY = 1.0


def memory_of_family(root: int) -> int:
    """Resident bytes of a process and all its descendants; shared pages count once a process."""
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
    """Seconds of processor time of this process and of those it has waited for."""
    return sum(use.ru_utime + use.ru_stime for use in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measured(work: Callable[[], Any]) -> tuple[Any, float, float, float]:
    """What a work gives, its seconds, those of the processors, and the peak of its memory in MB."""
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(EVERY):
            peak = max(peak, memory_of_family(os.getpid()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    start, spent = time.perf_counter(), processor()
    try:
        found = work()
    finally:
        seconds, spent = time.perf_counter() - start, processor() - spent
        done.set()
        watcher.join()
    return found, seconds, spent, peak / 1e6


def parse(texts: Sequence[str]) -> int:
    """Read texts and do nothing with them."""
    from litotes.parse import parser

    return len(list(map(len, parser().bare(texts))))


def bare(texts: Sequence[str]) -> None:
    """Two processes, started before the clock of their caller matters only by the loading of the pipeline."""
    pieces = [texts[at : at + PIECE] for at in range(0, len(texts), PIECE)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for _ in pool.map(parse, pieces):
            pass


def configured(folder: Path, anchors: int) -> Config:
    from litotes.synth import Config

    sources = tuple(str(path) for path in sorted((folder / "anchors").glob("*.txt")))
    if not sources:
        raise SystemExit(f"no anchors/*.txt under {folder}")
    return Config(sources, draw=anchors)


def run(config: Config, out: Path) -> dict[str, Any]:
    from litotes.synth import synthesise

    return synthesise(config, out, workers=2)


def texts_of(config: Config, path: Path) -> list[str]:
    """The different texts that the run read: the anchors it drew, and the rewrites it kept."""
    from litotes.synth.blocks import blocks

    found = dict.fromkeys(anchor.text for _, block in blocks(config, Counter()) for anchor in block)
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            found.update(dict.fromkeys((row["anchor"], row["positive"], row["negative"])))
    return list(found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--anchors", type=int, default=31_000)
    options.add_argument("--growth", type=int, nargs="+")
    options.add_argument("--rounds", type=int, default=3, help="runs and bare parses, in turns")
    options.add_argument("--out", type=Path, help="keep the data of the one run here")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for anchors in given.growth or ():
            work = partial(run, configured(given.data, anchors), Path(temporary) / str(anchors))
            manifest, seconds, spent, memory = measured(work)
            triples = manifest["made"]["triples"]
            least = min(triples["by negative kind"].items(), key=itemgetter(1))
            row = {
                "anchors": anchors,
                "triples": triples["kept"],
                "rarest kind, %": f"{least[0]} {100 * least[1] / triples['kept']:.1f}",
                "beyond counting cues": triples["cue counting"]["beyond"],
                "ms an anchor": round(1000 * seconds / anchors, 1),
                "processor ms an anchor": round(1000 * spent / anchors, 1),
                "peak MB": round(memory),
            }
            print(json.dumps(row), flush=True)
        if given.growth:
            return
        out = given.out or Path(temporary) / "run"
        config = configured(given.data, given.anchors)
        runs = [measured(lambda: run(config, out))]
        manifest, triples = runs[0][0], runs[0][0]["made"]["triples"]
        texts = texts_of(config, out / "triples.jsonl")
        parses = []
        for number in range(given.rounds):
            # in turns, so that a machine that grows slower or faster favours neither
            parses.append(measured(lambda: bare(texts)))
            if number + 1 < given.rounds:
                again = partial(run, config, Path(temporary) / str(number))
                runs.append(measured(again))
        memory = max(one[3] for one in runs)
    kinds = triples["by negative kind"]
    ratios = [[parse[at] / one[at] for one, parse in zip(runs, parses, strict=True)] for at in (1, 2)]
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
