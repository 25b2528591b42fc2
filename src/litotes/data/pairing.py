"""Filter labelled pairs as CANNOT does: similar texts, no repeats, both orders, and balanced labels."""

from __future__ import annotations

import hashlib
import string
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from litotes.types import LabelledPair

MIN_JACCARD = 0.55
MAX_LENGTH_DIFFERENCE = 3
"""CANNOT drops pairs that differ in length by four or more words."""
REMEMBERED_PAIRS = 100_000
WAITING_PAIRS = 10_000


def distinct_words(text: str) -> set[str]:
    """Return the distinct words without surrounding punctuation. Capitals count, as in CANNOT."""
    return {word.strip(string.punctuation) for word in text.split()}


def jaccard(first: str, second: str) -> float:
    """Return the Jaccard similarity of the words of two texts; it is 1 for two empty texts."""
    first_words, second_words = distinct_words(first), distinct_words(second)
    union = first_words | second_words
    return len(first_words & second_words) / len(union) if union else 1.0


def refusal(first: str, second: str) -> str:
    """Return why two texts are not a minimal pair, or "" if they are."""
    if first.strip() == second.strip():
        return "the two texts are the same"
    if abs(len(first.split()) - len(second.split())) > MAX_LENGTH_DIFFERENCE:
        return f"lengths differ by more than {MAX_LENGTH_DIFFERENCE} words"
    if jaccard(first, second) < MIN_JACCARD:
        return f"Jaccard similarity below {MIN_JACCARD}"
    return ""


def balance(pairs: Iterable[LabelledPair], *, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield as many pairs with label 0 as with label 1: each waits for one with the other label.

    Pairs without a partner are dropped and counted.
    """
    waiting: dict[int, deque[LabelledPair]] = {0: deque(), 1: deque()}
    for pair in pairs:
        same, others = waiting[pair.label], waiting[1 - pair.label]
        if others:
            yield others.popleft()
            yield pair
        elif len(same) < WAITING_PAIRS:
            same.append(pair)
        else:
            counts[f"left over, label {pair.label}"] += 1
    for label, unmatched in waiting.items():
        if unmatched:
            counts[f"left over, label {label}"] += len(unmatched)


def distinct_pairs(pairs: Iterable[LabelledPair], *, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield every pair that has not occurred before, in either order; count the repeats.

    Only the most recent pairs are remembered, so that a stream of any length fits into memory.
    """
    seen: dict[bytes, int] = {}
    for pair in pairs:
        key = pair_hash(pair.premise, pair.hypothesis)
        if key in seen:
            counts["the same pair again" if seen[key] == pair.label else "the same pair with the other label"] += 1
            continue
        seen[key] = pair.label
        if len(seen) > REMEMBERED_PAIRS:
            del seen[next(iter(seen))]
        yield pair


def with_swapped(
    pairs: Iterable[LabelledPair], *, swapped: bool = True, counts: Counter[str]
) -> Iterator[LabelledPair]:
    """Yield each pair and then the same pair in the other order; count both as kept, by label."""
    for pair in pairs:
        counts[f"kept, label {pair.label}"] += 1
        yield pair
        if swapped:
            counts[f"kept, label {pair.label}"] += 1
            yield replace(pair, id=f"{pair.id}/swapped", premise=pair.hypothesis, hypothesis=pair.premise)


def pair_hash(first: str, second: str, *, seed: str = "") -> bytes:
    """Return a hash of two texts that does not depend on their order."""
    texts = "\0".join(sorted((first, second)))
    return hashlib.blake2b(f"{seed}\0{texts}".encode("utf-8", "replace"), digest_size=8).digest()
