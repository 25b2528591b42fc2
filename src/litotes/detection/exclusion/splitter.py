"""Split a query: find its exclusions, cut them, and tidy the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from litotes.detection.exclusion.asking_for_others import asking_for_others
from litotes.detection.exclusion.contrasting_not import contrasted
from litotes.detection.exclusion.denials import denied
from litotes.detection.exclusion.exceptions import excepting
from litotes.detection.exclusion.extent import begin, end_of, with_marks
from litotes.detection.exclusion.mentions import is_mention
from litotes.detection.exclusion.named_things import things as things_in
from litotes.detection.exclusion.request_words import ASKED, WEIGHING, Trigger
from litotes.detection.exclusion.requests import asking, neither, no_thanks
from litotes.detection.exclusion.search_box import typed
from litotes.detection.exclusion.spelling import respelled
from litotes.detection.exclusion.tails import parted, postposed
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, load_parser
from litotes.types import Exclusion, Span

CLOSED = frozenset({"DT", "PRP", "PRP$", "IN", "TO", "CC", "WDT", "WP", "WRB", "MD", "UH", ".", ",", ":", "RB", "EX"})
# "jaguar -car": a minus attached to its word, after a space; "recipes NOT chicken"
_OPERATOR = re.compile(
    r"(?<!\S)(?:-(?=[^\W\d_]{3}|\d{4}|\")|(?:(?:AND|BUT)\s+)?NOT\s+(?!to\b|in\b|[A-Z]{2}|\w+ing\b))"
    r"(\"[^\"]+\"|[^\s,;?!]+)"
)
_VOWEL = re.compile(r"[aeiouy\d]", re.IGNORECASE)
_WIDE = str.maketrans("，；：？！（）", ",;:?!()")
_GLUED = (
    (re.compile(r"\bexcl\b\.?(?=\s)", re.IGNORECASE), "excluding"),
    (re.compile(r"\bw/o\b", re.IGNORECASE), "without"),
    (re.compile(r"(?<=[^\W\d_])[´`](?=t\b)"), "'"),
    (re.compile(r"(?<=[^\W\d_]{3})\.(?=(?:not?|but|except|do not|don'?t|leave|without|nothing)\s)"), ". "),
    (re.compile(r"\b(don['’]?t|do not) wanna\b", re.IGNORECASE), r"\1 want to"),
    (re.compile(r",(?:\s*,)+"), ","),
    (re.compile(r"(?<=[\w\"”)])([,;，；])(?=[^\W\d_])"), r"\1 "),
    (re.compile(r"(?<=[^\W\d_])([(（])(?=\s*[^\W\d_]{2})"), r" \1"),
    (re.compile(r"([)）])(?=[^\W\d_])"), r"\1 "),
    (re.compile(r"(?<=\w)(--|—|–)(?=\w)(?!\d)"), r" \1 "),
)


def split_query(query: str, *, parser: Parser | str = "") -> Exclusion:
    """Split a query into what it asks for and what it excludes. A query that excludes nothing is kept whole."""
    return next(split_query_all([query], parser=parser))


def split_query_all(queries: Iterable[str], *, parser: Parser | str = "") -> Iterator[Exclusion]:
    """Split many queries: one result per query, in order, as a stream."""
    loaded = load_parser(parser)
    return (_split(document, loaded) for document in loaded.pipe(queries))


def _split(document: Document, parser: Parser) -> Exclusion:
    """Split a parsed query. If marks are glued to its words, add the spaces and parse it again."""
    spaced = _spaced(document.text)
    if spaced == document.text:
        return _taken_apart(document)
    result = _taken_apart(parser.parse(spaced))
    return replace(result, text=document.text) if result else Exclusion(document.text, document.text)


def _spaced(text: str) -> str:
    """Example: films,other than Y → films, other than Y; africa(except Y)with → africa (except Y) with."""
    if len(text) > MAX_CHARACTERS:
        return text
    for pattern, by in _GLUED:
        text = pattern.sub(by, text)
    return respelled(text.translate(_WIDE))


def _taken_apart(document: Document) -> Exclusion:
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


Cut = tuple[int, int, str, str, list[str]]


def _operators(document: Document) -> Iterator[Cut]:
    if document.text.isupper():
        return
    for match in _OPERATOR.finditer(document.text):
        before = ["", *document.text[: match.start()].lower().split()][-1]
        if "NOT" in match[0] and (before in ASKED | WEIGHING | {"", "or", "am", "vs", "if", "must", "you"}):
            continue
        if not any(map(str.isalnum, match[1])) or (match[0][0] == "-" and not _VOWEL.search(match[1])):
            # "tar -xzf"
            continue
        if match[1].lower() == "dash":
            # "flow -dash papers": a dash that was spelt out when the text was typed in
            continue
        cue = "-" if match[0].startswith("-") else "NOT"
        yield match.start(), match.end(), cue, f"“{cue}” is a search operator", [match[1].strip('"')]


def _phrases(document: Document) -> Iterator[Cut]:
    for sentence in document.sentences:
        found = sorted(_triggers(sentence), key=lambda one: (one.first, -one.after))
        free = 0
        for number, one in enumerate(found):
            if one.first < free or one.after >= len(sentence.tokens) or is_mention(sentence, one):
                continue
            if sentence.tokens[one.after].lower in {"if", "when", "unless", "until"}:
                # "do not use if the seal is broken"
                continue
            until = min((other.first for other in found[number + 1 :] if other.first > one.after), default=None)
            end = one.stop or end_of(sentence, one, until)
            if end <= one.after:
                continue
            last = sentence.tokens[end - 1]
            listed = things_in(sentence.text[sentence.tokens[one.after].start : last.end])
            if not listed:
                continue
            free = end = max(end, one.cut)
            start, end = with_marks(sentence, begin(sentence, one.first), end)
            yield sentence.tokens[start].start, sentence.tokens[end - 1].end, one.cue, one.rule, listed


def _triggers(sentence: Sentence) -> Iterator[Trigger]:
    yield from typed(sentence)
    yield from excepting(sentence)
    yield from asking(sentence)
    yield from asking_for_others(sentence)
    yield from parted(sentence)
    yield from postposed(sentence)
    yield from no_thanks(sentence)
    yield from neither(sentence)
    for token in sentence.tokens:
        if token.lower in {"not", "n't", "nt", "never"}:
            yield from denied(sentence, token)
            yield from contrasted(sentence, token)


def _kept(text: str, cuts: Sequence[Span]) -> str:
    """Tidy what remains, and move a capital to the front."""
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
    kept = re.sub(r",(?=[?!.])", "", kept).strip(" ,;:-–—").lstrip(". ").removesuffix(" and").removesuffix(" but")
    kept = re.sub(r"^(?:and|but|then)\s+", "", kept)
    kept = re.sub(r"[,;:]\s*(please|thanks)?\s*$", "", kept)
    return kept[:1].upper() + kept[1:] if text[:1].isupper() and kept[:1].islower() else kept


def _says_something(document: Document, cuts: Sequence[Span]) -> bool:
    """Return whether at least one content word remains."""
    outside = [
        token
        for sentence in document.sentences
        for token in sentence.tokens
        if not any(start <= token.start < end for start, end in cuts)
    ]
    return any(token.tag not in CLOSED and token.lower not in ASKED and token.lower.isalnum() for token in outside)
