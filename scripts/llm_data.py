"""Triples to tune a language model on, and others of kinds and cues it has not seen:

python scripts/mini_data.py --data DIR --out MADE
python scripts/llm_data.py --made MADE --out OUT
litotes train OUT/seen.jsonl --recipe llm --measure opposites:OUT/unseen.jsonl --out RUN

OUT/seen.jsonl has no negation by affix or contrary, no synonym and no cleft among the paraphrases, and none of the cues
of those; OUT/unseen.jsonl has those alone, of other anchors, as many opposites as paraphrases.
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
"""cues of negations of every kind: what has one is not unseen"""
MOST_UNSEEN = 500


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--made", type=Path, required=True, help="the folder mini_data.py wrote")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--examples", type=int, default=4000)
    given = options.parse_args()
    text = (given.made / "triples" / "triples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    draw = random.Random(0)
    draw.shuffle(rows)
    unseen = _unseen(rows)
    anchors = {row["anchor"] for row in unseen}
    cues = {row["cues"][1] for row in unseen}
    seen = [row for row in rows if row["anchor"] not in anchors and _may_be_seen(row, cues)]
    given.out.mkdir(parents=True, exist_ok=True)
    for name, found in (("seen", _by_kind(seen, given.examples)), ("unseen", unseen)):
        _write(given.out / f"{name}.jsonl", found)
        print(f"{name}: {len(found)} triples")
    return 0


def _unseen(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Triples whose negation and whose paraphrase are both of a kind held back, one an anchor."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        held_back = row["negative_kind"] in HELD_BACK and row["positive_kind"] in PARAPHRASES
        if held_back and row["cues"][1] not in {"", *COMMON}:
            found.setdefault(row["anchor"], row)
    return list(found.values())[:MOST_UNSEEN]


def _may_be_seen(row: dict[str, Any], cues: set[str]) -> bool:
    if row["negative_kind"] not in SEEN or row["positive_kind"] in PARAPHRASES or row["cues"][1] in cues:
        return False
    return not any(CUES.search(row[name]) for name in ("positive", "negative"))


def _by_kind(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """As many of each kind of negation."""
    each = count // len(SEEN)
    return [row for kind in sorted(SEEN) for row in [row for row in rows if row["negative_kind"] == kind][:each]]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
