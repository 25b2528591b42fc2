"""Explain a score: undo each difference separately, and score the candidate again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from litotes.detection.word_alignment import AlignedTexts, Word, words
from litotes.errors import InputError
from litotes.metric.candidate_edits import delete_span, remove_negation, replace_word, restore_negation, restore_words
from litotes.metric.hedging import HEDGED, hedge_differences
from litotes.metric.inputs import normalise
from litotes.metric.negation_matching import unmatched_negations
from litotes.metric.results import Difference, Explanation, Score
from litotes.types import Edit, Negation, Span, apply_edits

NOT_A_NUMBER = "one"
"""“one of the best” and “the best” do not differ in a number"""
Scoring = Callable[[Sequence[str], Sequence[str]], list[Score]]


@dataclass(frozen=True, slots=True)
class FoundDifference:
    """A difference, and the edits that undo it in the candidate."""

    kind: str
    reference: str
    candidate: str
    edits: tuple[Edit, ...]


def explain(score: Scoring, candidate: str, reference: str, *, hedges: bool = False) -> Explanation:
    """Return the differences of a pair and the cost of each, the most expensive first.

    `hedges` says whether hedging counts in the scores. A difference in hedging is returned in any case.
    """
    for name, text in (("candidate", candidate), ("reference", reference)):
        if not isinstance(text, str):
            raise InputError(f"the {name} is {type(text).__name__}; explain(candidate, reference) expects two texts")
    left, right = normalise(reference), normalise(candidate)
    found, reason = differences(left, right) if left and right else ([], "")
    texts = [apply_edits(right, difference.edits) for difference in found]
    all_undone = apply_edits(right, _compatible(edit for difference in found for edit in difference.edits))
    candidates = [candidate, *texts, all_undone]
    first, *others, last = score(candidates, [reference] * len(candidates))
    costs = [
        Difference(each.kind, each.reference, each.candidate, text, undone.value - first.value)
        for each, text, undone in zip(found, texts, others, strict=True)
    ]
    ordered = tuple(sorted(costs, key=lambda difference: -difference.cost))
    hedged = hedge_differences([(left, right)]).get((left, right)) if left and right else None
    if hedged and hedges:
        hedged = replace(hedged, cost=first.value / HEDGED - first.value)
    return Explanation(first, ordered, last.value, reason, hedged)


def differences(reference: str, candidate: str) -> tuple[list[FoundDifference], str]:
    """Return the differences of two texts, and why something was not searched for negations."""
    texts = AlignedTexts(reference, candidate)
    unmatched = unmatched_negations(reference, candidate)
    taken: tuple[list[Span], list[Span]] = (list(unmatched.settled[0]), list(unmatched.settled[1]))
    for own, negations in zip(taken, (unmatched.reference, unmatched.candidate), strict=True):
        # An excepted name does not count as a difference of its own.
        own.extend(span for negation in negations if negation.kind == "exceptor" for span in negation.scope)
    result: list[FoundDifference] = []
    for kind, one, other in texts.opposites():
        if _free(one, taken[0]) and _free(other, taken[1]):
            _take(taken, one, other)
            result.append(FoundDifference(kind, one.text, other.text, replace_word(one, other)))
    result += _changed(texts, taken, "number", lambda word: word.number)
    result += _changed(texts, taken, "name", lambda word: word.bare if word.name else "")
    for negation in unmatched.candidate:
        if all(_apart(span, taken[1]) for span in negation.cue_spans):
            result.append(
                FoundDifference("negation", "", _shown(candidate, negation), remove_negation(candidate, negation))
            )
    for negation in unmatched.reference:
        if all(_apart(span, taken[0]) for span in negation.cue_spans):
            result.append(
                FoundDifference("negation", _shown(reference, negation), "", restore_negation(texts, negation))
            )
    return result, unmatched.reason


def _changed(
    texts: AlignedTexts, taken: tuple[list[Span], list[Span]], kind: str, key: Callable[[Word], str]
) -> Iterator[FoundDifference]:
    """Yield numbers or names that only one text has, paired in their order."""
    left = _unshared(texts.reference, texts.reference_words, texts.candidate_words, taken[0], key)
    right = _unshared(texts.candidate, texts.candidate_words, texts.reference_words, taken[1], key)
    for one, other in zip(left, right, strict=False):
        _take(taken, one, other)
        yield FoundDifference(kind, one.text, other.text, replace_word(one, other))
    for one in (one for one in left[len(right) :] if one.lower != NOT_A_NUMBER):
        taken[0].append((one.start, one.end))
        yield FoundDifference(kind, one.text, "", restore_words(texts, (one.start, one.end)))
    for other in (other for other in right[len(left) :] if other.lower != NOT_A_NUMBER):
        taken[1].append((other.start, other.end))
        yield FoundDifference(kind, "", other.text, (delete_span(texts.candidate, (other.start, other.end)),))


def _unshared(
    text: str, own: Sequence[Word], others: Sequence[Word], taken: Sequence[Span], key: Callable[[Word], str]
) -> list[Word]:
    """Return the words whose key the other text lacks; adjacent words are joined, as in New York."""
    # A text in lower case has the same names.
    there = {name for word in others for name in (key(word), word.bare)} | {""}
    unshared: list[Word] = []
    for word in own:
        if key(word) in there or not _free(word, taken):
            continue
        if unshared and text[unshared[-1].end : word.start] == " ":
            before = unshared.pop()
            unshared.append(Word(text[before.start : word.end], before.start, word.end, before.opens))
        else:
            unshared.append(word)
    return unshared


def _shown(text: str, negation: Negation) -> str:
    """Return the cue, or the whole word if the cue is part of one."""
    if len(negation.cue_spans) > 1:
        return negation.cue
    inside = [word for word in words(text) if word.inside(negation.cue_spans[0])]
    return text[inside[0].start : inside[-1].end] if inside else negation.cue


def _free(word: Word, taken: Sequence[Span]) -> bool:
    return not any(word.inside(span) for span in taken)


def _apart(span: Span, taken: Sequence[Span]) -> bool:
    return not any(span[0] < end and start < span[1] for start, end in taken)


def _take(taken: tuple[list[Span], list[Span]], one: Word, other: Word) -> None:
    taken[0].append((one.start, one.end))
    taken[1].append((other.start, other.end))


def _compatible(edits: Iterator[Edit]) -> tuple[Edit, ...]:
    """Return the edits in order, without those that overlap an earlier one."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return tuple(kept)
