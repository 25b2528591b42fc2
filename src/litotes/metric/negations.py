"""Which negations of two texts answer each other, and which stand alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from litotes.detection import detect
from litotes.metric.words import forms, opposition
from litotes.types import Negation, Span


@dataclass(frozen=True, slots=True)
class Denied:
    """A negation as it is compared."""

    negation: Negation
    text: str
    """the whole text it stands in"""

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


# Asked in this order, each of every pair still alone: the first that holds makes them answer each other.
SAME: tuple[Callable[[Denied, Denied], bool], ...] = (
    # is not safe, is unsafe
    lambda one, other: bool(one.event & other.event),
    # no evidence that it works, does not work
    lambda one, other: bool(one.event & other.reach or one.reach & other.event),
    # refused to repatriate them, refused to send them home
    lambda one, other: one.negation.kind == other.negation.kind == "implicit" and bool(one.cue & other.cue),
    # is not safe, is not dangerous: the words differ, the "not" does not
    lambda one, other: bool(opposition(one.negation.event.lower(), other.negation.event.lower())),
    # does not eat fish, does not touch seafood: neither text affirms what the other denies
    lambda one, other: not one.event & _all_forms(other.text) and not other.event & _all_forms(one.text),
)


@dataclass(frozen=True, slots=True)
class Alone:
    """The negations of a reference and of a candidate that have no counterpart."""

    reference: list[Negation]
    candidate: list[Negation]
    settled: tuple[list[Span], list[Span]]
    """words of reference and candidate that no longer count as opposites: not safe against unsafe"""
    reason: str


def alone(reference: str, candidate: str) -> Alone:
    """The negations of either text that the other lacks."""
    left, right = detect(reference), detect(candidate)
    ours = [Denied(one, reference) for one in left.negations]
    theirs = [Denied(one, candidate) for one in right.negations]
    settled: tuple[list[Span], list[Span]] = ([], [])
    for same in SAME:
        for one in list(ours):
            other = next((other for other in theirs if same(one, other)), None)
            if other is not None:
                ours.remove(one)
                theirs.remove(other)
                if same is SAME[0]:
                    settled[0].extend(_spans(one.negation))
                    settled[1].extend(_spans(other.negation))
    _cancel(ours, candidate, settled)
    _cancel(theirs, reference, settled[::-1])
    reason = left.reason or right.reason
    return Alone([one.negation for one in ours], [one.negation for one in theirs], settled, reason)


def _spans(negation: Negation) -> list[Span]:
    return [*negation.cue_spans, *([negation.event_span] if negation.event_span else [])]


def _cancel(denied: list[Denied], other: str, settled: Sequence[list[Span]]) -> None:
    """is not open, is closed: the negation is answered by an opposite"""
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
