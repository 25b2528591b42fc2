"""Make labelled rows for the fluency check, and measure how many bad and good rewrites it refuses.

python scripts/fluency_report.py sheet --data DIR --lines FILE --out SHEET.jsonl    rewrites, to be labelled
python scripts/fluency_report.py score SHEET.jsonl LABELS.tsv --out VERDICTS.tsv   the disfluency of each labelled row
python scripts/fluency_report.py fold VERDICTS.tsv                                 print the table as Markdown

FILE has a register, a tab and a sentence per line. A line of LABELS.tsv is a hash and a label: good, odd, ungrammatical
or wrong, as in scripts/reading.py. Only verdicts are committed. They have hashes, and no texts.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litotes.synthesis.fluency import THRESHOLD, disfluency
from litotes.types import Edit, Rewrite
from scripts.reading import BAD, LABELS, row_hash, sentences

SEED = 20261333
TEXTS, ROWS = 40, 70
"""Texts to draw per file of anchors, and rewrites to read per file."""
LONGEST = 400
FIELDS = ("hash", "set", "half", "kind", "label", "disfluency")


def make_sheet(data: Path, lines: Path, out: Path) -> None:
    """Write rewrites of drawn anchors and of all lines. Half of the texts are for development, half for the report."""
    draw = random.Random(SEED)
    rows: list[dict[str, Any]] = []
    for file in sorted((data / "anchors").iterdir()):
        texts = [text for text in sentences(file, TEXTS, SEED) if len(text) < LONGEST]
        made = list(_rewrites("anchors", file.stem, texts))
        rows += draw.sample(made, min(ROWS, len(made)))
    own = [line.split("\t", 1)[1] for line in lines.read_text(encoding="utf-8").splitlines()]
    rows += _rewrites("registers", lines.stem, own)
    texts = sorted({row["text"] for row in rows})
    development = set(draw.sample(texts, len(texts) // 2))
    with out.open("w", encoding="utf-8") as stream:
        for row in rows:
            half = "development" if row["text"] in development else "report"
            stream.write(json.dumps({"half": half, **row}, ensure_ascii=False) + "\n")


def _rewrites(name: str, file: str, texts: list[str]) -> Iterator[dict[str, Any]]:
    from litotes import rewrite

    tasks = [*rewrite.all_tasks(), rewrite.task("affirm", "affirm"), rewrite.task("frame", "aside")]
    for text, row in zip(texts, rewrite.rewrite_texts(texts, tasks, verify=True), strict=True):
        for one in row:
            if one:
                edits = [[edit.start, edit.old, edit.new] for edit in one.edits]
                shown = {"kind": one.kind, "text": text, "rewrite": str(one), "edits": edits}
                yield {"hash": row_hash(file, one.kind, text, str(one)), "set": name, **shown}


def score(sheet: Path, labels: Path, out: Path) -> None:
    """Write the labelled rows with their disfluency."""
    from litotes.models.causal import SMOLLM2
    from litotes.models.likelihood import load_likelihood

    label_of = dict(line.split("\t") for line in labels.read_text(encoding="utf-8").splitlines())
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["hash"] in label_of]
    rewrites = [
        Rewrite(row["text"], row["kind"], row["rewrite"], "", tuple(Edit(*edit) for edit in row["edits"]))
        for row in rows
    ]
    with out.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, FIELDS, delimiter="\t", extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for row, value in zip(rows, disfluency(rewrites, load_likelihood(SMOLLM2)), strict=True):
            table.writerow({**row, "label": label_of[row["hash"]], "disfluency": f"{value:.2f}"})


def fold(path: Path, threshold: float) -> str:
    """Return how many rows of each label the check refuses, by half and set, as Markdown."""
    rows = list(csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"))
    lines = ["| half | rewrites of | label | rows | refused | % |", "|---|---|---|---|---|---|"]
    for half in ("development", "report"):
        for name in (*dict.fromkeys(row["set"] for row in rows), "all"):
            chosen = [row for row in rows if row["half"] == half and name in (row["set"], "all")]
            for label, members in ((LABELS[0], LABELS[:1]), (LABELS[1], LABELS[1:2]), ("bad", BAD)):
                values = [float(row["disfluency"]) for row in chosen if row["label"] in members]
                refused = sum(value > threshold for value in values)
                share = f"{100 * refused / len(values):.1f}" if values else "–"
                lines.append(f"| {half} | {name} | {label} | {len(values)} | {refused} | {share} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("--data", type=Path, required=True)
    sheet.add_argument("--lines", type=Path, required=True)
    sheet.add_argument("--out", type=Path, required=True)
    scoring = commands.add_parser("score")
    scoring.add_argument("sheet", type=Path)
    scoring.add_argument("labels", type=Path)
    scoring.add_argument("--out", type=Path, required=True)
    folding = commands.add_parser("fold")
    folding.add_argument("verdicts", type=Path)
    folding.add_argument("--threshold", type=float, default=THRESHOLD)
    arguments = options.parse_args()
    if arguments.command == "sheet":
        make_sheet(arguments.data, arguments.lines, arguments.out)
    elif arguments.command == "score":
        score(arguments.sheet, arguments.labels, arguments.out)
    else:
        print(fold(arguments.verdicts, arguments.threshold), end="")


if __name__ == "__main__":
    main()
