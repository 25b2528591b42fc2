"""How well the rules engine sorts our taxonomy benchmark, and what it finds in NevIR and ExcluIR.

python benchmarks/classify.py [--split dev|test] [--plot FILE] [--data DIR] [--shares FILE]

test is for one run of a finished engine: tune on dev. With --data, the kinds found in nevir/dev.jsonl and
excluir/dev.jsonl are set beside the shares the taxonomy paper reports for its splits.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from litotes import __version__
from litotes.bench import sorting
from litotes.data import read_contrasts, taxonomy_benchmark
from litotes.detection.mechanism import classify_all
from litotes.parse import default_pipeline
from litotes.report import bars, matrix

# NevIR validation, 225 pairs; ExcluIR test, 3,452 (taxonomy paper, sections 6.2 and 6.3), as counts.
PAPER = {
    "nevir": {"sentential": 79, "affixal": 54, "implicit": 44, "none": 31, "others": 17},
    "excluir": {"exceptor": 2820, "none": 297, "sentential": 189, "implicit": 113, "others": 32},
}


def measure(split: str, plot: Path | None) -> None:
    items = taxonomy_benchmark(split)
    found = [one.kind for one in classify_all(items)]
    result = sorting(
        [item.kind for item in items],
        found,
        signature=f"taxonomy|{split}|rules|{default_pipeline()}|litotes {__version__}",
    )
    print(json.dumps(result.figures(), indent=2))
    if plot is not None:
        matrix(
            result.confusion(), result.kinds(), plot, title=f"Rules engine, taxonomy {split} ({len(items)} contrasts)"
        )


def compare(data: Path, plot: Path | None) -> None:
    for name, counts in PAPER.items():
        items = list(read_contrasts(data / name / "dev.jsonl"))
        tally = Counter(one.kind for one in classify_all(items))
        own = {kind: tally.pop(kind, 0) for kind in counts if kind != "others"}
        own["others"] = sum(tally.values())
        ours = {kind: 100 * n / len(items) for kind, n in own.items()}
        total = sum(counts.values())
        theirs = {kind: 100 * n / total for kind, n in counts.items()}
        print(f"{name}: {len(items)} contrasts, of {total} in the paper")
        for kind in counts:
            print(f"  {kind:12} {ours[kind]:5.1f}%   paper {theirs[kind]:5.1f}%")
        if plot is not None:
            file = plot.with_stem(f"{plot.stem}_{name}")
            bars({f"ours, dev ({len(items)})": ours, f"the paper ({total})": theirs}, file, title=f"Kinds in {name}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--split", choices=("dev", "test"), default="dev")
    options.add_argument("--plot", type=Path, help="where to draw the confusion matrix")
    options.add_argument("--data", type=Path, help="a folder with nevir/ and excluir/")
    options.add_argument("--shares", type=Path, help="where to draw the shares; the data set's name is added")
    chosen = options.parse_args()
    if chosen.data is not None:
        compare(chosen.data, chosen.shares)
    else:
        measure(chosen.split, chosen.plot)


if __name__ == "__main__":
    main()
