"""Measure how many paraphrases the checks of a paraphraser keep, and how many contradictions they accept.

python benchmarks/paraphrases.py PAIRS.csv [--half select|report]

PAIRS.csv has the columns reference, candidate, source and score, as in CANNOT-WMT. The score is 1 for paraphrases (made
by PEGASUS) and 0 for contradictions. Only rows with the source "cannot" are used. The select half, for tuning, has the
rows whose candidate has an even SHA-256. The report half has the others.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
from collections import Counter
from pathlib import Path

from litotes.parse import load_parser
from litotes.synthesis.meaning_checks import meaning_change

LABELS = {"paraphrases": 1.0, "contradictions": 0.0}


def pairs(path: Path, half: str) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["source"] == "cannot"]
    odd = half == "report"
    return [row for row in rows if int(hashlib.sha256(row["candidate"].encode()).hexdigest(), 16) % 2 == odd]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("pairs", type=Path)
    arguments.add_argument("--half", choices=("select", "report"), default="select")
    chosen = arguments.parse_args()
    rows = pairs(chosen.pairs, chosen.half)
    for name, score in LABELS.items():
        texts = [text for row in rows if float(row["score"]) == score for text in (row["reference"], row["candidate"])]
        documents = load_parser().pipe(texts)
        tally = Counter(
            meaning_change(before, after) or "kept" for before, after in zip(documents, documents, strict=True)
        )
        print(f"{name}: {tally.total()} ({chosen.half} half)")
        for reason, count in tally.most_common():
            print(f"  {100 * count / tally.total():5.1f}%  {reason}")


if __name__ == "__main__":
    main()
