"""Cheap checks of whether a model's paraphrase has the same meaning as the original, each with a reason.

A rewrite by rule knows its own edits. A model's paraphrase is compared by its parse: the same number of negations up to
pairs, no opposite of a word, the same numbers, and most of the same content.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from litotes.detection import is_affixal, is_implicit
from litotes.detection.classification.oppositions import oppositions
from litotes.detection.detector import detect_document
from litotes.parse import Document
from litotes.synthesis.filters import DISTANCE

FEWEST_EDITS = 3
SHORTER, LONGER = 0.5, 2.0
SHARED_CONTENT = 0.4
STEM = 4
CONTENT_TAGS = ("NN", "VB", "JJ", "CD")
LIGHT_WORDS = frozenset(
    {"be", "is", "are", "was", "were", "been", "being", "has", "have", "had", "do", "does", "did", "there"}
)
Check = Callable[[Document, Document], str]


def meaning_change(before: Document, after: Document) -> str:
    """Return the first reason why `after` is not a paraphrase of `before`, or ""."""
    return next((reason for check in CHECKS if (reason := check(before, after))), "")


def _copy(before: Document, after: Document) -> str:
    original, paraphrase = (re.sub(r"\W+", "", document.text).casefold() for document in (before, after))
    if not paraphrase:
        return "the paraphrase has no words"
    return "a copy of the text" if original == paraphrase else ""


def _small_change(before: Document, after: Document) -> str:
    small = Levenshtein.distance(before.text, after.text, score_cutoff=FEWEST_EDITS) < FEWEST_EDITS
    return f"fewer than {FEWEST_EDITS} characters changed" if small else ""


def _length(before: Document, after: Document) -> str:
    ratio = len(after.text.split()) / max(1, len(before.text.split()))
    if ratio < SHORTER:
        return "shorter than half the text"
    return "longer than twice the text" if ratio > LONGER else ""


def _distance(before: Document, after: Document) -> str:
    far = Levenshtein.distance(before.text, after.text, score_cutoff=DISTANCE) > DISTANCE
    return f"more than {DISTANCE} characters away" if far else ""


def _mood(before: Document, after: Document) -> str:
    """Compare the mood: He is in. / Is he in?"""
    first, second = ("?" in document.text for document in (before, after))
    return "" if first == second else "a question and a statement"


def _numbers(before: Document, after: Document) -> str:
    first, second = (sorted(re.findall(r"\d+", document.text)) for document in (before, after))
    return "" if first == second else "a number changed"


def _content(before: Document, after: Document) -> str:
    """Compare the content: The committee approved the plan → the panel gave its approval to the plan."""
    first, second = _stems(before), _stems(after)
    return "" if len(first & second) >= SHARED_CONTENT * len(first) else "about something else"


def _stems(document: Document) -> set[str]:
    """Return the beginnings of the content words, so that "approved" matches "approval"."""
    return {
        token.lower[:STEM]
        for sentence in document.sentences
        for token in sentence.tokens
        if token.tag.startswith(CONTENT_TAGS) and token.lower not in LIGHT_WORDS
    }


def _polarity(before: Document, after: Document) -> str:
    """Compare the polarity. Negations may be added or removed in pairs, or with an opposite: not open, closed."""
    first, second = detect_document(before), detect_document(after)
    if second.reason:
        return "not readable as English"
    odd = (len(second.negations) - len(first.negations)) % 2 == 1
    opposed = _opposed(before, after, {negation.cue.lower() for negation in (*first.negations, *second.negations)})
    if not opposed:
        return "the polarity changed" if odd else ""
    return "" if odd and opposed == ["immediate"] else "a word was replaced by its opposite"


def _opposed(before: Document, after: Document, cues: set[str]) -> list[str]:
    """Return the kinds of opposition between words that only one text has, except for negations."""
    kinds = []
    for pair in set(oppositions(before.sentences, after.sentences)):
        words = {pair.left.lower(), pair.right.lower()}
        if pair.kind != "mid" and not words & cues and not any(is_affixal(w) or is_implicit(w) for w in words):
            kinds.append(pair.kind)
    return kinds


CHECKS: tuple[Check, ...] = (_copy, _length, _distance, _mood, _numbers, _content, _polarity, _small_change)
