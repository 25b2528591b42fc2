"""Build CANNOT-WMT: CANNOT's pairs with the score 0 or 1, and people's z-scores of translations, in three splits.

The split depends on a hash of the two texts. So a pair and its swapped copy are in the same split, and a row keeps its
split if other rows are added or removed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.builders.source_files import Files, Source, objects, plain, table
from litotes.data.pairing import pair_hash
from litotes.errors import InputError

SOURCES = (
    Source(
        "cannot",
        "CANNOT as released: a .tsv with premise, hypothesis, label, where 1 is negated",
        "https://github.com/dmlls/cannot-dataset",
    ),
    Source("pairs", "pairs that litotes data build cannot wrote: 1 is the same meaning", "litotes"),
    Source(
        "wmt",
        "ratings of the WMT Metrics task: JSON lines with candidate, reference, score, year and lang, or a table",
        "https://github.com/google-research/bleurt, scripts for WMT 2015 to 2017",
    ),
)
YEARS = frozenset({"2015", "2016", "2017"})
LOWEST = -1.0
SHARES = (("train", 0.8), ("eval", 0.9), ("test", 1.0))


@dataclass(frozen=True, slots=True)
class ScoredTranslation:
    """A candidate, its reference and a score: 1 for the same meaning, 0 for its negation, or a z-score of ratings."""

    candidate: str
    reference: str
    source: str
    score: float
    split: str

    def line(self) -> dict[str, Any]:
        """Return the released columns, and the split, which selects the file."""
        return {
            "candidate": self.candidate,
            "reference": self.reference,
            "source": self.source,
            "score": self.score,
            "split": self.split,
        }


def build(files: Files, *, seed: int = 0, counts: Counter[str]) -> Iterator[ScoredTranslation]:
    """Yield every row of the given sources."""
    read = {"cannot": released_pairs, "pairs": built_pairs, "wmt": wmt}
    rows = chain.from_iterable(read[name](path, counts) for name in read for path in files.get(name, ()))
    for candidate, reference, source, score in rows:
        if not candidate or not reference:
            counts["an empty text"] += 1
            continue
        counts[f"kept, {source}"] += 1
        yield ScoredTranslation(candidate, reference, source, score, split(candidate, reference, seed=seed))


def split(first: str, second: str, *, seed: int = 0) -> str:
    """Return train, eval or test (80:10:10), the same for both orders of a pair."""
    share = int.from_bytes(pair_hash(first, second, seed=str(seed)), "big") / 2**64
    return next(name for name, bound in SHARES if share < bound)


Fields = tuple[str, str, str, float]
"""Candidate, reference, source and score."""


def released_pairs(path: Path, counts: Counter[str]) -> Iterator[Fields]:
    """Yield the rows of CANNOT's own table, whose label 1 means negated. The score is the opposite."""
    for where, row in table(path, ("premise", "hypothesis", "label")):
        if "kind" in row:
            raise InputError(f"{path} has a column “kind”, so litotes built it; pass it as pairs={path}")
        yield plain(row["hypothesis"]), plain(row["premise"]), "cannot", 1.0 - _label(row["label"], where)


def built_pairs(path: Path, counts: Counter[str]) -> Iterator[Fields]:
    """Yield the pairs of a file that litotes built, JSON lines or a table. The label is the score."""
    rows: Iterator[tuple[str, dict[str, Any]]]
    texts = ("premise", "hypothesis", "kind")
    if path.suffix == ".jsonl":
        rows = ((where, {**row, "label": str(row.get("label"))}) for where, row in objects(path, texts))
    else:
        rows = table(path, (*texts, "label"))
    for where, row in rows:
        yield plain(row["hypothesis"]), plain(row["premise"]), "cannot", _label(row["label"], where)


def wmt(path: Path, counts: Counter[str]) -> Iterator[Fields]:
    """Yield ratings above -1 of translations into English from 2015 to 2017, as in the paper."""
    needed = ("candidate", "reference")
    rows = table(path, (*needed, "score")) if path.suffix in {".csv", ".tsv"} else objects(path, needed)
    for where, row in rows:
        year = str(row.get("year") or row.get("source") or "").removeprefix("wmt_")
        score = _score(row.get("score"), where)
        reason = _refused(year, str(row.get("lang") or ""), score)
        if reason:
            counts[f"wmt: {reason}"] += 1
        else:
            yield plain(row["candidate"]), plain(row["reference"]), f"wmt_{year}", score


def _refused(year: str, languages: str, score: float) -> str:
    if year not in YEARS:
        return "another year than 2015 to 2017"
    if languages and not languages.endswith("en"):
        return "not into English"
    return "" if score > LOWEST else f"a score of {LOWEST:g} or below"


def _label(text: str, where: str) -> float:
    if text not in {"0", "1"}:
        raise InputError(f"{where}: the label is {text!r}; expected 0 or 1")
    return float(text)


def _score(value: Any, where: str) -> float:
    try:
        score = float(value)
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{where}: the score is {value!r}; expected a number")
    return score
