"""Reading the rewriter's output on real sentences: make the sheets, fold the verdicts.

python scripts/reading.py sheet --data DIR --out FOLDER     one sheet a file of anchors, for a person to label
python scripts/reading.py fold VERDICTS…                    counts and agreement as Markdown, from committed verdicts

A sheet line is: hash, kind, text, rewrite, label (empty). A verdict line, the only thing that is committed, is:
hash, file, kind, reader, label. Labels: good; odd (right, but stilted); ungrammatical; wrong (not the asked meaning);
and for verbal without a rewrite: no-verb (nothing finite to negate) or missed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

SEED = 20261125
LABELS = ("good", "odd", "ungrammatical", "wrong", "no-verb", "missed")
BAD = ("ungrammatical", "wrong")


def sentences(file: Path, count: int, seed: int) -> list[str]:
    """The drawn texts of one file; of a paragraph its first 400 characters are enough to judge the first sentence."""
    lines = file.read_text(encoding="utf-8").splitlines()
    if file.suffix == ".jsonl":
        lines = [json.loads(line)["text"] for line in lines]
    return random.Random(f"{seed}{file.stem}").sample([line.strip() for line in lines if line.strip()], count)


def row_hash(file: str, kind: str, text: str, rewrite: str) -> str:
    return hashlib.sha256("\0".join((file, kind, text, rewrite)).encode()).hexdigest()[:16]


def make_sheets(data: Path, out: Path, count: int, seed: int) -> None:
    from litotes import rewrite

    tasks = [*rewrite.all_tasks(), rewrite.task("affirm", "affirm")]
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted((data / "anchors").iterdir()):
        texts = sentences(file, count, seed)
        with (out / f"{file.stem}.tsv").open("w", encoding="utf-8", newline="") as stream:
            sheet = csv.writer(stream, delimiter="\t")
            for text, row in zip(texts, rewrite.pipe(texts, tasks), strict=True):
                for result in row:
                    if result or result.kind == "verbal":
                        made = str(result)
                        sheet.writerow([row_hash(file.stem, result.kind, text, made), result.kind, text, made, ""])


def fold(paths: list[Path]) -> str:
    """The reading as Markdown: labels by kind, production of verbal by file, agreement of the two readers."""
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
    parts = [_by_kind(first), _production(first), _agreement(first, second)]
    return "\n\n".join(parts) + "\n"


def _by_kind(first: dict[str, tuple[str, str, str]]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for _, kind, label in first.values():
        counts[kind][label] += 1
    lines = ["| kind | rewrites | good | odd | ungrammatical | wrong | bad, % |", "|---|---|---|---|---|---|---|"]
    for kind, found in counts.items():
        made = sum(found[label] for label in LABELS[:4])
        bad = sum(found[label] for label in BAD)
        share = f"{100 * bad / made:.1f}" if made else "–"
        cells = [kind, made, *(found[label] for label in LABELS[:4]), share]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def _production(first: dict[str, tuple[str, str, str]]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for file, kind, label in first.values():
        if kind == "verbal":
            counts[file]["made" if label in LABELS[:4] else label] += 1
    lines = ["| file | with a finite verb | verbal produced | % | without a finite verb |", "|---|---|---|---|---|"]
    for file, found in sorted(counts.items()):
        able = found["made"] + found["missed"]
        lines.append(
            f"| {file} | {able} | {found['made']} | {100 * found['made'] / max(able, 1):.1f} | {found['no-verb']} |"
        )
    return "\n".join(lines)


def _agreement(first: dict[str, tuple[str, str, str]], second: dict[str, str]) -> str:
    both = [(_verdict(first[key][2]), _verdict(label)) for key, label in second.items() if key in first]
    if not both:
        return "No second reading."
    agreed = sum(a == b for a, b in both) / len(both)
    classes = {c for pair in both for c in pair}
    chance = sum(sum(a == c for a, _ in both) * sum(b == c for _, b in both) / len(both) ** 2 for c in classes)
    kappa = (agreed - chance) / (1 - chance) if chance < 1 else 1.0
    share = 100 * len(both) / len(first)
    return (
        f"Second, blind reading: {len(both)} rows ({share:.0f}%). On acceptable (good, odd, no-verb) against not: "
        f"agreement {100 * agreed:.1f}%, Cohen's kappa {kappa:.2f}."
    )


def _verdict(label: str) -> str:
    return "bad" if label in {*BAD, "missed"} else "fine"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("--data", type=Path, required=True)
    sheet.add_argument("--out", type=Path, required=True)
    sheet.add_argument("--count", type=int, default=100)
    sheet.add_argument("--seed", type=int, default=SEED)
    commands.add_parser("fold").add_argument("verdicts", type=Path, nargs="+")
    given = options.parse_args()
    if given.command == "sheet":
        make_sheets(given.data, given.out, given.count, given.seed)
    else:
        print(fold(given.verdicts), end="")


if __name__ == "__main__":
    main()
