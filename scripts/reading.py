"""Make sheets for reading the rewriter's output on real sentences, and summarise the verdicts.

python scripts/reading.py sheet --data DIR --out FOLDER     write one sheet per file of anchors, to be labelled
python scripts/reading.py sheet --sentences FILE --out FOLDER     write a sheet of all sentences of a file
python scripts/reading.py fold VERDICTS…                    print counts and agreement as Markdown

A line of a sheet is: hash, kind, text, rewrite, label (empty). A verdict is: hash, file, kind, reader, label. Only
verdicts are committed. docs/labelling-rewrites.md explains the labels. If `verbal` made no rewrite, the label is
no-verb (there is no finite verb to negate) or missed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from litotes.stats import cohen_kappa

SEED = 20261125
LABELS = ("good", "odd", "clash", "ungrammatical", "wrong", "no-verb", "missed")
MADE = LABELS[:5]
BAD = ("ungrammatical", "wrong")
OURS = "registers"
"""The file of our own sentences."""


def sentences(file: Path, count: int, seed: int) -> list[str]:
    """Draw texts from one file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    if file.suffix == ".jsonl":
        lines = [json.loads(line)["text"] for line in lines]
    return random.Random(f"{seed}{file.stem}").sample([line.strip() for line in lines if line.strip()], count)


def row_hash(file: str, kind: str, text: str, rewrite: str) -> str:
    return hashlib.sha256("\0".join((file, kind, text, rewrite)).encode()).hexdigest()[:16]


def make_sheet(name: str, texts: Sequence[str], out: Path) -> None:
    """Write every rewrite of the texts, and an empty one where `verbal` made none."""
    from litotes import rewrite

    tasks = [*rewrite.all_tasks(), rewrite.task("affirm", "affirm")]
    out.mkdir(parents=True, exist_ok=True)
    with (out / f"{name}.tsv").open("w", encoding="utf-8", newline="") as stream:
        sheet = csv.writer(stream, delimiter="\t")
        for text, row in zip(texts, rewrite.rewrite_texts(texts, tasks), strict=True):
            for result in row:
                if result or result.kind == "verbal":
                    new = str(result)
                    sheet.writerow([row_hash(name, result.kind, text, new), result.kind, text, new, ""])


def fold(paths: list[Path]) -> str:
    """Return labels by kind, rewrites of verbal by file, and the agreement of the two readers, as Markdown."""
    first: dict[str, tuple[str, str, str]] = {}
    second: dict[str, str] = {}
    for path in paths:
        for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"):
            if row["label"] not in LABELS:
                raise SystemExit(f"{path}: {row['label']!r} is not a label; expected one of {', '.join(LABELS)}")
            if row["reader"] == "first":
                first[row["hash"]] = (row["file"], row["kind"], row["label"])
            else:
                second[row["hash"]] = row["label"]
    parts = [_by_kind(first), _by_kind(first, files=True), _production(first), _agreement(first, second)]
    return "\n\n".join(parts) + "\n"


def _by_kind(first: dict[str, tuple[str, str, str]], *, files: bool = False) -> str:
    """Return the labels of each kind, or their shares among anchors and among our own sentences."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for file, kind, label in first.values():
        place = "" if not files else OURS if file == OURS else "anchors"
        counts[kind, place][label] += 1
    columns = ["kind", "texts"] if files else ["kind"]
    columns += ["rewrites", *([] if files else MADE), "bad, %", "odd, %", "clash, %"]
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for (kind, place), labels in sorted(counts.items()) if files else counts.items():
        made = sum(labels[label] for label in MADE)
        if made:
            shares = [sum(labels[label] for label in group) / made for group in (BAD, ("odd",), ("clash",))]
            cells = [kind, *([place] if files else []), made, *([] if files else [labels[label] for label in MADE])]
            lines.append("| " + " | ".join([*map(str, cells), *(f"{100 * share:.1f}" for share in shares)]) + " |")
    return "\n".join(lines)


def _production(first: dict[str, tuple[str, str, str]]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for file, kind, label in first.values():
        if kind == "verbal":
            counts[file]["made" if label in MADE else label] += 1
    lines = ["| file | with a finite verb | verbal produced | % | without a finite verb |", "|---|---|---|---|---|"]
    for file, labels in sorted(counts.items()):
        able = labels["made"] + labels["missed"]
        lines.append(
            f"| {file} | {able} | {labels['made']} | {100 * labels['made'] / max(able, 1):.1f} | {labels['no-verb']} |"
        )
    return "\n".join(lines)


def _agreement(first: dict[str, tuple[str, str, str]], second: dict[str, str]) -> str:
    both = [(_verdict(first[key][2]), _verdict(label)) for key, label in second.items() if key in first]
    if not both:
        return "No second reading."
    agreed = sum(a == b for a, b in both) / len(both)
    kappa = cohen_kappa(*zip(*both, strict=True))
    share = 100 * len(both) / len(first)
    return (
        f"Second, blind reading: {len(both)} rows ({share:.0f}%). On acceptable (good, odd, no-verb) or not: "
        f"agreement {100 * agreed:.1f}%, Cohen's kappa {kappa:.2f}."
    )


def _verdict(label: str) -> str:
    return "bad" if label in {*BAD, "missed"} else "fine"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    source = sheet.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path, help="the folder that has anchors/")
    source.add_argument("--sentences", type=Path, help="a file of our own sentences, all of which are rewritten")
    sheet.add_argument("--out", type=Path, required=True)
    sheet.add_argument("--count", type=int, default=100)
    sheet.add_argument("--seed", type=int, default=SEED)
    commands.add_parser("fold").add_argument("verdicts", type=Path, nargs="+")
    arguments = options.parse_args()
    if arguments.command == "sheet":
        if arguments.sentences:
            lines = arguments.sentences.read_text(encoding="utf-8").splitlines()
            make_sheet(OURS, [line for line in lines if line.strip()], arguments.out)
            return
        for file in sorted((arguments.data / "anchors").iterdir()):
            make_sheet(file.stem, sentences(file, arguments.count, arguments.seed), arguments.out)
    else:
        print(fold(arguments.verdicts), end="")


if __name__ == "__main__":
    main()
