"""The kinds of negation and hedging, as data: name, parent, level, definition, example."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Kind:
    """A node of the taxonomy; `parent` is the name of the node above, "" at the top."""

    name: str
    parent: str
    level: str
    """ "sentence" if one sentence shows it, "pair" if only two texts together do, "group" for inner nodes"""
    definition: str
    example: str
    use: str = "taxonomy"
    """ "taxonomy" for what a text can show, "rewrite" and "hedge" for what litotes produces"""


TAXONOMY = (
    Kind("negation", "", "group", "One text denies what another asserts.", "The lamp is on. / The lamp is not on."),
    Kind("logical", "negation", "group", "An operator word or affix carries the denial.", "The lamp is not on."),
    Kind("lexical-negation", "negation", "group", "A content word carries the denial.", "The lamp is off."),
    Kind(
        "sentential",
        "logical",
        "sentence",
        "An operator with a fixed place in the clause denies it: no, not, none, never.",
        "Trains that do not stop at Harwell.",
    ),
    Kind("exclusion", "logical", "group", "A part of a set is excluded or negated.", "All trains except one."),
    Kind(
        "exceptor",
        "exclusion",
        "sentence",
        "A member is subtracted from a set: except, besides, other than, apart from.",
        "Bridges by Telford other than the Menai Bridge.",
    ),
    Kind("quantified", "exclusion", "group", "Two quantified statements oppose each other.", "All … / Some … not."),
    Kind(
        "contradiction",
        "quantified",
        "pair",
        "Exactly one of the two is true: all … against some … not; some … against no ….",
        "All the seats are taken. / Some of the seats are not taken.",
    ),
    Kind(
        "contrary",
        "quantified",
        "pair",
        "Both cannot be true, both can be false: all … against no ….",
        "All the seats are taken. / None of the seats are taken.",
    ),
    Kind(
        "subcontrary",
        "quantified",
        "pair",
        "Both can be true, both cannot be false: some … against some … not.",
        "Some seats are taken. / Some seats are not taken.",
    ),
    Kind(
        "affixal",
        "logical",
        "sentence",
        "A prefix or suffix turns a word: un-, in-, dis-, non-, -less, -free.",
        "Films with an unhappy ending.",
    ),
    Kind(
        "implicit",
        "lexical-negation",
        "sentence",
        "A word is negative by its own meaning: refuse, deny, lack, fail, avoid.",
        "Athletes who refused to take part.",
    ),
    Kind("contrasting", "lexical-negation", "group", "Two words oppose each other only as a pair.", "hot / cold"),
    Kind(
        "immediate",
        "contrasting",
        "pair",
        "Antonyms with no degrees between them.",
        "The gate is open. / The gate is closed.",
    ),
    Kind("polar", "contrasting", "pair", "Antonyms at the ends of a scale.", "The soup is hot. / The soup is cold."),
    Kind(
        "mid",
        "contrasting",
        "pair",
        "One of the two lies between the ends of the scale.",
        "The soup is hot. / The soup is lukewarm.",
    ),
    Kind("none", "", "pair", "No negation sets the two texts apart.", "The soup is hot. / The soup is spicy."),
    Kind("verbal", "sentential", "sentence", "Not or n't on the finite verb.", "Taxes won't rise.", "rewrite"),
    Kind(
        "absolute",
        "sentential",
        "sentence",
        "No, none, nobody, nothing, never, neither … nor.",
        "Nobody came.",
        "rewrite",
    ),
    Kind(
        "lexical",
        "lexical-negation",
        "sentence",
        "The main predicate exchanged for its antonym or for an implicit negative.",
        "She failed to finish. / Prices fell.",
        "rewrite",
    ),
    Kind("hedging", "", "group", "The claim is made with less certainty.", "The lamp is probably on."),
    Kind(
        "word",
        "hedging",
        "sentence",
        "A single word hedges: an adverb, a modal, a verb, a noun.",
        "It might rain.",
        "hedge",
    ),
    Kind(
        "phrase", "hedging", "sentence", "Several words hedge.", "It is not entirely clear whether it rained.", "hedge"
    ),
)

# the kinds that litotes.negate produces: its own, and those of the taxonomy that it can reach directly
REWRITES = ("verbal", "absolute", "affixal", "lexical", "exceptor", "contradiction", "contrary", "subcontrary")
HEDGES = ("word", "phrase")


@cache
def kinds() -> dict[str, Kind]:
    """Return every node by name."""
    return {kind.name: kind for kind in TAXONOMY}


def leaves() -> tuple[Kind, ...]:
    """Return the ten kinds of negation that a contrast can have, and "none"."""
    return tuple(kind for kind in TAXONOMY if kind.use == "taxonomy" and kind.level != "group")


def path(name: str) -> tuple[str, ...]:
    """Return the ancestors of a kind, from the top down to the kind itself."""
    names = [name]
    while kinds()[names[0]].parent:
        names.insert(0, kinds()[names[0]].parent)
    return tuple(names)
