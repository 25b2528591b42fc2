"""The heads of a pair model: what it can say about two texts."""

from __future__ import annotations

RELEVANCE = "relevance"
"""How well the second text answers the first: one logit."""
VERDICT = "verdict"
"""Whether two texts deserve the same answer, and if not, why: one logit per label. The order of the texts is fixed by
`in_order`, so that the verdict does not depend on it."""
SAME, TOPIC = "same", "topic"
LABELS = (SAME, "opposite", "direction", "number", "name", "scope", "modality", TOPIC)
"""The labels of a verdict: the same answer, or what the difference between the texts is."""
SCORE = "score"
"""How much of the first text, a reference, the second keeps: one logit, whose logistic function is the score."""
HEADS: dict[str, tuple[str, ...]] = {RELEVANCE: (), VERDICT: LABELS, SCORE: ()}
"""The labels of each head; a head without labels has one logit."""


def in_order(first: str, second: str) -> tuple[str, str]:
    """Return two texts in the order in which a verdict is computed: the shorter one first."""
    return (first, second) if (len(first), first) <= (len(second), second) else (second, first)
