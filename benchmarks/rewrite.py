"""Measure the speed of the rewriter relative to the bare parser and to the `negate` package, in one run on one core.

python benchmarks/rewrite.py --data DIR        DIR/anchors contains *.txt files with one sentence per line
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROUNDS = 5


def sentences(folder: Path, count: int, seed: int) -> list[str]:
    """Draw the same number of sentences from each file of anchors."""
    files = sorted((folder / "anchors").glob("*.txt"))
    if not files:
        raise SystemExit(f"{folder} has no anchors/*.txt. Expected files with one sentence per line.")
    draw = random.Random(seed)
    drawn: list[str] = []
    for file in files:
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        drawn += draw.sample(lines, min(count // len(files), len(lines)))
    draw.shuffle(drawn)
    return drawn


def seconds(work: Callable[[], Iterable[Any]]) -> float:
    start = time.perf_counter()
    for _ in work():
        pass
    return time.perf_counter() - start


def alternate(**works: Callable[[], Iterable[Any]]) -> dict[str, list[float]]:
    """Time the functions in turn for several rounds, so that noise of the machine affects all of them."""
    for work in works.values():
        seconds(work)
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            taken[name].append(seconds(work))
    return taken


def ratio(taken: dict[str, list[float]], over: str, under: str) -> float:
    """Return the median over rounds of time(over) / time(under)."""
    return statistics.median(a / b for a, b in zip(taken[over], taken[under], strict=True))


def negator(texts: list[str], pipeline: str, **load: Any) -> Callable[[], Iterable[Any]]:
    """Return a run of the `negate` package on our parser. `load` can exclude components that it does not use."""
    import spacy
    from negate import Negator

    class OnOurParser(Negator):  # type: ignore[misc]
        def _initialize_spacy_model(self, *_: Any, **__: Any) -> Any:
            return spacy.load(pipeline, **load)

    package = OnOurParser(log_level=logging.ERROR)
    return lambda: (package.negate_sentence(text) for text in texts)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--sentences", type=int, default=2500)
    options.add_argument("--seed", type=int, default=0)
    arguments = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    from litotes import rewrite
    from litotes.parse import load_parser

    reader = load_parser()
    texts = sentences(arguments.data, arguments.sentences, arguments.seed)
    # "natural" only chooses among the others
    kinds = [rewrite.task("negate", kind) for kind in rewrite.KINDS["negate"] if kind != "natural"]
    verbal = [rewrite.task("negate", "verbal")]
    both = texts + [r.rewrite for row in rewrite.rewrite_texts(texts, kinds) for r in row if r.rewrite is not None]

    taken = alternate(
        parser=lambda: reader.bare(texts),
        kinds=lambda: rewrite.rewrite_texts(texts, kinds),
        parser_both=lambda: reader.bare(both),
        verified=lambda: rewrite.rewrite_texts(texts, kinds, verify=True),
    )
    result: dict[str, Any] = {
        "sentences": len(texts),
        "seed": arguments.seed,
        "parser": reader.name,
        "parser_per_second": round(len(texts) / statistics.median(taken["parser"])),
        "all_kinds_over_parser": round(ratio(taken, "parser", "kinds"), 3),
        "verified_over_parser_of_inputs_and_rewrites": round(ratio(taken, "parser_both", "verified"), 3),
    }
    few = texts[: arguments.sentences // 2]
    package = alternate(
        verbal=lambda: rewrite.rewrite_texts(few, verbal),
        negate=negator(few, reader.name),
        negate_without_ner=negator(few, reader.name, exclude=["ner"]),
    )
    result["verbal_over_negate_package"] = round(ratio(package, "negate", "verbal"), 2)
    result["verbal_over_negate_package_without_ner"] = round(ratio(package, "negate_without_ner", "verbal"), 2)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
