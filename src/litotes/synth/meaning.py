"""Whether a text that somebody else wrote still says what the first one says: cheap checks, each with its reason.

A rewrite of ours knows its own edits; a model's paraphrase is known by its outside only, so it is read again from its
parse: the same negations to within a pair, no opposite of a word, the same numbers, most of the same matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from litotes.detection import is_affixal, is_implicit
from litotes.detection.find import of_document
from litotes.detection.mechanism.oppositions import oppositions
from litotes.parse import Document
from litotes.synth.filters import DISTANCE

NEAREST = 3
SHORTER, LONGER = 0.5, 2.0
MATTER = 0.4
STEM = 4
MATTER_TAGS = ("NN", "VB", "JJ", "CD")
LIGHT = frozenset(
    {"be", "is", "are", "was", "were", "been", "being", "has", "have", "had", "do", "does", "did", "there"}
)
Check = Callable[[Document, Document], str]


def change(before: Document, after: Document) -> str:
    """The first thing that is wrong with `after` as a paraphrase of `before`, or ""."""
    return next((reason for check in CHECKS if (reason := check(before, after))), "")


def _copy(before: Document, after: Document) -> str:
    letters, others = (re.sub(r"\W+", "", document.text).casefold() for document in (before, after))
    if not others:
        return "nothing is left of the text"
    return "a copy of the text" if letters == others else ""


def _nearness(before: Document, after: Document) -> str:
    near = Levenshtein.distance(before.text, after.text, score_cutoff=NEAREST) < NEAREST
    return f"fewer than {NEAREST} characters changed" if near else ""


def _length(before: Document, after: Document) -> str:
    ratio = len(after.text.split()) / max(1, len(before.text.split()))
    if ratio < SHORTER:
        return "shorter than half the text"
    return "longer than twice the text" if ratio > LONGER else ""


def _distance(before: Document, after: Document) -> str:
    far = Levenshtein.distance(before.text, after.text, score_cutoff=DISTANCE) > DISTANCE
    return f"more than {DISTANCE} characters away" if far else ""


def _mood(before: Document, after: Document) -> str:
    """He is in. / Is he in?"""
    asks, asks_too = ("?" in document.text for document in (before, after))
    return "" if asks == asks_too else "a question and a statement"


def _numbers(before: Document, after: Document) -> str:
    ours, theirs = (sorted(re.findall(r"\d+", document.text)) for document in (before, after))
    return "" if ours == theirs else "a number changed"


def _matter(before: Document, after: Document) -> str:
    """The committee approved the plan → the panel gave its approval to the plan; not: → the dog is asleep"""
    ours, theirs = _stems(before), _stems(after)
    return "" if len(ours & theirs) >= MATTER * len(ours) else "about something else"


def _stems(document: Document) -> set[str]:
    """The beginnings of the words that carry the matter, so that approved meets approval."""
    return {
        token.lower[:STEM]
        for sentence in document.sentences
        for token in sentence.tokens
        if token.tag.startswith(MATTER_TAGS) and token.lower not in LIGHT
    }


def _polarity(before: Document, after: Document) -> str:
    """Negations may come and go in pairs, and one may go for an opposite with no degrees between: not open, closed."""
    ours, theirs = of_document(before), of_document(after)
    if theirs.reason:
        return "not readable as English"
    turned = (len(theirs.negations) - len(ours.negations)) % 2 == 1
    opposed = _opposed(before, after, {found.cue.lower() for found in (*ours.negations, *theirs.negations)})
    if not opposed:
        return "the polarity turned" if turned else ""
    return "" if turned and opposed == ["immediate"] else "an opposite of a word came in"


def _opposed(before: Document, after: Document, cues: set[str]) -> list[str]:
    """How the words that only one text has oppose each other; a word that negates is counted as a negation already."""
    sorts = []
    for pair in set(oppositions(before.sentences, after.sentences)):
        words = {pair.left.lower(), pair.right.lower()}
        if pair.sort != "mid" and not words & cues and not any(is_affixal(w) or is_implicit(w) for w in words):
            sorts.append(pair.sort)
    return sorts


CHECKS: tuple[Check, ...] = (_copy, _length, _distance, _mood, _numbers, _matter, _polarity, _nearness)
