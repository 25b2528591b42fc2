"""One difference undone in the candidate, as plain edits."""

from __future__ import annotations

from functools import lru_cache

from litotes.lexicon import antonym_pairs, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS, same_case
from litotes.metric.words import SideBySide, Word, forms, unaffixed
from litotes.types import Edit, Negation, Span

# can't, won't, shan't: what is left of the auxiliary is no word
STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
FEW = 3
"""words of a changed place that may be put back as a whole"""


def swapped(ours: Word, theirs: Word) -> tuple[Edit, ...]:
    """The reference's word in place of the candidate's, in the candidate's letter case where that is no name."""
    word = ours.text if ours.name or theirs.name else same_case(ours.text, theirs.text)
    return (Edit(theirs.start, theirs.text, word),)


def left_out(text: str, span: Span) -> Edit:
    """The words of a span left out, with one of the spaces beside them."""
    start, end = span
    if text[end : end + 1] == " " and (start == 0 or text[start - 1] in " (“\"'"):
        end += 1
    elif text[start - 1 : start] == " ":
        start -= 1
    return Edit(start, text[start:end], "")


def without(candidate: str, negation: Negation) -> tuple[Edit, ...]:
    """The candidate without a negation it alone has."""
    if negation.kind == "affixal":
        return _without_affix(candidate, negation)
    if negation.kind == "exceptor":
        # All members [except Ann] voted.
        return (left_out(candidate, excepted(negation)),)
    return tuple(_without_word(candidate, span, negation.kind) for span in negation.cue_spans)


def _without_affix(candidate: str, negation: Negation) -> tuple[Edit, ...]:
    spans = [*negation.cue_spans, *([negation.event_span] if negation.event_span else [])]
    start, end = min(spans)[0], max(end for _, end in spans)
    word = candidate[start:end]
    if negation.event_span and " " not in word:
        positive = unaffixed(word.lower()) or negation.event
        return (Edit(start, word, same_case(positive, word)),)
    return (left_out(candidate, negation.cue_spans[0]),)


def _without_word(candidate: str, span: Span, kind: str) -> Edit:
    start, end = span
    cue = candidate[start:end]
    if _is_clitic(cue):
        stem = candidate[:start].rpartition(" ")[2]
        whole = STEMS.get(stem.lower(), stem)
        return Edit(start - len(stem), stem + cue, same_case(whole, stem) if stem else "")
    positive = _positives().get(cue.lower(), "") or (_opposite(cue.lower()) if kind == "implicit" else "")
    return Edit(start, cue, same_case(positive, cue)) if positive else left_out(candidate, span)


@lru_cache(maxsize=1)
def _positives() -> dict[str, str]:
    return table("undone_cues").mapping("cue", "positive")


def _opposite(word: str) -> str:
    """refused → accepted: an implicit negative's antonym in the same form; empty where there is none."""
    for tag in TAGS["verb"] + TAGS["adj"] + TAGS["noun"]:
        for pair in antonym_pairs().get((word, tag), ()):
            return inflect(pair.other, tag)
    return ""


def put_back(texts: SideBySide, span: Span) -> tuple[Edit, ...]:
    """What the reference alone has, put where it stood: with the few words that changed around it, else by itself."""
    ours, theirs, at = texts.across(span)
    if theirs and len(theirs) <= FEW and len(ours) <= FEW:
        start, end = theirs[0].start, theirs[-1].end
        restored = texts.reference[ours[0].start : ours[-1].end]
        return (Edit(start, texts.candidate[start:end], same_case(restored, texts.candidate[start:end])),)
    return (_inserted(texts, at, texts.reference[slice(*span)]),)


def denied_again(texts: SideBySide, negation: Negation) -> tuple[Edit, ...]:
    """A negation the reference alone has, put back: where it stood, else before what it denies."""
    if negation.kind == "exceptor":
        return put_back(texts, excepted(negation))
    spans = [_whole_words(texts, span) for span in negation.cue_spans]
    ours, theirs, _ = texts.across(spans[0])
    event = forms(negation.event.lower()) if negation.event else frozenset()
    standing = next((word for word in texts.theirs if forms(word.lower) & event), None)
    if standing is None or (0 < len(ours) <= FEW and len(theirs) <= FEW):
        edits = {edit for span in spans for edit in put_back(texts, span)}
        return tuple(sorted(edits, key=lambda edit: edit.start))
    if negation.kind == "affixal":
        return (Edit(standing.start, standing.text, texts.reference[slice(*spans[0])]),)
    cue = " ".join(texts.reference[start:end] for start, end in negation.cue_spans)
    return (_inserted(texts, standing.start, "not" if _is_clitic(cue) else cue),)


def excepted(negation: Negation) -> Span:
    """An exceptor and what it takes out."""
    return negation.cue_spans[0][0], max(end for _, end in (*negation.cue_spans, *negation.scope))


def _whole_words(texts: SideBySide, span: Span) -> Span:
    """does[n't]: the word a cue is part of."""
    inside = [word for word in texts.ours if word.inside(span)]
    return (inside[0].start, inside[-1].end) if inside else span


def _is_clitic(cue: str) -> bool:
    return cue.lower().replace("’", "'") in {"n't", "nt"}


def _inserted(texts: SideBySide, at: int, words: str) -> Edit:
    # at a text's end the space goes before
    return Edit(at, "", f" {words}" if at and texts.candidate[at - 1 : at] != " " else f"{words} ")
