"""Measure the rules engine on the taxonomy benchmark, or count the kinds in NevIR and ExcluIR.

python benchmarks/classify.py [--split dev|test] [--plot FILE] [--data DIR] [--shares FILE]

Tune on dev, and run test once when the engine is finished. With --data, the kinds in nevir/dev.jsonl and
excluir/dev.jsonl are printed next to the shares that the taxonomy paper reports for its splits.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from litotes import __version__
from litotes.data import read_contrasts, taxonomy_benchmark
from litotes.detection.classification import classify_all
from litotes.evaluation import classifier_figures
from litotes.parse import default_pipeline
from litotes.reporting import bars, confusion_matrix

# NevIR validation, 225 pairs; ExcluIR test, 3,452 (taxonomy paper, sections 6.2 and 6.3), as counts.
PAPER = {
    "nevir": {"sentential": 79, "affixal": 54, "implicit": 44, "none": 31, "others": 17},
    "excluir": {"exceptor": 2820, "none": 297, "sentential": 189, "implicit": 113, "others": 32},
}


def measure(split: str, plot: Path | None) -> None:
    items = taxonomy_benchmark(split)
    kinds = [result.kind for result in classify_all(items)]
    result = classifier_figures(
        [item.kind for item in items],
        kinds,
        signature=f"taxonomy|{split}|rules|{default_pipeline()}|litotes {__version__}",
    )
    print(json.dumps(result.figures(), indent=2))
    if plot is not None:
        confusion_matrix(
            result.confusion(), result.kinds(), plot, title=f"Rules engine, taxonomy {split} ({len(items)} contrasts)"
        )


def compare(data: Path, plot: Path | None) -> None:
    for name, counts in PAPER.items():
        items = list(read_contrasts(data / name / "dev.jsonl"))
        tally = Counter(result.kind for result in classify_all(items))
        own = {kind: tally.pop(kind, 0) for kind in counts if kind != "others"}
        own["others"] = sum(tally.values())
        ours = {kind: 100 * n / len(items) for kind, n in own.items()}
        total = sum(counts.values())
        theirs = {kind: 100 * n / total for kind, n in counts.items()}
        print(f"{name}: {len(items)} contrasts ({total} in the paper)")
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
