"""Statistics of the data: kinds, cues, distances, lengths, what was dropped, and the cue-counting baseline.

Each block is counted when it is made, in tables of plain numbers. Merging the blocks adds the tables up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import Levenshtein

from litotes.data.lengths import Lengths
from litotes.synthesis.cue_counting import run_baseline, triple_key

MOST_CUES = 60
"""The number of cues that the manifest lists."""
BIN = 5
"""The bin width for edit distances in characters and for lengths in words."""
TEXTS = {
    "triples": ("anchor", "positive", "negative"),
    "contrasts": ("q1", "q2", "doc1", "doc2"),
    "pairs": ("premise", "hypothesis"),
    "instructions": (),
    "quadruples": ("a1", "a2", "b1", "b2"),
}
GROUPED_BY = ("negative_kind", "positive_kind", "kind", "style", "label", "mechanism")
Tables = dict[str, Counter[str]]


def count_lines(data_type: str, lines: Iterable[Mapping[str, Any]], reasons: Mapping[str, int]) -> Tables:
    """Return the tables of some lines of one type, and of what was dropped, by reason."""
    lines = list(lines)
    columns: dict[str, Iterable[object]] = {}
    for name in GROUPED_BY:
        columns[f"by {name.replace('_', ' ')}"] = [line[name] for line in lines if name in line]
    for name in TEXTS[data_type]:
        columns[f"words {name}"] = [_words(line[name]) for line in lines if line.get(name)]
    if data_type == "triples":
        for place, name in enumerate(("positive", "negative")):
            columns[f"by {name} cue"] = [line["cues"][place].lower().replace("’", "'") for line in lines]
        columns["distances"] = [_distance(line["anchor"], line["negative"]) for line in lines]
        columns["cue keys"] = [
            triple_key(line["id"], line["anchor"], line["positive"], line["negative"]) for line in lines
        ]
    else:
        columns["by cue"] = [line["cue"].lower() for line in lines if line.get("cue")]
    tables = {name: Counter(map(str, column)) for name, column in columns.items()}
    return {"reasons": Counter(reasons)} | {name: table for name, table in tables.items() if table}


# The same anchor and negative are in several lines of a block.
@lru_cache(maxsize=4096)
def _words(text: str) -> int:
    return len(text.split())


@lru_cache(maxsize=4096)
def _distance(anchor: str, negative: str) -> int:
    return Levenshtein.distance(anchor, negative)


def profile(data_type: str, tables: Tables) -> dict[str, Any]:
    """Return the part of the manifest about one type of data."""
    result: dict[str, Any] = {"kept": tables["reasons"]["kept"]}
    result |= {name: dict(_most_common(tables[name])) for name in sorted(tables) if name.startswith("by ")}
    if "distances" in tables:
        result["distances"] = _binned(tables["distances"])
    lengths = {name: _numbers(tables.get(f"words {name}", Counter())) for name in TEXTS[data_type]}
    result["lengths"] = {name: Lengths(numbers).line() for name, numbers in lengths.items()}
    result["words"] = {name: _binned(tables.get(f"words {name}", Counter())) for name in TEXTS[data_type]}
    if "cue keys" in tables:
        result["cue counting"] = run_baseline(tables["cue keys"]).line()
    return result | {"dropped": _dropped(tables["reasons"])}


def _most_common(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return the most common values; equal counts are sorted by name, so that the order of blocks has no effect."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CUES]


def _numbers(counts: Counter[str]) -> Counter[int]:
    return Counter({int(value): times for value, times in counts.items()})


def _binned(counts: Counter[str]) -> dict[str, int]:
    """Return the counts by the lower bound of each bin."""
    bins: Counter[int] = Counter()
    for value, times in _numbers(counts).items():
        bins[value // BIN * BIN] += times
    return {str(at): bins[at] for at in sorted(bins)}


def _dropped(reasons: Counter[str]) -> dict[str, dict[str, int]]:
    """Return the counts by kind and reason; reasons without a kind are under "all"."""
    dropped: dict[str, dict[str, int]] = {}
    for name, count in sorted(reasons.items()):
        kind, colon, reason = name.partition(": ")
        if not name.startswith("kept") and count:
            dropped.setdefault(kind if colon else "all", {})[reason if colon else name] = count
    return dropped
