"""Which anchors to take when not all are wanted: those that can serve a rare kind of negation weigh more.

Nothing is parsed here. Words on the surface tell which kind an anchor may serve; it weighs the more, the rarer that is,
and anchors are drawn by weight without replacement (Efraimidis and Spirakis, 2006), by seed and text: the same draw for
any number of workers and any order of shards.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache

from litotes.lexicon import table

_EDGES = '.,;:!?"“”()[]'
UNIVERSAL = frozenset({"all", "every", "each", "everyone", "everybody", "everything", "both"})
DENYING = frozenset({"no", "none", "nobody", "nothing", "not", "never", "cannot", "nor", "without"})
PEOPLE = frozenset({"i", "he", "she", "we"})
DEFINITE = frozenset({"the", "these", "those", "my", "our", "his", "her", "their"})
# words with an affixed partner that seldom stand where it can be exchanged: a kind of, even if, in uniform
SELDOM = frozenset({"kind", "even", "uniform", "certain", "human", "military", "patient", "welcome", "lit", "common"})
# two in five of the texts with such a word can exchange it, and hardly any others serve the kind
WORTH = {"affix": 6.0, "all": 2.0}
HAPPENING = frozenset({"is", "was"})
LONG = 24
"""words; in longer texts what the screen sees is seldom the predicate"""


@cache
def _affixed() -> frozenset[str]:
    """Adjectives and adverbs with a partner in a negating affix, as far as the rewriter exchanges them."""
    rows = [row for row in table("affixes") if row["use"] != "detect"]
    others = {row["positive"] for row in rows if row["pos"] in {"verb", "noun"}}
    found = {row["positive"] for row in rows if row["pos"] in {"adj", "adv"}}
    return frozenset(word for word in found - others - SELDOM if not word.endswith("ing"))


def feature(text: str) -> str:
    """Which rare kind the surface of a text promises, the rarest first; "plain" where it promises none."""
    words = [word.strip(_EDGES) for word in text.lower().replace("’", "'").split()]
    if not words or len(words) > LONG:
        return "plain"
    first = words[0]
    if not _affixed().isdisjoint(words) and DENYING.isdisjoint(words) and "n't" not in text:
        return "affix"
    if first in UNIVERSAL or first in {"we", "they"} or "always" in words:
        return "all"
    if first in DEFINITE and len(words) > 1 and words[1].endswith("s") and words[1][-2:] not in {"ss", "'s", "us"}:
        return "all"
    if first in PEOPLE:
        return "person"
    seen_once = first in {"a", "an"} and not HAPPENING.isdisjoint(words) and any(w.endswith("ing") for w in words)
    return "one" if seen_once else "plain"


def drawn(texts: Iterable[str], number: int, *, seed: int) -> frozenset[int]:
    """The places of the texts to take: `number` of them, or all where there are not so many."""
    kinds: list[str] = []
    lots: list[float] = []
    for text in texts:
        kinds.append(sys.intern(feature(text)))
        digest = hashlib.blake2b(f"{seed}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
        lots.append((int.from_bytes(digest, "big") + 1) / 2**64)
    counts = Counter(kinds)
    # u ** (1 / w), largest first, in logarithms; w falls with the square of how common the feature is
    rates = {kind: counts[kind] ** 2 / WORTH.get(kind, 1) for kind in counts}
    keys = [math.log(lot) * rates[kind] for kind, lot in zip(kinds, lots, strict=True)]
    return frozenset(sorted(range(len(keys)), key=lambda place: (-keys[place], place))[:number])
