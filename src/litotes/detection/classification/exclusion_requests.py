"""Find requests to exclude a topic: "… without mentioning Y", "… but not Y", "avoiding any reference to Y".

Such a query subtracts from a set, as an exceptor does, whatever word it uses.
"""

from __future__ import annotations

from litotes.detection.detector import find_negations
from litotes.lexicon import word_set
from litotes.parse import Sentence
from litotes.types import Negation

# what one does with a topic ("mention", "include", "discuss") and what one gives about it ("information", "details")
MENTIONING = word_set("mentioning")
LEAVING_OUT = word_set("leaving_out")


def exclusion_request(sentence: Sentence) -> Negation | None:
    """Return the exclusion that a query asks for, as an exceptor, or None."""
    for negation in find_negations(sentence, weak=True):
        if negation.kind in {"exceptor", "affixal"}:
            continue
        if _of_a_topic(sentence, negation) or _is_contrasted(sentence, negation):
            rule = f"“{negation.cue}” excludes what follows"
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


def addition_cue(sentence: Sentence) -> str:
    """Return the cue of "In addition to Y, what else …", which asks for the others as "besides" does, or ""."""
    words = [token.lower for token in sentence.tokens]
    for at in range(len(words) - 2):
        if words[at : at + 3] == ["in", "addition", "to"] and {"other", "else", "others", "another"} & set(words):
            return "in addition to"
    return ""


def _of_a_topic(sentence: Sentence, negation: Negation) -> bool:
    """Match "without mentioning Y", "don't include Y", "avoid any reference to Y" and "excluding information on Y"."""
    after = [token for token in sentence.tokens if token.start >= negation.cue_spans[0][1]][:4]
    if negation.kind == "implicit":
        if negation.cue.lower() not in LEAVING_OUT:
            return False
        verb = next(token for token in sentence.tokens if token.start == negation.cue_spans[0][0])
        # "excluding Y", "omit Y" and "leave out Y", but not "clubs that exclude women"
        is_request = verb.tag == "VBG" or (
            verb.tag == "VB" and sentence.child(verb, "nsubj", "nsubjpass", "aux") is None
        )
        out = negation.cue.lower().startswith(("exclud", "omit", "leav"))
        return is_request and (out or any(t.lower in MENTIONING for t in after))
    if negation.cue.lower() == "without":
        return any(t.lower in MENTIONING for t in after)
    if negation.cue.lower() not in {"not", "n't", "no", "never"} or not after or after[0].lower not in MENTIONING:
        return False
    # "not including Y" and "please do not mention Y", but not "who was not mentioned" and "which do not include"
    is_request = (
        after[0].tag == "VB" and sentence.child(after[0], "nsubj", "nsubjpass") is None and after[0].dep != "relcl"
    )
    return after[0].tag == "VBG" or is_request or (negation.cue.lower() == "no" and after[0].tag[:1] == "N")


def _is_contrasted(sentence: Sentence, negation: Negation) -> bool:
    """Match "books by Y, but not the early ones" and "and not by Y"."""
    if negation.cue.lower() != "not":
        return False
    at = next(token for token in sentence.tokens if token.start == negation.cue_spans[0][0])
    before, following = sentence.before(at), sentence.after(at)
    joined = before is not None and before.lower in {"but", "and", ","}
    return joined and following is not None and following.tag[:1] not in "VMR"
