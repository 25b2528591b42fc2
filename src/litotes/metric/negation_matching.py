"""Match the negations of two texts, and find those without a counterpart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from litotes.detection import detect
from litotes.detection.word_alignment import forms, opposition
from litotes.types import Negation, Span


@dataclass(frozen=True, slots=True)
class ComparedNegation:
    """A negation with the text around it, for comparisons."""

    negation: Negation
    text: str
    """the whole text"""

    @property
    def event(self) -> frozenset[str]:
        return forms(self.negation.event.lower()) if self.negation.event else frozenset()

    @property
    def cue(self) -> frozenset[str]:
        return forms(self.negation.cue.lower())

    @property
    def reach(self) -> frozenset[str]:
        inside = " ".join(self.text[start:end] for start, end in self.negation.scope)
        return _all_forms(inside)


def _all_forms(text: str) -> frozenset[str]:
    return frozenset(form for word in re.findall(r"[\w'’-]+", text.lower()) for form in forms(word))


# Tried in this order on all unmatched pairs; the first that is true matches them.
SAME: tuple[Callable[[ComparedNegation, ComparedNegation], bool], ...] = (
    # is not safe, is unsafe
    lambda one, other: bool(one.event & other.event),
    # no evidence that it works, does not work
    lambda one, other: bool(one.event & other.reach or one.reach & other.event),
    # refused to repatriate them, refused to send them home
    lambda one, other: one.negation.kind == other.negation.kind == "implicit" and bool(one.cue & other.cue),
    # is not safe, is not dangerous: other words, the same "not"
    lambda one, other: bool(opposition(one.negation.event.lower(), other.negation.event.lower())),
    # does not eat fish, does not touch seafood: neither text affirms what the other negates
    lambda one, other: not one.event & _all_forms(other.text) and not other.event & _all_forms(one.text),
)


@dataclass(frozen=True, slots=True)
class UnmatchedNegations:
    """The negations of a reference and a candidate that have no counterpart."""

    reference: list[Negation]
    candidate: list[Negation]
    settled: tuple[list[Span], list[Span]]
    """words of both texts that no longer count as opposites: not safe and unsafe"""
    reason: str


def unmatched_negations(reference: str, candidate: str) -> UnmatchedNegations:
    """Return the negations of each text that the other lacks."""
    left, right = detect(reference), detect(candidate)
    unmatched_left = [ComparedNegation(one, reference) for one in left.negations]
    unmatched_right = [ComparedNegation(one, candidate) for one in right.negations]
    settled: tuple[list[Span], list[Span]] = ([], [])
    for same in SAME:
        for one in list(unmatched_left):
            other = next((other for other in unmatched_right if same(one, other)), None)
            if other is not None:
                unmatched_left.remove(one)
                unmatched_right.remove(other)
                if same is SAME[0]:
                    settled[0].extend(_spans(one.negation))
                    settled[1].extend(_spans(other.negation))
    _cancel(unmatched_left, candidate, settled)
    _cancel(unmatched_right, reference, settled[::-1])
    reason = left.reason or right.reason
    return UnmatchedNegations(
        [one.negation for one in unmatched_left], [one.negation for one in unmatched_right], settled, reason
    )


def _spans(negation: Negation) -> list[Span]:
    return [*negation.cue_spans, *([negation.event_span] if negation.event_span else [])]


def _cancel(denied: list[ComparedNegation], other: str, settled: Sequence[list[Span]]) -> None:
    """Remove negations that an opposite in the other text expresses: is not open, is closed."""
    present = [(match[0].lower(), match.span()) for match in re.finditer(r"[\w'’-]+", other)]
    for one in list(denied):
        event = one.negation.event.lower()
        if not event or one.event & _all_forms(other):
            continue
        against = next((span for word, span in present if opposition(event, word)), None)
        if against is not None:
            denied.remove(one)
            settled[0].extend(_spans(one.negation))
            settled[1].append(against)
