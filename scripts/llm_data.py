"""Split triples into training data for a language model and test data of other kinds and cues:

python scripts/mini_data.py --data DIR --out MADE
python scripts/llm_data.py --made MADE --out OUT
litotes train OUT/seen.jsonl --recipe llm --measure opposites:OUT/unseen.jsonl --out RUN

OUT/seen.jsonl has no affixal or contrary negations, no synonyms or clefts among the paraphrases, and none of the cues
of these kinds. OUT/unseen.jsonl has only these kinds, from other anchors, with as many opposites as paraphrases.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SEEN = frozenset({"verbal", "absolute", "contradiction", "lexical"})
HELD_BACK = frozenset({"affixal", "contrary"})
PARAPHRASES = frozenset({"synonym", "cleft"})
CUES = re.compile(r"\b(?:none|nobody|no one|no-one|neither|nor|nothing)\b", re.IGNORECASE)
COMMON = frozenset({"no", "not", "n't", "never"})
"""Cues that occur in all kinds of negation. A triple with one of them does not count as unseen."""
MOST_UNSEEN = 500


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--made", type=Path, required=True, help="the folder that mini_data.py wrote")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--examples", type=int, default=4000)
    arguments = options.parse_args()
    text = (arguments.made / "triples" / "triples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    draw = random.Random(0)
    draw.shuffle(rows)
    unseen = _unseen(rows)
    anchors = {row["anchor"] for row in unseen}
    cues = {row["cues"][1] for row in unseen}
    seen = [row for row in rows if row["anchor"] not in anchors and _may_be_seen(row, cues)]
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, triples in (("seen", _by_kind(seen, arguments.examples)), ("unseen", unseen)):
        _write(arguments.out / f"{name}.jsonl", triples)
        print(f"{name}: {len(triples)} triples")
    return 0


def _unseen(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return triples whose negation and paraphrase are both of a held-back kind, one per anchor."""
    by_anchor: dict[str, dict[str, Any]] = {}
    for row in rows:
        held_back = row["negative_kind"] in HELD_BACK and row["positive_kind"] in PARAPHRASES
        if held_back and row["cues"][1] not in {"", *COMMON}:
            by_anchor.setdefault(row["anchor"], row)
    return list(by_anchor.values())[:MOST_UNSEEN]


def _may_be_seen(row: dict[str, Any], cues: set[str]) -> bool:
    if row["negative_kind"] not in SEEN or row["positive_kind"] in PARAPHRASES or row["cues"][1] in cues:
        return False
    return not any(CUES.search(row[name]) for name in ("positive", "negative"))


def _by_kind(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return equal numbers of each kind of negation."""
    each = count // len(SEEN)
    return [row for kind in sorted(SEEN) for row in [row for row in rows if row["negative_kind"] == kind][:each]]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
