"""The word lists that asking consults, by name."""

from __future__ import annotations

from functools import cache

from litotes.errors import LexiconError
from litotes.lexicon import table


@cache
def words(name: str) -> frozenset[str]:
    """One of the lists in query_words.tsv."""
    found = table("query_words").mapping("set", "words").get(name)
    if found is None:
        raise LexiconError(f"query_words.tsv has no set called {name!r}")
    return frozenset(found.split())
