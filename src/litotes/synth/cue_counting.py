"""How far counting cues goes: a baseline that sees of each text only which negation cues stand in it, and how many.

For an anchor and two candidates it says which candidate is the positive. What it knows is a table, learnt from the
other half of the anchors: how often a candidate with these cues was the positive of an anchor with those. Triples it
gets wrong, or cannot decide, are beyond it: there an encoder has to understand.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from litotes.detection import PlainWord, scan
from litotes.lexicon import table

_WORD = re.compile(r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|can(?=not\b)|[^\W_]+(?:-[^\W_]+)*", re.IGNORECASE)
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


@lru_cache(maxsize=65536)
def bag(text: str) -> Bag:
    """The negation cues of a text, sorted; n't is not."""
    words = [PlainWord(match[0].lower().replace("’", "'"), "") for match in _WORD.finditer(text)]
    found = [" ".join(words[place].lower for place in places) for places, _ in scan(words)]
    found += [match[0].lower() for match in _exceptors().finditer(text)]
    return tuple(sorted({"n't": "not"}.get(cue, cue) for cue in found))


@lru_cache(maxsize=1)
def _exceptors() -> re.Pattern[str]:
    """The exceptors, the longest first; "but", "save" and "bar" only where they follow a quantifier."""
    quantified = {row["cue"] for row in table("exceptors") if row["guard"] == "quantified"}
    plain = [row["cue"] for row in table("exceptors") if row["guard"] in {"any", "preposition"}]
    longest = sorted(plain, key=len, reverse=True)
    after = "|".join(rf"(?<={word} )" for word in ("all", "everyone", "everybody", "everything", "nobody", "no one"))
    return re.compile(rf"\b(?:{'|'.join(longest)})\b|(?:{after})(?:{'|'.join(sorted(quantified))})\b", re.IGNORECASE)


def count_cues(lines: Callable[[], Iterable[dict[str, Any]]]) -> CueCounting:
    """Run the baseline over triple lines, which are read twice: to learn and to judge, each half by the other."""
    seen: Counter[tuple[int, Bag, Bag, bool]] = Counter()
    for half, anchor, positive, negative in _bags(lines()):
        seen[half, anchor, positive, True] += 1
        seen[half, anchor, negative, False] += 1
    triples = right = undecided = 0
    for half, anchor, positive, negative in _bags(lines()):
        good, bad = (_share(seen, 1 - half, anchor, candidate) for candidate in (positive, negative))
        triples += 1
        right += good > bad
        undecided += good == bad
    return CueCounting(triples, right, undecided)


def _bags(lines: Iterable[dict[str, Any]]) -> Iterator[tuple[int, Bag, Bag, Bag]]:
    for line in lines:
        half = hashlib.sha256(line["id"].split("/")[0].encode()).digest()[0] % 2
        yield half, bag(line["anchor"]), bag(line["positive"]), bag(line["negative"])


def _share(seen: Counter[tuple[int, Bag, Bag, bool]], half: int, anchor: Bag, candidate: Bag) -> float:
    """How often a candidate with these cues was the positive; with one doubt of each kind."""
    good, bad = (seen[half, anchor, candidate, label] for label in (True, False))
    return (good + 1) / (good + bad + 2)
