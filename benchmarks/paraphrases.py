"""How many paraphrases the checks of a paraphraser's candidates keep, and how many contradictions they let through.

python benchmarks/paraphrases.py PAIRS.csv [--half select|report]

PAIRS.csv has the columns reference, candidate, source, score, as CANNOT-WMT: score 1 for paraphrases (a PEGASUS's),
0 for contradictions; rows of another source than cannot are left out. select, for tuning, is the rows whose candidate
has an even sha256; report is the others.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
from collections import Counter
from pathlib import Path

from litotes.parse import parser
from litotes.synth.meaning import change

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
        documents = parser().pipe(texts)
        tally = Counter(change(before, after) or "kept" for before, after in zip(documents, documents, strict=True))
        print(f"{name}: {tally.total()}, of the {chosen.half} half")
        for reason, count in tally.most_common():
            print(f"  {100 * count / tally.total():5.1f}%  {reason}")


if __name__ == "__main__":
    main()
