"""Pairs in the shape of CANNOT: near enough to each other, in both orders, each once, as many of each label."""

from __future__ import annotations

import hashlib
import string
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from litotes.types import Pair

JACCARD = 0.55
DIFFERENCE = 3
"""CANNOT drops pairs that differ in length by four or more words"""
REMEMBERED = 100_000
WAITING = 10_000


def words(text: str) -> set[str]:
    """The different words between white space, without the punctuation around them; capitals count, as in CANNOT."""
    return {word.strip(string.punctuation) for word in text.split()}


def jaccard(first: str, second: str) -> float:
    """The share of common words among all words of two texts; two empty texts share everything."""
    ours, theirs = words(first), words(second)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0


def refusal(first: str, second: str) -> str:
    """Why two texts are no minimal pair, or ""."""
    if first.strip() == second.strip():
        return "the two texts are the same"
    if abs(len(first.split()) - len(second.split())) > DIFFERENCE:
        return f"lengths differ by more than {DIFFERENCE} words"
    if jaccard(first, second) < JACCARD:
        return f"Jaccard similarity below {JACCARD}"
    return ""


def balance(pairs: Iterable[Pair], *, counts: Counter[str]) -> Iterator[Pair]:
    """As many pairs of label 0 as of label 1: each waits for one of the other label; those left over are counted."""
    waiting: dict[int, deque[Pair]] = {0: deque(), 1: deque()}
    for pair in pairs:
        mine, others = waiting[pair.label], waiting[1 - pair.label]
        if others:
            yield others.popleft()
            yield pair
        elif len(mine) < WAITING:
            mine.append(pair)
        else:
            counts[f"left over, label {pair.label}"] += 1
    for label, left in waiting.items():
        if left:
            counts[f"left over, label {label}"] += len(left)


def each_once(pairs: Iterable[Pair], *, counts: Counter[str]) -> Iterator[Pair]:
    """Every pair that did not come before, in either order; those that did are counted.

    Only the last pairs are remembered, so that a stream of any length fits into memory.
    """
    seen: dict[bytes, int] = {}
    for pair in pairs:
        key = unordered(pair.premise, pair.hypothesis)
        if key in seen:
            counts["the same pair again" if seen[key] == pair.label else "the same pair with the other label"] += 1
            continue
        seen[key] = pair.label
        if len(seen) > REMEMBERED:
            del seen[next(iter(seen))]
        yield pair


def with_swapped(pairs: Iterable[Pair], *, swapped: bool = True, counts: Counter[str]) -> Iterator[Pair]:
    """Each pair, and after it the same in the other order; both are counted as kept, by their label."""
    for pair in pairs:
        counts[f"kept, label {pair.label}"] += 1
        yield pair
        if swapped:
            counts[f"kept, label {pair.label}"] += 1
            yield replace(pair, id=f"{pair.id}/swapped", premise=pair.hypothesis, hypothesis=pair.premise)


def unordered(first: str, second: str, *, seed: str = "") -> bytes:
    """A hash of two texts that is the same for both orders."""
    texts = "\0".join(sorted((first, second)))
    return hashlib.blake2b(f"{seed}\0{texts}".encode("utf-8", "replace"), digest_size=8).digest()
