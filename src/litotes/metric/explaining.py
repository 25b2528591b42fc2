"""What cost a candidate its points: each difference is undone by itself, and the candidate scored again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from litotes.errors import InputError
from litotes.metric.negations import alone
from litotes.metric.results import Difference, Explanation, Score
from litotes.metric.texts import normalise
from litotes.metric.undoing import denied_again, left_out, put_back, swapped, without
from litotes.metric.words import SideBySide, Word, words
from litotes.types import Edit, Negation, Span, apply_edits

UNSTRESSED = "one"
Scoring = Callable[[Sequence[str], Sequence[str]], list[Score]]


@dataclass(frozen=True, slots=True)
class Found:
    """A difference, and the edits of the candidate that undo it."""

    kind: str
    reference: str
    candidate: str
    edits: tuple[Edit, ...]


def explain(score: Scoring, reference: str, candidate: str) -> Explanation:
    """The differences of a pair and what each cost, dearest first."""
    for name, text in (("reference", reference), ("candidate", candidate)):
        if not isinstance(text, str):
            raise InputError(f"explain reads texts; the {name} is {type(text).__name__}")
    ours, theirs = normalise(reference), normalise(candidate)
    found, reason = differences(ours, theirs) if ours and theirs else ([], "")
    texts = [apply_edits(theirs, one.edits) for one in found]
    together = apply_edits(theirs, _compatible(edit for one in found for edit in one.edits))
    asked = [candidate, *texts, together]
    first, *others, last = score([reference] * len(asked), asked)
    parts = [
        Difference(one.kind, one.reference, one.candidate, text, again.value - first.value)
        for one, text, again in zip(found, texts, others, strict=True)
    ]
    dearest = sorted(parts, key=lambda one: -one.cost)
    return Explanation(first, tuple(dearest), last.value, reason)


def differences(reference: str, candidate: str) -> tuple[list[Found], str]:
    """What one text says otherwise than the other, and why something was not looked into."""
    texts = SideBySide(reference, candidate)
    denied = alone(reference, candidate)
    taken: tuple[list[Span], list[Span]] = (list(denied.settled[0]), list(denied.settled[1]))
    for own, negations in zip(taken, (denied.reference, denied.candidate), strict=True):
        # a name that is excepted is no difference of its own
        own.extend(span for negation in negations if negation.kind == "exceptor" for span in negation.scope)
    found: list[Found] = []
    for kind, one, other in texts.opposites():
        if _free(one, taken[0]) and _free(other, taken[1]):
            _take(taken, one, other)
            found.append(Found(kind, one.text, other.text, swapped(one, other)))
    found += _changed(texts, taken, "number", lambda word: word.number)
    found += _changed(texts, taken, "name", lambda word: word.bare if word.name else "")
    for negation in denied.candidate:
        if all(_apart(span, taken[1]) for span in negation.cue_spans):
            found.append(Found("negation", "", _shown(candidate, negation), without(candidate, negation)))
    for negation in denied.reference:
        if all(_apart(span, taken[0]) for span in negation.cue_spans):
            found.append(Found("negation", _shown(reference, negation), "", denied_again(texts, negation)))
    return found, denied.reason


def _changed(
    texts: SideBySide, taken: tuple[list[Span], list[Span]], kind: str, key: Callable[[Word], str]
) -> Iterator[Found]:
    """Numbers or names of one side alone: the first of one side against the first of the other, and so on."""
    ours = _only(texts.reference, texts.ours, texts.theirs, taken[0], key)
    theirs = _only(texts.candidate, texts.theirs, texts.ours, taken[1], key)
    for one, other in zip(ours, theirs, strict=False):
        _take(taken, one, other)
        yield Found(kind, one.text, other.text, swapped(one, other))
    # "one of the best" against "the best" differs in no number
    for one in (one for one in ours[len(theirs) :] if one.lower != UNSTRESSED):
        taken[0].append((one.start, one.end))
        yield Found(kind, one.text, "", put_back(texts, (one.start, one.end)))
    for other in (other for other in theirs[len(ours) :] if other.lower != UNSTRESSED):
        taken[1].append((other.start, other.end))
        yield Found(kind, "", other.text, (left_out(texts.candidate, (other.start, other.end)),))


def _only(
    text: str, own: Sequence[Word], others: Sequence[Word], taken: Sequence[Span], key: Callable[[Word], str]
) -> list[Word]:
    """The words with a key the other side lacks; neighbours are one: New York."""
    # a text in small letters has the same names
    there = {name for word in others for name in (key(word), word.bare)} | {""}
    found: list[Word] = []
    for word in own:
        if key(word) in there or not _free(word, taken):
            continue
        if found and text[found[-1].end : word.start] == " ":
            before = found.pop()
            found.append(Word(text[before.start : word.end], before.start, word.end, before.opens))
        else:
            found.append(word)
    return found


def _shown(text: str, negation: Negation) -> str:
    """The cue; where it is part of a word, the whole word."""
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
    """In order, without those that overlap an earlier one."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not found or edit.start >= found[-1].end:
            found.append(edit)
    return tuple(found)
