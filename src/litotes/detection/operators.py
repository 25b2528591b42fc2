"""Recognise auxiliaries: which finite words take "not" themselves, and what 's and 'd stand for."""

from __future__ import annotations

from functools import lru_cache

from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import INVARIANT, inflect, lemma
from litotes.parse import Sentence, Token


@lru_cache(maxsize=1)
def operators() -> dict[str, str]:
    forms = {row["form"]: row["lemma"] for row in table("auxiliaries")}
    forms |= {row["clitic"]: row["verb"] for row in table("clitics") if row["clitic"] != "'s"}
    return forms


def operator(sentence: Sentence, finite: Token, verb: Token) -> str:
    """Return which auxiliary `finite` is, or "" for a verb that needs do-support."""
    word = finite.lower
    if word == "'s":
        return "have" if _is_has(sentence, finite, verb) else "be"
    if word == "'d":
        return "have" if _is_had(sentence, finite, verb) else "would"
    auxiliary = operators().get(word, "")
    if auxiliary in {"have", "do"} and finite.i == verb.i:
        # "He has a dog" takes do-support; the elliptic "I do." and "They have." do not
        return auxiliary if _elliptic(sentence, verb) or _far_participle(sentence, verb) else ""
    if not auxiliary and word in MODAL_VERBS and finite.i != verb.i:
        return word
    return auxiliary


def _elliptic(sentence: Sentence, verb: Token) -> bool:
    following = sentence.after(verb)
    stops = following is None or following.tag in {".", ",", ":"} or following.lower in {"too", "and", "but"}
    objects = sentence.child(verb, "dobj", "attr", "acomp", "xcomp", "ccomp", "prt")
    return stops and objects is None and sentence.child(verb, "nsubj") is not None


def _far_participle(sentence: Sentence, verb: Token) -> bool:
    """Match "Which of them have the police questioned?" """
    asks = sentence.tokens[-1].lower == "?" and sentence.tokens[0].tag in WH | {"IN"}
    return asks and verb.lower in {"have", "has", "had"} and any(t.tag == "VBN" for t in sentence.tokens[verb.i + 2 :])


def _is_has(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    """Read 's before a participle: "has" if something says so or if the verb cannot be passive."""
    if verb.i == clitic.i:
        return False
    following = sentence.after(clitic)
    while following is not None and following.tag in {"RB", "DT"} and following.i < verb.i:
        if following.lower in PERFECT_ADVERBS:
            return True
        following = sentence.after(following)
    if following is None or following.lower in {"been", "got", "gotten", "had"}:
        return following is not None
    if verb.tag not in {"VBN", "VBD"} and not (verb.tag == "VB" and inflect(verb.lower, "VBN") == verb.lower):
        return False
    if sentence.child(verb, "agent") is not None:
        return False
    particle = sentence.child(verb, "prt", "prep")
    if lemma(verb.lower, "V") in INTRANSITIVE:
        # "He's worked up" is no perfect
        return not (particle is not None and particle.lower == "up" and verb.lower == "worked")
    after = sentence.after(verb)
    of = after is not None and sentence.after(after) is not None and verb.lower == "taken" and after.lower == "care"
    return sentence.child(verb, "dobj") is not None and not of


PERFECT_ADVERBS = frozenset({"just", "already", "never", "ever", "recently", "yet", "always", "finally"})
INTRANSITIVE = word_set("never_passive")


OBJECT_OPENING = frozenset({"DT", "JJ", "JJR", "NN", "NNS", "CD", "PRP$"})


def _is_had(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    """Read 'd: "had" before "better" and participles, "would" before base forms and "rather"."""
    following = sentence.after(clitic)
    if clitic.i == verb.i and following is not None and following.tag in OBJECT_OPENING:
        # "We'd a flat tyre."
        return True
    timed = False
    while following is not None and following.tag == "RB" and following.lower not in {"better", "best", "rather"}:
        timed = timed or following.lower in {"already", "just"}
        following = sentence.after(following)
    if following is None or following.lower == "rather":
        return False
    if following.lower in {"better", "best", "been"} or following.tag in {"VBN", "VBD"}:
        return True
    # "They'd already set the table": base and participle look the same
    return timed and following.lower in INVARIANT


MODAL_VERBS = frozenset({"need", "dare"})


WH = frozenset({"WP", "WDT", "WRB", "WP$"})
