"""The filters of triples: each returns "" or the reason for dropping a triple."""

from __future__ import annotations

from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from litotes.types import Triple

DISTANCE = 60
"""The largest edit distance of a minimal pair, in characters (from the paper)."""
SHORTEST, LONGEST = 3, 80
"""The allowed number of words per text."""
Filter = Callable[[Triple], str]


def copy(triple: Triple) -> str:
    """Require three different texts."""
    texts = {text.strip().lower() for text in (triple.anchor, triple.positive, triple.negative)}
    return "" if len(texts) == 3 else "two of the three texts are the same"


def distance(triple: Triple) -> str:
    """Require a small edit distance from the anchor, for the negative and for the positive."""
    for name, text in (("negative", triple.negative), ("positive", triple.positive)):
        if Levenshtein.distance(triple.anchor, text, score_cutoff=DISTANCE) > DISTANCE:
            return f"the {name} is more than {DISTANCE} characters away"
    return ""


def length(triple: Triple) -> str:
    """Require texts that are neither fragments nor paragraphs."""
    for text in (triple.anchor, triple.positive, triple.negative):
        words = len(text.split())
        if words < SHORTEST:
            return f"shorter than {SHORTEST} words"
        if words > LONGEST:
            return f"longer than {LONGEST} words"
    return ""


FILTERS: tuple[Filter, ...] = (copy, length, distance)


def refusal(triple: Triple) -> str:
    """Return the reason of the first filter that drops the triple, or ""."""
    return next((reason for check in FILTERS if (reason := check(triple))), "")
