"""Empty texts and texts of punctuation: their scores are defined, not computed by a model."""

from __future__ import annotations

import unicodedata

# Unicode's punctuation, separators and control characters; an emoji or a formula is not empty.
EMPTY_CATEGORIES = "PZC"


def score_without_model(reference: str, candidate: str) -> float | None:
    """Return 1 for two empty texts and 0 for one empty text; None if a model has to score the pair."""
    empty = is_empty_text(reference), is_empty_text(candidate)
    if not any(empty):
        return None
    return 1.0 if all(empty) else 0.0


def is_empty_text(text: str) -> bool:
    """Return whether a text has nothing but punctuation and white space."""
    return all(unicodedata.category(character)[0] in EMPTY_CATEGORIES for character in text)
