"""Texts that say nothing: what they score is a matter of definition, for any scorer of pairs."""

from __future__ import annotations

import unicodedata

# punctuation, separators, control characters: an emoji or a formula still says something
SILENT = "PZC"


def by_definition(reference: str, candidate: str) -> float | None:
    """Nothing against nothing is 1, nothing against something 0; None where a model has to judge."""
    nothing = says_nothing(reference), says_nothing(candidate)
    if not any(nothing):
        return None
    return 1.0 if all(nothing) else 0.0


def says_nothing(text: str) -> bool:
    """Whether a text is empty, or punctuation alone."""
    return all(unicodedata.category(character)[0] in SILENT for character in text)
