"""Explain the logit of a pair model: the sentence that decided, and whether its polarity or its topic did.

Each sentence is removed, and reversed: "It is not safe." becomes "It is safe." The sentence whose removal or reversal
changes the logit most decided. If its reversal changes the logit more than its removal, then it matters what the
sentence affirms or denies, and not only what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from litotes.detection.sentences import sentence_spans
from litotes.rewrite import affirm_all, negate_all

POLARITY, TOPIC = "polarity", "topic"
Score = Callable[[Sequence[str]], np.ndarray]
"""Returns the logit of each version of a text with the query."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The sentence of a text that decided its logit."""

    sentence: str
    decided_by: str
    """"polarity" or "topic"; empty if the sentence cannot be reversed, so that this is not known"""
    reversed_logit: float | None
    """the logit of the text if the sentence said the reverse; None if it cannot be reversed"""


def explain_logit(text: str, logit: float, score: Score) -> Explanation:
    """Explain the logit of a text."""
    spans = sentence_spans(text)
    sentences = [text[start:end] for start, end in spans]
    if not sentences:
        return Explanation(text, "", None)
    reversals = reversed_sentences(sentences)
    without = [text[:start] + text[end:] for start, end in spans]
    reversed_texts = [
        text if reversal is None else text[:start] + reversal + text[end:]
        for (start, end), reversal in zip(spans, reversals, strict=True)
    ]
    logits = score([*without, *reversed_texts])
    removed, turned = np.split(np.abs(logits - logit), 2)
    at = int(np.argmax(np.maximum(removed, turned)))
    if reversals[at] is None:
        return Explanation(sentences[at], "", None)
    decided_by = POLARITY if turned[at] > removed[at] else TOPIC
    return Explanation(sentences[at], decided_by, float(logits[len(spans) + at]))


def reversed_sentences(sentences: Sequence[str]) -> list[str | None]:
    """Return each sentence without its negation, or else with one; None if neither rewrite is possible."""
    affirmed = [result.rewrite for result in affirm_all(sentences)]
    rest = [sentence for sentence, result in zip(sentences, affirmed, strict=True) if result is None]
    negated = iter([result.rewrite for result in negate_all(rest)])
    return [next(negated) if result is None else result for result in affirmed]
