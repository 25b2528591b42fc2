"""What a set of lines is made of: kinds, cues, distances, lengths, what was dropped, how far counting cues goes.

Counted where the lines are made, block by block, in tables of plain numbers that are added up when blocks are merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import Levenshtein

from litotes.data.lengths import Lengths
from litotes.synth.cue_counting import bags, judged

MOST = 60
"""cues the manifest names"""
BIN = 5
"""characters of edit distance, or words, that are counted as one"""
TEXTS = {
    "triples": ("anchor", "positive", "negative"),
    "contrasts": ("q1", "q2", "doc1", "doc2"),
    "pairs": ("premise", "hypothesis"),
    "instructions": (),
    "quadruples": ("a1", "a2", "b1", "b2"),
}
SORTED_BY = ("negative_kind", "positive_kind", "kind", "style", "label", "mechanism")
Tables = dict[str, Counter[str]]


def counted(make: str, lines: Iterable[Mapping[str, Any]], reasons: Mapping[str, int]) -> Tables:
    """The tables of some lines of one make, and of what was dropped while they were made."""
    lines = list(lines)
    columns: dict[str, Iterable[object]] = {}
    for name in SORTED_BY:
        columns[f"by {name.replace('_', ' ')}"] = [line[name] for line in lines if name in line]
    for name in TEXTS[make]:
        columns[f"words {name}"] = [_words(line[name]) for line in lines if line.get(name)]
    if make == "triples":
        for place, name in enumerate(("positive", "negative")):
            columns[f"by {name} cue"] = [line["cues"][place].lower().replace("’", "'") for line in lines]
        columns["distances"] = [_distance(line["anchor"], line["negative"]) for line in lines]
        columns["bags"] = [bags(line["id"], line["anchor"], line["positive"], line["negative"]) for line in lines]
    else:
        columns["by cue"] = [line["cue"].lower() for line in lines if line.get("cue")]
    tables = {name: Counter(map(str, column)) for name, column in columns.items()}
    return {"reasons": Counter(reasons)} | {name: table for name, table in tables.items() if table}


# an anchor and a negative come in several lines of a block
@lru_cache(maxsize=4096)
def _words(text: str) -> int:
    return len(text.split())


@lru_cache(maxsize=4096)
def _distance(anchor: str, negative: str) -> int:
    return Levenshtein.distance(anchor, negative)


def profile(make: str, tables: Tables) -> dict[str, Any]:
    """A make's part of the manifest."""
    found: dict[str, Any] = {"kept": tables["reasons"]["kept"]}
    found |= {name: dict(_common(tables[name])) for name in sorted(tables) if name.startswith("by ")}
    if "distances" in tables:
        found["distances"] = _binned(tables["distances"])
    lengths = {name: _numbers(tables.get(f"words {name}", Counter())) for name in TEXTS[make]}
    found["lengths"] = {name: Lengths(numbers).line() for name, numbers in lengths.items()}
    found["words"] = {name: _binned(tables.get(f"words {name}", Counter())) for name in TEXTS[make]}
    if "bags" in tables:
        found["cue counting"] = judged(tables["bags"]).line()
    return found | {"dropped": _dropped(tables["reasons"])}


def _common(counts: Counter[str]) -> list[tuple[str, int]]:
    """The commonest, those that are as common as each other by name: the order of blocks leaves no trace."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST]


def _numbers(counts: Counter[str]) -> Counter[int]:
    return Counter({int(value): times for value, times in counts.items()})


def _binned(counts: Counter[str]) -> dict[str, int]:
    """By the lower bound of each bin."""
    found: Counter[int] = Counter()
    for value, times in _numbers(counts).items():
        found[value // BIN * BIN] += times
    return {str(at): found[at] for at in sorted(found)}


def _dropped(reasons: Counter[str]) -> dict[str, dict[str, int]]:
    """By kind and reason; what no kind is to blame for stands under "all"."""
    found: dict[str, dict[str, int]] = {}
    for name, count in sorted(reasons.items()):
        kind, colon, reason = name.partition(": ")
        if not name.startswith("kept") and count:
            found.setdefault(kind if colon else "all", {})[reason if colon else name] = count
    return found
