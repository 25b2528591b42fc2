"""The small closed sets that tell a request from a description, and the walk over the words between the two."""

from __future__ import annotations

from typing import NamedTuple

from litotes.lexicon import word_set
from litotes.parse import Sentence

WH = frozenset({"what", "which", "who", "whom", "whose", "where", "when", "why", "how"})
ASKED = WH | {"is", "are", "was", "were"}
# can I use X instead of Y, why X rather than Y: two things are weighed, none is left out
WEIGHING = frozenset({"can", "could", "should", "why", "may", "would", "do", "does", "did", "when", "how", "is"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "'s", "'re"})
RELATIVE = frozenset({"that", "which", "who"})
PRONOUNS = frozenset(
    {"nobody", "nothing", "everyone", "everybody", "anyone", "anybody", "everything", "anything", "one"}
)
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
POLITE = frozenset({"please", "thanks", "thank"})


class Trigger(NamedTuple):
    """Words that ask to leave out: where what is cut begins, where what is left out begins, and why."""

    first: int
    after: int
    cue: str
    rule: str


def past_fillers(sentence: Sentence, at: int) -> int:
    """any information about [Y], references to [Y], of [Y]"""
    fillers, joints = word_set("exclusion_fillers"), word_set("exclusion_joints")
    end, tokens = at, sentence.tokens
    while end < len(tokens) and tokens[end].lower in fillers:
        end += 1
    if [token.lower for token in tokens[end : end + 3]] == ["to", "do", "with"]:
        return end + 3
    if end < len(tokens) and tokens[end].lower in joints:
        while end < len(tokens) and tokens[end].lower in joints:
            end += 1
        return end
    # "any Y" keeps its noun; "the details" with nothing after them are what is left out
    any_word = at < len(tokens) and tokens[at].lower in {"any", "anything", "all"}
    return at + 1 if any_word and at + 1 < len(tokens) and tokens[at].lower != "all" else at


def has_verb(sentence: Sentence) -> bool:
    return any(token.tag in FINITE for token in sentence.tokens)
