"""Edits that undo one difference in the candidate."""

from __future__ import annotations

from functools import lru_cache

from litotes.detection.word_alignment import AlignedTexts, Word, forms, without_affix
from litotes.lexicon import antonym_pairs, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS, same_case
from litotes.types import Edit, Negation, Span

# can't, won't, shan't: what remains of the auxiliary is not a word
STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
MAX_CHANGED_WORDS = 3
"""a changed passage of at most so many words is restored as a whole"""


def replace_word(reference: Word, candidate: Word) -> tuple[Edit, ...]:
    """Replace the candidate's word with the reference's, in the candidate's letter case unless one is a name."""
    named = reference.name or candidate.name
    word = reference.text if named else same_case(reference.text, candidate.text)
    return (Edit(candidate.start, candidate.text, word),)


def delete_span(text: str, span: Span) -> Edit:
    """Delete the words of a span and one adjacent space."""
    start, end = span
    if text[end : end + 1] == " " and (start == 0 or text[start - 1] in " (“\"'"):
        end += 1
    elif text[start - 1 : start] == " ":
        start -= 1
    return Edit(start, text[start:end], "")


def remove_negation(candidate: str, negation: Negation) -> tuple[Edit, ...]:
    """Remove a negation that only the candidate has."""
    if negation.kind == "affixal":
        return _without_affix(candidate, negation)
    if negation.kind == "exceptor":
        # All members [except Ann] voted.
        return (delete_span(candidate, exception_span(negation)),)
    return tuple(_without_word(candidate, span, negation.kind) for span in negation.cue_spans)


def _without_affix(candidate: str, negation: Negation) -> tuple[Edit, ...]:
    spans = [*negation.cue_spans, *([negation.event_span] if negation.event_span else [])]
    start, end = min(spans)[0], max(end for _, end in spans)
    word = candidate[start:end]
    if negation.event_span and " " not in word:
        positive = without_affix(word.lower()) or negation.event
        return (Edit(start, word, same_case(positive, word)),)
    return (delete_span(candidate, negation.cue_spans[0]),)


def _without_word(candidate: str, span: Span, kind: str) -> Edit:
    start, end = span
    cue = candidate[start:end]
    if _is_clitic(cue):
        stem = candidate[:start].rpartition(" ")[2]
        whole = STEMS.get(stem.lower(), stem)
        return Edit(start - len(stem), stem + cue, same_case(whole, stem) if stem else "")
    positive = _positives().get(cue.lower(), "") or (_opposite(cue.lower()) if kind == "implicit" else "")
    return Edit(start, cue, same_case(positive, cue)) if positive else delete_span(candidate, span)


@lru_cache(maxsize=1)
def _positives() -> dict[str, str]:
    return table("undone_cues").mapping("cue", "positive")


def _opposite(word: str) -> str:
    """Return the antonym of an implicit negative in the same form (refused → accepted), or ""."""
    for tag in TAGS["verb"] + TAGS["adj"] + TAGS["noun"]:
        for pair in antonym_pairs().get((word, tag), ()):
            return inflect(pair.other, tag)
    return ""


def restore_words(texts: AlignedTexts, span: Span) -> tuple[Edit, ...]:
    """Restore words that only the reference has, together with a few changed words around them."""
    removed, added, at = texts.across(span)
    if added and len(added) <= MAX_CHANGED_WORDS and len(removed) <= MAX_CHANGED_WORDS:
        start, end = added[0].start, added[-1].end
        restored = texts.reference[removed[0].start : removed[-1].end]
        return (Edit(start, texts.candidate[start:end], same_case(restored, texts.candidate[start:end])),)
    return (_inserted(texts, at, texts.reference[slice(*span)]),)


def restore_negation(texts: AlignedTexts, negation: Negation) -> tuple[Edit, ...]:
    """Restore a negation that only the reference has: in its place, or before the word that it negates."""
    if negation.kind == "exceptor":
        return restore_words(texts, exception_span(negation))
    spans = [_whole_words(texts, span) for span in negation.cue_spans]
    removed, added, _ = texts.across(spans[0])
    event = forms(negation.event.lower()) if negation.event else frozenset()
    negated = next((word for word in texts.candidate_words if forms(word.lower) & event), None)
    if negated is None or (0 < len(removed) <= MAX_CHANGED_WORDS and len(added) <= MAX_CHANGED_WORDS):
        edits = {edit for span in spans for edit in restore_words(texts, span)}
        return tuple(sorted(edits, key=lambda edit: edit.start))
    if negation.kind == "affixal":
        return (Edit(negated.start, negated.text, texts.reference[slice(*spans[0])]),)
    cue = " ".join(texts.reference[start:end] for start, end in negation.cue_spans)
    return (_inserted(texts, negated.start, "not" if _is_clitic(cue) else cue),)


def exception_span(negation: Negation) -> Span:
    """Return the span of an exceptor and what it excludes."""
    return negation.cue_spans[0][0], max(end for _, end in (*negation.cue_spans, *negation.scope))


def _whole_words(texts: AlignedTexts, span: Span) -> Span:
    """Return the span of the whole word that a cue is part of: doesn't for n't."""
    inside = [word for word in texts.reference_words if word.inside(span)]
    return (inside[0].start, inside[-1].end) if inside else span


def _is_clitic(cue: str) -> bool:
    return cue.lower().replace("’", "'") in {"n't", "nt"}


def _inserted(texts: AlignedTexts, at: int, words: str) -> Edit:
    # At the end of a text the space comes first.
    return Edit(at, "", f" {words}" if at and texts.candidate[at - 1 : at] != " " else f"{words} ")
