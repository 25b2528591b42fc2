"""Reading what synthesis makes: sheets of drawn triples and contrasts for a person to label, and the fold of verdicts.

python scripts/reading_synth.py sheet triples.jsonl --count 200 --out SHEET
python scripts/reading_synth.py fold docs/reading/synth*.tsv

A sheet line is: hash, kind, part, the texts, label (empty). Parts of a triple: positive, negative; of a contrast: both
queries and the turned document together. A verdict line, the only thing that is committed, is: hash, kind, part,
reader, label. Labels: good; odd (right, but stilted); ungrammatical; wrong (a negative that denies nothing of the
anchor, a positive that turns its direction, queries that are not answered by their own document and by it alone).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

SEED = 20261115
LABELS = ("good", "odd", "ungrammatical", "wrong")
BAD = ("ungrammatical", "wrong")


def rows_of(line: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Kind, part and what the reader sees, of one triple or contrast."""
    if "anchor" in line:
        return [(line[f"{part}_kind"], part, f"{line['anchor']}  ⇒  {line[part]}") for part in ("positive", "negative")]
    shown = " ‖ ".join(f"{name}: {line[name]}" for name in ("q1", "q2", "doc1", "doc2"))
    return [(f"{line.get('kind', '')}, {line.get('style', '')}", "contrast", shown)]


def make_sheet(source: Path, out: Path, count: int, seed: int) -> None:
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    drawn = random.Random(seed).sample(lines, min(count, len(lines)))
    with out.open("w", encoding="utf-8", newline="") as stream:
        sheet = csv.writer(stream, delimiter="\t")
        for line in drawn:
            for kind, part, shown in rows_of(line):
                digest = hashlib.sha256("\0".join((kind, part, shown)).encode()).hexdigest()[:16]
                sheet.writerow([digest, kind, part, shown, ""])


def fold(paths: list[Path]) -> str:
    """Labels by part and kind, and the agreement of the two readers, as Markdown."""
    first: dict[str, tuple[str, str, str]] = {}
    second: dict[str, str] = {}
    for path in paths:
        for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"):
            if row["label"] not in LABELS:
                raise SystemExit(f"{path}: unknown label {row['label']!r}; expected one of {', '.join(LABELS)}")
            if row["reader"] == "first":
                first[row["hash"]] = (row["part"], row["kind"], row["label"])
            else:
                second[row["hash"]] = row["label"]
    table = ["| part | kind | read | good | odd | ungrammatical | wrong |", "|---|---|---|---|---|---|---|"]
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for part, kind, label in first.values():
        counts[part, "all"][label] += 1
        counts[part, kind][label] += 1
    for (part, kind), labels in sorted(counts.items()):
        total = sum(labels.values())
        cells = " | ".join(f"{labels[label]} ({100 * labels[label] / total:.1f} %)" for label in LABELS)
        table.append(f"| {part} | {kind} | {total} | {cells} |")
    shared = [(first[name][2] in BAD, label in BAD) for name, label in second.items() if name in first]
    agreed = sum(a == b for a, b in shared)
    return "\n".join(table) + f"\n\nRead twice: {len(shared)}; agreed on good or bad: {agreed}."


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("source", type=Path)
    sheet.add_argument("--out", type=Path, required=True)
    sheet.add_argument("--count", type=int, default=200)
    sheet.add_argument("--seed", type=int, default=SEED)
    folding = commands.add_parser("fold")
    folding.add_argument("verdicts", type=Path, nargs="+")
    given = options.parse_args()
    if given.command == "sheet":
        make_sheet(given.source, given.out, given.count, given.seed)
    else:
        print(fold(given.verdicts))


if __name__ == "__main__":
    main()
