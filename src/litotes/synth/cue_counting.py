"""How far counting cues goes: a baseline that sees of each text only which negation cues stand in it, and how many.

For an anchor and two candidates it says which candidate is the positive. What it knows is a table, learnt from the
other half of the anchors: how often a candidate with these cues was the positive of an anchor with those. Triples it
gets wrong, or cannot decide, are beyond it: there an encoder has to understand.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from litotes.detection import PlainWord, may_cue, scan
from litotes.lexicon import table

_WORD = re.compile(r"n't\b|[^\W_]+?(?=n't\b)|can(?=not\b)|[^\W_]+(?:-[^\W_]+)*")
Bag = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CueCounting:
    """What the baseline made of a set of triples."""

    triples: int
    right: int
    undecided: int

    @property
    def beyond(self) -> float:
        """The share of the triples that counting cues does not solve."""
        return 1 - self.right / self.triples if self.triples else 0.0

    def line(self) -> dict[str, Any]:
        """Its part of the manifest."""
        accuracy = round(self.right / self.triples, 4) if self.triples else None
        return {"accuracy": accuracy, "undecided": self.undecided, "beyond": round(self.beyond, 4)}


@lru_cache(maxsize=4096)
def bag(text: str) -> Bag:
    """The negation cues of a text, sorted; n't is not."""
    lowered = _WORD.findall(text.lower().replace("’", "'"))
    found = []
    if any(map(may_cue, lowered)):
        words = [PlainWord(word, "") for word in lowered]
        found = [" ".join(words[place].lower for place in places) for places, _ in scan(words)]
    if not _exceptor_words().isdisjoint(lowered):
        found += [match[0].lower() for match in _exceptors().finditer(text)]
    return tuple(sorted({"n't": "not"}.get(cue, cue) for cue in found))


@lru_cache(maxsize=1)
def _exceptor_words() -> frozenset[str]:
    return frozenset(row["cue"].split()[0] for row in table("exceptors"))


@lru_cache(maxsize=1)
def _exceptors() -> re.Pattern[str]:
    """The exceptors, the longest first; "but", "save" and "bar" only where they follow a quantifier."""
    quantified = {row["cue"] for row in table("exceptors") if row["guard"] == "quantified"}
    plain = [row["cue"] for row in table("exceptors") if row["guard"] in {"any", "preposition"}]
    longest = sorted(plain, key=len, reverse=True)
    after = "|".join(rf"(?<={word} )" for word in ("all", "everyone", "everybody", "everything", "nobody", "no one"))
    return re.compile(rf"\b(?:{'|'.join(longest)})\b|(?:{after})(?:{'|'.join(sorted(quantified))})\b", re.IGNORECASE)


def bags(name: str, anchor: str, positive: str, negative: str) -> str:
    """A triple as the baseline sees it, as a key: its half, and the cues of its three texts."""
    return _written(_half(name.partition("/")[0]), bag(anchor), bag(positive), bag(negative))


@lru_cache(maxsize=64)
def _half(anchor: str) -> int:
    return hashlib.sha256(anchor.encode()).digest()[0] % 2


@lru_cache(maxsize=4096)
def _written(half: int, *bags: Bag) -> str:
    return json.dumps([half, *bags], ensure_ascii=False)


def judged(counts: Mapping[str, int]) -> CueCounting:
    """Run the baseline over triples, given as how often each key comes: each half by what the other taught."""
    seen: Counter[tuple[int, Bag, Bag, bool]] = Counter()
    triples = [(_key(key), times) for key, times in counts.items()]
    for (half, anchor, positive, negative), times in triples:
        seen[half, anchor, positive, True] += times
        seen[half, anchor, negative, False] += times
    right = undecided = 0
    for (half, anchor, positive, negative), times in triples:
        good, bad = (_share(seen, 1 - half, anchor, candidate) for candidate in (positive, negative))
        right += times * (good > bad)
        undecided += times * (good == bad)
    return CueCounting(sum(counts.values()), right, undecided)


def _key(text: str) -> tuple[int, Bag, Bag, Bag]:
    half, anchor, positive, negative = json.loads(text)
    return half, tuple(anchor), tuple(positive), tuple(negative)


def _share(seen: Counter[tuple[int, Bag, Bag, bool]], half: int, anchor: Bag, candidate: Bag) -> float:
    """How often a candidate with these cues was the positive; with one doubt of each kind."""
    good, bad = (seen[half, anchor, candidate, label] for label in (True, False))
    return (good + 1) / (good + bad + 2)
