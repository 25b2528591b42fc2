"""What is kept: each filter answers "" or the reason why not."""

from __future__ import annotations

from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from litotes.types import Triple

DISTANCE = 60
SHORTEST, LONGEST = 3, 80
Filter = Callable[[Triple], str]


def copy(triple: Triple) -> str:
    """Three texts that are really three."""
    texts = {text.strip().lower() for text in (triple.anchor, triple.positive, triple.negative)}
    return "" if len(texts) == 3 else "two of the three texts are the same"


def distance(triple: Triple) -> str:
    """Minimal pairs: the paper's bound on the edit distance, for the negative and for the positive."""
    for name, text in (("negative", triple.negative), ("positive", triple.positive)):
        if Levenshtein.distance(triple.anchor, text, score_cutoff=DISTANCE) > DISTANCE:
            return f"the {name} is more than {DISTANCE} characters away"
    return ""


def length(triple: Triple) -> str:
    """Neither scraps nor paragraphs."""
    for text in (triple.anchor, triple.positive, triple.negative):
        words = len(text.split())
        if words < SHORTEST:
            return f"shorter than {SHORTEST} words"
        if words > LONGEST:
            return f"longer than {LONGEST} words"
    return ""


FILTERS: tuple[Filter, ...] = (copy, length, distance)


def refusal(triple: Triple) -> str:
    """The first filter's reason, or ""."""
    return next((reason for one in FILTERS if (reason := one(triple))), "")
