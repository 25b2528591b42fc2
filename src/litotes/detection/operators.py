"""Recognise auxiliaries: which finite words take "not" themselves, and what 's and 'd stand for."""

from __future__ import annotations

from functools import lru_cache

from litotes.lexicon import table
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


PERFECT_ONLY = frozenset(
    {"been", "got", "had", "become", "come", "gone", "happened", "begun", "lived", "grown", "gotten"}
)


def _is_has(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    if verb.i == clitic.i or verb.tag not in {"VBN", "VBD"}:
        return False
    between = {t.lower for t in sentence.tokens[clitic.i + 1 : verb.i]}
    if between & {"been", "just", "already", "never", "ever", "recently"} or verb.lower in PERFECT_ONLY:
        return True
    return sentence.child(verb, "dobj") is not None and sentence.child(verb, "agent") is None


def _is_had(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    following = sentence.after(clitic)
    while following is not None and following.tag in {"RB"} and following.lower not in {"better", "best"}:
        following = sentence.after(following)
    if following is None:
        return False
    return following.lower in {"better", "best", "been"} or following.tag == "VBN"


MODAL_VERBS = frozenset({"need", "dare"})


WH = frozenset({"WP", "WDT", "WRB", "WP$"})
