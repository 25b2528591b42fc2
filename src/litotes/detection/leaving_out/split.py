"""A query taken apart: its requests to leave something out found, cut, and the rest tidied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from litotes.detection.leaving_out.denials import denied
from litotes.detection.leaving_out.extent import begin, end_of, with_marks
from litotes.detection.leaving_out.requests import asking, excepting, neither, no_thanks
from litotes.detection.leaving_out.words import ASKED, WEIGHING, Trigger
from litotes.parse import Document, Parser, Sentence
from litotes.parse import parser as load_parser
from litotes.types import Exclusion, Span

CLOSED = frozenset({"DT", "PRP", "PRP$", "IN", "TO", "CC", "WDT", "WP", "WRB", "MD", "UH", ".", ",", ":", "RB", "EX"})
# jaguar -car: a minus glued to its word, after a space; recipes NOT chicken
_OPERATOR = re.compile(
    r"(?<!\S)(?:-(?=[^\W\d_]{3}|\d{4}|\")|(?:(?:AND|BUT)\s+)?NOT\s+(?!to\b|in\b|[A-Z]{2}|\w+ing\b))"
    r"(\"[^\"]+\"|[^\s,;?!]+)"
)
_VOWEL = re.compile(r"[aeiouy\d]", re.IGNORECASE)
_SPLIT = re.compile(r"\s*(?:,|;)\s*(?:and\b|or\b|nor\b)?\s*|\s+(?:and|or|nor|as well as)\s+", re.IGNORECASE)
_AGAIN = re.compile(r"^(?:not |nor |anything |about |of |by |from |on |in |for |any |either )+", re.IGNORECASE)


def exclusion(document: Document) -> Exclusion:
    """The query without what it asks to leave out, and that; a query that leaves out nothing is kept whole."""
    text = document.text
    cuts: list[Span] = []
    things: list[str] = []
    cues: list[str] = []
    rules: list[str] = []
    for place, end, cue, rule, listed in sorted([*_operators(document), *_phrases(document)]):
        start = max(place, cuts[-1][1]) if cuts else place
        if start >= end:
            continue
        cuts.append((start, end))
        things += listed
        cues.append(cue)
        rules.append(rule)
    kept = _kept(text, cuts)
    if not things or not _says_something(document, cuts):
        return Exclusion(text, text)
    return Exclusion(text, kept, tuple(things), tuple(cues), tuple(dict.fromkeys(rules)))


def exclusions(texts: Iterable[str], *, reader: Parser | None = None) -> Iterator[Exclusion]:
    """One answer a query, in order, streamed."""
    return map(exclusion, (reader if reader is not None else load_parser()).pipe(texts))


Cut = tuple[int, int, str, str, list[str]]


def _operators(document: Document) -> Iterator[Cut]:
    if document.text.isupper():
        return
    for match in _OPERATOR.finditer(document.text):
        before = ["", *document.text[: match.start()].lower().split()][-1]
        if "NOT" in match[0] and (before in ASKED | WEIGHING | {"", "or", "am", "vs", "if", "must", "you"}):
            continue
        if match[0][0] == "-" and not _VOWEL.search(match[1]):
            # tar -xzf
            continue
        cue = "-" if match[0].startswith("-") else "NOT"
        yield match.start(), match.end(), cue, f"“{cue}” is a search operator", [match[1].strip('"')]


def _phrases(document: Document) -> Iterator[Cut]:
    for sentence in document.sentences:
        found = sorted(_triggers(sentence), key=lambda one: (one.first, -one.after))
        free = 0
        for number, one in enumerate(found):
            if one.first < free or one.after >= len(sentence.tokens):
                continue
            until = min((other.first for other in found[number + 1 :] if other.first > one.after), default=None)
            end = end_of(sentence, one, until)
            if end <= one.after:
                continue
            free = end
            last = sentence.tokens[end - 1]
            listed = _listed(sentence.text[sentence.tokens[one.after].start : last.end])
            start, end = with_marks(sentence, begin(sentence, one.first), end)
            yield sentence.tokens[start].start, sentence.tokens[end - 1].end, one.cue, one.rule, listed


def _triggers(sentence: Sentence) -> Iterator[Trigger]:
    yield from excepting(sentence)
    yield from asking(sentence)
    yield from no_thanks(sentence)
    yield from neither(sentence)
    for token in sentence.tokens:
        if token.lower in {"not", "n't", "nt", "never"}:
            yield from denied(sentence, token)


def _listed(text: str) -> list[str]:
    """A, B and C → the three."""
    parts = [_AGAIN.sub("", part.strip(' ,;.?!"“”')) for part in _SPLIT.split(text)]
    return [part.strip() for part in parts if part.strip()]


def _kept(text: str, cuts: Sequence[Span]) -> str:
    """The rest, tidied; a capital moves to the front."""
    parts, at = [], 0
    for start, end in cuts:
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    kept = re.sub(r"\s+", " ", " ".join(parts))
    kept = re.sub(r"\s+([,.;:?!)])", r"\1", kept)
    kept = re.sub(r"([?!])\s*\.", r"\1", kept)
    kept = re.sub(r"\(\s*\)", "", kept)
    kept = re.sub(r"([,;:.])(?:\s*[,;:.])+", r"\1", kept)
    kept = re.sub(r",(?=[?!.])", "", kept).strip(" ,;:-–—").removesuffix(" and").removesuffix(" but")
    kept = re.sub(r"^(?:and|but|then)\s+", "", kept)
    kept = re.sub(r"[,;:]\s*(please|thanks)?\s*$", "", kept)
    return kept[:1].upper() + kept[1:] if text[:1].isupper() and kept[:1].islower() else kept


def _says_something(document: Document, cuts: Sequence[Span]) -> bool:
    """Whether a word of content is kept."""
    outside = [
        token
        for sentence in document.sentences
        for token in sentence.tokens
        if not any(start <= token.start < end for start, end in cuts)
    ]
    return any(token.tag not in CLOSED and token.lower not in ASKED and token.lower.isalnum() for token in outside)
