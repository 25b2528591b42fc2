"""Closed word sets that distinguish a request from a description, and functions that skip words between the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

WH = frozenset({"what", "which", "who", "whom", "whose", "where", "when", "why", "how"})
ASKED = WH | {"is", "are", "was", "were"}
# "can I use X instead of Y", "why X rather than Y": two things are compared, none is excluded
WEIGHING = frozenset({"can", "could", "should", "why", "may", "would", "do", "does", "did", "when", "how", "is"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "'s", "'re", "s"})
RELATIVE = frozenset({"that", "which", "who"})
PRONOUNS = frozenset(
    {"nobody", "nothing", "everyone", "everybody", "anyone", "anybody", "everything", "anything", "one"}
)
OF_SOMEONE = frozenset({"his", "her", "its", "their"})
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
POLITE = frozenset({"please", "thanks", "thank", "pls", "plz", "thx"})
MARKS = frozenset({",", ";", ":", "(", "-", "--", "—", "–", "?", "."})


class Trigger(NamedTuple):
    """Words that exclude: where the cut begins, where the excluded words begin, and why."""

    first: int
    after: int
    cue: str
    rule: str
    stop: int = 0
    """one past the excluded words, if the request itself delimits them: "leave [Y] out" """
    cut: int = 0
    """one past the last word that is cut"""


def past_fillers(sentence: Sentence, at: int) -> int:
    """Example: any information about [Y], references to [Y], of [Y]."""
    fillers, joints = word_set("exclusion_fillers"), word_set("exclusion_joints")
    end, tokens = at, sentence.tokens
    while end < len(tokens) and (tokens[end].lower in fillers or _kind_of_filler(tokens[end : end + 2], fillers)):
        end += 1
    if at < end < len(tokens) and tokens[at].lower != "the" and tokens[end - 1].lower in joints:
        # anything with [Y]
        return end
    if [token.lower for token in tokens[end : end + 3]] == ["to", "do", "with"]:
        return end + 3
    if end < len(tokens) and tokens[end].lower in joints and not (end > 0 and tokens[end].text[:1].isupper()):
        while end < len(tokens) and tokens[end].lower in joints:
            end += 1
        return end
    # "any Y" keeps its noun; "the details" with nothing after it is excluded itself
    any_word = at < len(tokens) and tokens[at].lower in {"any", "anything", "all"}
    return at + 1 if any_word and at + 1 < len(tokens) and tokens[at].lower != "all" else at


def _kind_of_filler(tokens: Sequence[Token], fillers: frozenset[str]) -> bool:
    """Example: any [specific] information about Y; the [part] about Y."""
    if len(tokens) < 2:
        return False
    part = tokens[0].lower in word_set("parts_of_a_text") and tokens[1].lower in {"about", "on", "concerning"}
    return part or (tokens[0].tag == "JJ" and tokens[1].tag[:1] == "N" and tokens[1].lower in fillers)


def past_told(sentence: Sentence, at: int) -> int:
    """Example: mention [anything about] Y, tell [me about] Y, bring [up] Y, go [into] Y."""
    tokens = sentence.tokens
    while at + 1 < len(tokens) and tokens[at].lower in word_set("told_particles"):
        at += 1
    if at + 1 < len(tokens) and tokens[at - 1].lower == "to" and tokens[at].lower in word_set("used_or_tried"):
        # tell me [to use] Y
        at += 1
    return past_fillers(sentence, at)


def says_more(sentence: Sentence, at: int) -> bool:
    """Return whether words like "any information about" follow."""
    after = past_fillers(sentence, at)
    return after > at + 1 and sentence.tokens[after - 1].lower in word_set("exclusion_joints")


def tells(sentence: Sentence) -> bool:
    """Example: Can you explain X without mentioning Y; not: can you write a letter without mentioning Y."""
    tokens = sentence.tokens
    loose = word_set("telling_or_doing") if tokens[0].lower in WEIGHING else frozenset()
    asked = [token.i for token in tokens if token.lower in word_set("telling")]
    return any(tokens[at].lower not in loose or _to_me(tokens[at + 1 : at + 2]) for at in asked)


def _to_me(tokens: Sequence[Token]) -> bool:
    return any(token.lower in {"me", "us"} for token in tokens)


def set_off(sentence: Sentence, at: int) -> bool:
    """Return whether a mark, "but" or "while" precedes this token, ignoring words like "specifically"."""
    while at > 0 and sentence.tokens[at - 1].lower in word_set("exclusion_leads") - {"while", "whilst"}:
        at -= 1
    return at > 0 and sentence.tokens[at - 1].lower in MARKS | {"but", "while", "whilst"}


def nominal(token: Token) -> bool:
    """Return whether a noun phrase begins here. A word that is not in the dictionary with its tag counts as a noun."""
    if token.tag in {"DT", "NN", "NNS", "NNP", "NNPS", "PRP$", "CD"}:
        return True
    if token.tag == "IN":
        # - not ear pain
        return token.lower not in word_set("prepositions") and known(token.lower, "N")
    return token.tag[:1] in "VJ" and token.lower.isalpha() and not known(token.lower, token.tag)


def name_like(token: Token) -> bool:
    """Return whether the token is a name by its tag or capital, or is in no dictionary: "django", "mykonos"."""
    if token.tag in {"NNP", "NNPS"} or token.text[:1].isupper():
        return True
    content = token.tag[:1] in "NJV" or token.tag == "RB"
    return content and token.lower.isalpha() and len(token.lower) > 2 and not any(known(token.lower, c) for c in "NVJR")


def noun_at_the_end(sentence: Sentence, token: Token) -> bool:
    """Example: (not trifle): a last word that is a noun as well as what it was taken for."""
    following = sentence.after(token)
    last = following is None or following.lower in MARKS | {")", "!", "again"} | WH
    taken = token.tag in {"VB", "VBP"} or (token.tag == "JJ" and not known(token.lower, "J"))
    return last and taken and known(token.lower, "N")


def has_verb(sentence: Sentence) -> bool:
    return any(token.tag in FINITE for token in sentence.tokens)
