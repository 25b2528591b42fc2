"""Single words that negate or except, for code that has words but no parse."""

from __future__ import annotations

from functools import cache

from litotes.lexicon.tables import table


@cache
def negators() -> frozenset[str]:
    """Return the single words that can negate a clause: not, n't, nobody, hardly, …"""
    return frozenset(cue for cue in table("cues").column("cue") if " " not in cue)


@cache
def exceptor_words() -> frozenset[str]:
    """Return the single words that can take a member out of a set: except, besides, but, …"""
    return frozenset(cue for cue in table("exceptors").column("cue") if " " not in cue)
