"""Make sheets for reading synthesised triples and contrasts, and summarise the verdicts.

python scripts/reading_synth.py sheet triples.jsonl --count 200 --out SHEET
python scripts/reading_synth.py fold docs/reading/synth*.tsv

A line of a sheet is: hash, kind, part, the texts, label (empty). A triple has two parts, positive and negative. A
contrast is read as a whole. A verdict is: hash, kind, part, reader, label. Only verdicts are committed. The labels are
good, odd (right, but stilted), ungrammatical and wrong. Wrong is a negative that does not deny the anchor, a positive
that reverses it, or a query that is not answered by its own document alone.
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
    """Return the kind, the part and the shown text of each row of a triple or contrast."""
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
    """Return the labels by part and kind, and the agreement of the two readers, as Markdown."""
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
    arguments = options.parse_args()
    if arguments.command == "sheet":
        make_sheet(arguments.source, arguments.out, arguments.count, arguments.seed)
    else:
        print(fold(arguments.verdicts))


if __name__ == "__main__":
    main()
