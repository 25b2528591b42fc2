"""Draw a part of the anchors, with higher weights for those that allow a rare kind of negation.

Nothing is parsed. The words of an anchor suggest a kind; the rarer the kind, the higher the weight. Anchors are drawn
by weight without replacement (Efraimidis and Spirakis, 2006). The draw depends on seed and texts only, not on the
number of workers or the order of shards.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache

from litotes.detection import negating_words
from litotes.lexicon import table

_EDGES = '.,;:!?"“”()[]'
UNIVERSAL = frozenset({"all", "every", "each", "everyone", "everybody", "everything", "both"})
PEOPLE = frozenset({"i", "he", "she", "we"})
DEFINITE = frozenset({"the", "these", "those", "my", "our", "his", "her", "their"})
# Words with an affixed opposite that can rarely be replaced by it: a kind of, even if, in uniform.
RARELY_REPLACEABLE = frozenset(
    {"kind", "even", "uniform", "certain", "human", "military", "patient", "welcome", "lit", "common"}
)
# Extra weights: two in five of the texts with such a word allow the kind, and hardly any others do.
WEIGHTS = {"affix": 6.0, "all": 2.0}
PROGRESSIVE = frozenset({"is", "was"})
LONGEST = 24
"""In texts with more words, the words that are looked for are rarely part of the predicate."""


@cache
def _with_affixed_opposite() -> frozenset[str]:
    """Return the adjectives and adverbs that the rewriter can replace by a form with a negating affix."""
    rows = [row for row in table("affixes") if row["use"] != "detect"]
    others = {row["positive"] for row in rows if row["pos"] in {"verb", "noun"}}
    words = {row["positive"] for row in rows if row["pos"] in {"adj", "adv"}}
    return frozenset(word for word in words - others - RARELY_REPLACEABLE if not word.endswith("ing"))


def feature(text: str) -> str:
    """Return the rarest kind that the words of a text suggest; "plain" if they suggest none."""
    words = [word.strip(_EDGES) for word in text.lower().replace("’", "'").split()]
    if not words or len(words) > LONGEST:
        return "plain"
    first = words[0]
    if not _with_affixed_opposite().isdisjoint(words) and not negating_words(text):
        return "affix"
    if first in UNIVERSAL or first in {"we", "they"} or "always" in words:
        return "all"
    if first in DEFINITE and len(words) > 1 and words[1].endswith("s") and words[1][-2:] not in {"ss", "'s", "us"}:
        return "all"
    if first in PEOPLE:
        return "person"
    single_event = first in {"a", "an"} and not PROGRESSIVE.isdisjoint(words) and any(w.endswith("ing") for w in words)
    return "one" if single_event else "plain"


def draw_texts(texts: Iterable[str], number: int, *, seed: int) -> frozenset[int]:
    """Return the indices of the drawn texts: `number` of them, or all if there are fewer."""
    kinds: list[str] = []
    uniforms: list[float] = []
    for text in texts:
        kinds.append(sys.intern(feature(text)))
        digest = hashlib.blake2b(f"{seed}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
        uniforms.append((int.from_bytes(digest, "big") + 1) / 2**64)
    counts = Counter(kinds)
    # The largest u ** (1 / w) are drawn, in logarithms; w falls with the square of the feature's frequency.
    rates = {kind: counts[kind] ** 2 / WEIGHTS.get(kind, 1) for kind in counts}
    keys = [math.log(uniform) * rates[kind] for kind, uniform in zip(kinds, uniforms, strict=True)]
    return frozenset(sorted(range(len(keys)), key=lambda place: (-keys[place], place))[:number])
