"""Facts stated on the way to a question, which exclude nothing: "the shop takes no returns except for credit"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from litotes.detection.exclusion.request_words import ASKED, FINITE, RELATIVE, WEIGHING, WH
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

OPENING = frozenset({",", ";", ":", "—", "–", "when", "if", "because", "while", "although", "since", "whenever"})
SUBJECT = frozenset({"DT", "PRP$", "PRP", "NNP"})
NONE = frozenset({"no", "never", "nobody", "nothing"})


def stated(sentence: Sentence, cue: int) -> bool:
    """Example: my son eats nothing [except …]; when the sender refuses a refund [except …]."""
    tokens = sentence.tokens
    opens = tokens[0].lower
    none = next((t.i for t in tokens[max(0, cue - 4) : cue] if t.lower in NONE), 0)
    # not: hotels with no lift besides Y
    denies = none > 0 and tokens[none - 1].lower != "with" and any(t.tag in FINITE for t in tokens[:cue])
    if denies and opens not in WH | word_set("telling"):
        return True
    end = cue
    if end > 0 and tokens[end - 1].lower == ",":
        # My phone works fine, except for the camera.
        if tokens[-1].text != "." or any(t.lower in {*ASKED, ","} for t in tokens[cue:]):
            return False
        end -= 1
    clause = _clause(tokens[:end])
    return bool(clause) and not _wishes(clause) and _has_subject_and_verb(clause)


def _clause(before: Sequence[Token]) -> Sequence[Token]:
    """Return the words since the last mark or conjunction that opens a clause."""
    first = max((token.i + 1 for token in before[:-1] if token.lower in OPENING), default=0)
    joined = (
        t.i + 1 for t in before[first + 1 : -1] if t.lower in {"and", "but", "so"} and before[t.i + 1].tag in SUBJECT
    )
    return before[max(joined, default=first) :]


def _wishes(clause: Sequence[Token]) -> bool:
    """Example: I want, we are looking for, any hotel will do: a request in the form of a statement."""
    words = {token.lower for token in clause}
    if not words.isdisjoint(WH) or clause[0].lower in ASKED | WEIGHING | word_set("telling") | {"please"}:
        return True
    if not {"any", "anything", "anywhere", "anyone"}.isdisjoint(words):
        return True
    return not {"i", "we"}.isdisjoint(words) and not words.isdisjoint(word_set("telling") | word_set("wished_for"))


def plural_at_the_end(clause: Sequence[Token], token: Token) -> bool:
    """Example: all the pixar [films]: a kind of thing, taken for a verb."""
    return token.i == clause[-1].i and token.tag == "VBZ" and known(token.lower, "N")


def _has_subject_and_verb(clause: Sequence[Token]) -> bool:
    """Example: [the sender refuses] a refund; not: the rivers that flow …, the films she made, famous castles."""
    if clause[0].tag not in SUBJECT or (clause[0].tag == "NNP" and clause[0].text.islower()):
        return False
    for before, token in pairwise(clause):
        if before.lower in RELATIVE | {"where"}:
            return False
        if before.tag[:1] == "N" and token.tag in {"PRP", "DT", "NNP", "NNS"} and before.tag != "NNP":
            # the films she made, every film Kubrick made
            return False
        if token.tag in FINITE and known(token.lower, "V") and not plural_at_the_end(clause, token):
            return True
    return False
