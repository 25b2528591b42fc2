"""The cue-counting baseline: it sees only which negation cues a text has, and how many.

For an anchor and two candidates, it says which candidate is the positive. It uses a table, learned from the other half
of the anchors: how often a candidate with these cues was the positive of an anchor with those cues. Triples that it
gets wrong or cannot decide require an understanding of the text.
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

from litotes.detection import find_text_cues, split_words
from litotes.lexicon import table

CueBag = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CueCounting:
    """The baseline's result on a set of triples."""

    triples: int
    right: int
    undecided: int

    @property
    def unsolved(self) -> float:
        """The share of the triples that counting cues does not solve."""
        return 1 - self.right / self.triples if self.triples else 0.0

    def line(self) -> dict[str, Any]:
        """Return the part of the manifest about the baseline."""
        accuracy = round(self.right / self.triples, 4) if self.triples else None
        return {"accuracy": accuracy, "undecided": self.undecided, "unsolved": round(self.unsolved, 4)}


@lru_cache(maxsize=4096)
def cue_bag(text: str) -> CueBag:
    """Return the negation cues of a text, sorted; "n't" counts as "not"."""
    cues = [" ".join(text[slice(*span)] for span in cue.spans).lower() for cue in find_text_cues(text)]
    if not _exceptor_words().isdisjoint(split_words(text)):
        cues += [match[0].lower() for match in _exceptors().finditer(text)]
    return tuple(sorted("not" if cue in {"n't", "n’t"} else cue for cue in cues))


@lru_cache(maxsize=1)
def _exceptor_words() -> frozenset[str]:
    return frozenset(row["cue"].split()[0] for row in table("exceptors"))


@lru_cache(maxsize=1)
def _exceptors() -> re.Pattern[str]:
    """Match the exceptors, the longest first; "but", "save" and "bar" match only after a quantifier."""
    quantified = {row["cue"] for row in table("exceptors") if row["guard"] == "quantified"}
    plain = [row["cue"] for row in table("exceptors") if row["guard"] in {"any", "preposition"}]
    longest = sorted(plain, key=len, reverse=True)
    after = "|".join(rf"(?<={word} )" for word in ("all", "everyone", "everybody", "everything", "nobody", "no one"))
    return re.compile(rf"\b(?:{'|'.join(longest)})\b|(?:{after})(?:{'|'.join(sorted(quantified))})\b", re.IGNORECASE)


def triple_key(name: str, anchor: str, positive: str, negative: str) -> str:
    """Return all that the baseline sees of a triple: its half, and the cues of its three texts."""
    return _to_key(_half(name.partition("/")[0]), cue_bag(anchor), cue_bag(positive), cue_bag(negative))


@lru_cache(maxsize=64)
def _half(anchor: str) -> int:
    return hashlib.sha256(anchor.encode()).digest()[0] % 2


@lru_cache(maxsize=4096)
def _to_key(half: int, *bags: CueBag) -> str:
    return json.dumps([half, *bags], ensure_ascii=False)


def run_baseline(counts: Mapping[str, int]) -> CueCounting:
    """Run the baseline on triples, given as the number of times each key occurs. Each half is judged by the other."""
    seen: Counter[tuple[int, CueBag, CueBag, bool]] = Counter()
    triples = [(_from_key(key), times) for key, times in counts.items()]
    for (half, anchor, positive, negative), times in triples:
        seen[half, anchor, positive, True] += times
        seen[half, anchor, negative, False] += times
    right = undecided = 0
    for (half, anchor, positive, negative), times in triples:
        good, bad = (_share(seen, 1 - half, anchor, candidate) for candidate in (positive, negative))
        right += times * (good > bad)
        undecided += times * (good == bad)
    return CueCounting(sum(counts.values()), right, undecided)


def _from_key(key: str) -> tuple[int, CueBag, CueBag, CueBag]:
    half, anchor, positive, negative = json.loads(key)
    return half, tuple(anchor), tuple(positive), tuple(negative)


def _share(seen: Counter[tuple[int, CueBag, CueBag, bool]], half: int, anchor: CueBag, candidate: CueBag) -> float:
    """Return how often a candidate with these cues was the positive, with add-one smoothing."""
    good, bad = (seen[half, anchor, candidate, label] for label in (True, False))
    return (good + 1) / (good + bad + 2)
