"""Find the quantifier form of a sentence: whether it speaks of all, some, not all or none."""

from __future__ import annotations

from typing import NamedTuple

from litotes.detection.cues import find_cues
from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

UNIVERSAL = word_set("universal_quantifiers")
EXISTENTIAL = word_set("existential_quantifiers")
NEGATIVE = frozenset({"no", "none", "nobody", "nothing", "no-one", "neither", "never", "nowhere"})
# "at all", "after all", "all in all"; "all-inclusive"; "almost all"
NOT_BEFORE_ALL = frozenset({"at", "after", "above", "almost", "nearly"})


class QuantifierForm(NamedTuple):
    """∀, ∃, ∃¬ or ¬∃, with the words that express it."""

    sign: str
    words: str


def quantifier_form(sentence: Sentence) -> QuantifierForm | None:
    """Return the quantifier form of a sentence, or None if it has no quantifier."""
    negations = [cue for cue in find_cues(sentence) if cue.type in {"verbal", "absolute"}]
    universal = _first(sentence, UNIVERSAL)
    existential = _first(sentence, EXISTENTIAL)
    first = negations[0] if negations else None
    if universal is not None and (existential is None or universal.i < existential.i):
        if first is None:
            return QuantifierForm("∀", universal.text)
        if not _together(sentence, sentence.tokens[first.tokens[0]], universal):
            return None
        before = first.tokens[0] < universal.i
        return QuantifierForm("∃¬", f"{first.text} {universal.text}" if before else f"{universal.text} … {first.text}")
    if existential is not None and (first is None or existential.i < first.tokens[0]):
        if first is None:
            return QuantifierForm("∃", existential.text)
        return QuantifierForm("∃¬", f"{existential.text} … {first.text}")
    if first is None or existential is not None:
        # "not … most": the negation is outside the quantifier and is sentential
        return None
    return _none(sentence, first.text.lower(), sentence.tokens[first.tokens[-1]])


def _together(sentence: Sentence, negation: Token, quantifier: Token) -> bool:
    """Return whether both are in one clause, or in a clause and its complement: "don't let every member vote"."""
    verbs = [_verb(sentence, negation), _verb(sentence, quantifier)]
    if verbs[0].i == verbs[1].i:
        return True
    return any(
        inner.dep in {"ccomp", "xcomp", "aux"} and inner.head == outer.i for inner, outer in (verbs, reversed(verbs))
    )


def _verb(sentence: Sentence, token: Token) -> Token:
    at = sentence.tokens[token.head] if token.tag[:1] in "RD" else token
    while at.tag[:1] not in "VM" and at.head != at.i:
        at = sentence.tokens[at.head]
    return at


def _first(sentence: Sentence, words: frozenset[str]) -> Token | None:
    for token in sentence.tokens:
        if token.lower in words and not _quantifies_nothing(sentence, token):
            return token
    return None


def _quantifies_nothing(sentence: Sentence, token: Token) -> bool:
    """Match "at all", "all-inclusive", "almost every", "a certain man", "certain of it" and "twenty-one"."""
    before, after = sentence.before(token), sentence.after(token)
    if after is not None and (after.lower == "-" or (token.lower == "all" and after.lower == "but")):
        return True
    if token.lower == "most":
        # "most metals" and "most of them", but not "most important"
        return after is None or not (after.tag[:1] == "N" or after.lower == "of")
    if token.lower in {"certain", "several", "many", "few", "one"}:
        counted = after is not None and after.tag[:1] in "NJVIC"
        article = before is not None and before.lower in {"a", "how", "as", "so", "the", "very", "not"}
        if token.lower == "few":
            return before is None or before.lower != "a"
        if token.lower == "one":
            return before is None or before.lower not in {"least"}
        return article or not counted
    return before is not None and before.lower in NOT_BEFORE_ALL


def _none(sentence: Sentence, text: str, last: Token) -> QuantifierForm | None:
    if text.split(maxsplit=1)[0] in NEGATIVE or text in NEGATIVE:
        return QuantifierForm("¬∃", text)
    following = sentence.after(last)
    if text in {"not", "n't"} and following is not None and following.lower in {"one", "any", "a"}:
        single = sentence.after(following)
        if following.lower != "a" or (single is not None and single.lower == "single"):
            return QuantifierForm("¬∃", f"{text} {following.text}")
    return QuantifierForm("¬∃", text) if text == "not a single" else None
