"""Queries that ask to leave something out: "… without mentioning Y", "… but not Y", "avoiding any reference to Y".

Such a query subtracts from what is wanted, as an exceptor does, whatever word it does it with.
"""

from __future__ import annotations

from litotes.detection.find import negations
from litotes.lexicon import word_set
from litotes.parse import Sentence
from litotes.types import Negation

# what one does with a topic: mention, include, discuss; what one gives of it: information, details
MENTIONING = word_set("mentioning")
LEAVING_OUT = word_set("leaving_out")


def exclusion(sentence: Sentence) -> Negation | None:
    """The exclusion a query asks for, as an exceptor, or None."""
    for negation in negations(sentence, weak=True):
        if negation.kind in {"exceptor", "affixal"}:
            continue
        if _of_a_topic(sentence, negation) or _set_against(sentence, negation):
            rule = f"“{negation.cue}” asks to leave out what follows"
            return Negation(
                negation.cue,
                negation.cue_spans,
                negation.scope,
                negation.event,
                negation.event_span,
                "exceptor",
                rule,
            )
    return None


def addition(sentence: Sentence) -> str:
    """ "In addition to Y, what else …" asks for the others, as "besides" does; its cue, or ""."""
    words = [token.lower for token in sentence.tokens]
    for at in range(len(words) - 2):
        if words[at : at + 3] == ["in", "addition", "to"] and {"other", "else", "others", "another"} & set(words):
            return "in addition to"
    return ""


def _of_a_topic(sentence: Sentence, negation: Negation) -> bool:
    """without mentioning Y, don't include Y, avoid any reference to Y, excluding information on Y"""
    after = [token for token in sentence.tokens if token.start >= negation.cue_spans[0][1]][:4]
    if negation.kind == "implicit":
        if negation.cue.lower() not in LEAVING_OUT:
            return False
        verb = next(token for token in sentence.tokens if token.start == negation.cue_spans[0][0])
        # excluding Y; omit Y; but leave out Y; not: clubs that exclude women
        told = verb.tag == "VBG" or (verb.tag == "VB" and sentence.child(verb, "nsubj", "nsubjpass", "aux") is None)
        out = negation.cue.lower().startswith(("exclud", "omit", "leav"))
        return told and (out or any(t.lower in MENTIONING for t in after))
    if negation.cue.lower() == "without":
        return any(t.lower in MENTIONING for t in after)
    if negation.cue.lower() not in {"not", "n't", "no", "never"} or not after or after[0].lower not in MENTIONING:
        return False
    # not including Y; please do not mention Y; but not: who was not mentioned, which do not include
    told = after[0].tag == "VB" and sentence.child(after[0], "nsubj", "nsubjpass") is None and after[0].dep != "relcl"
    return after[0].tag == "VBG" or told or (negation.cue.lower() == "no" and after[0].tag[:1] == "N")


def _set_against(sentence: Sentence, negation: Negation) -> bool:
    """books by Y, but not the early ones; and not by Y"""
    if negation.cue.lower() != "not":
        return False
    at = next(token for token in sentence.tokens if token.start == negation.cue_spans[0][0])
    before, following = sentence.before(at), sentence.after(at)
    joined = before is not None and before.lower in {"but", "and", ","}
    return joined and following is not None and following.tag[:1] not in "VMR"
