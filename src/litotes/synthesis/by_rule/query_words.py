"""The word lists that the query rules consult."""

from __future__ import annotations

from functools import cache

from litotes.errors import LexiconError
from litotes.lexicon import table


@cache
def query_words(name: str) -> frozenset[str]:
    """Return one of the word lists in query_words.tsv."""
    words = table("query_words").mapping("set", "words").get(name)
    if words is None:
        raise LexiconError(f"query_words.tsv has no set called {name!r}")
    return frozenset(words.split())
