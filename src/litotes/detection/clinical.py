"""Read the shorthand of clinical notes: "neg for", "no h/o", "r/o", "NKDA". The phrases are in lexicon/clinical.tsv."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from litotes.detection.spans import merged_spans
from litotes.lexicon import table
from litotes.parse import Sentence, Token
from litotes.types import Hedge, Negation, Span

DENYING = frozenset({"before", "after", "alone"})
HEDGING = frozenset({"possible", "hypothetical"})
LIMITING = DENYING | HEDGING | {"historical", "ends"}
STOPS = frozenset({";", ":", "(", ".", "--"})
EDGES = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "CC", "HYPH"})


class ClinicalPhrase(NamedTuple):
    """A row of the table."""

    name: str
    role: str
    when: str
    strength: float


class Shorthand(NamedTuple):
    """A phrase and the tokens of a sentence that it matches."""

    phrase: ClinicalPhrase
    tokens: tuple[int, ...]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, ClinicalPhrase]:
    """Return the phrases by their lower-case form."""
    rows = (ClinicalPhrase(r["phrase"], r["role"], r["when"], float(r["strength"] or 0)) for r in table("clinical"))
    return {phrase.name.lower(): phrase for phrase in rows}


@lru_cache(maxsize=4)
def _pattern(*when: str) -> re.Pattern[str]:
    """Return the pattern of the phrases that are read at these times, longest first, for a text in lower case."""
    names = sorted((name for name, phrase in _phrases().items() if phrase.when in when), key=len, reverse=True)
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(map(re.escape, names))})(?![\w/'])")


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[ClinicalPhrase, Span]]:
    """Yield the phrases in a text with their spans. A phrase with capitals must be written with them."""
    lower = text.lower()
    for match in pattern.finditer(lower if len(lower) == len(text) else text):
        phrase = _phrases()[match[0]]
        if phrase.name == match[0] or phrase.name == text[slice(*match.span())]:
            yield phrase, match.span()


def is_clinical(text: str) -> bool:
    """Return whether a text has a phrase that only clinical notes have."""
    return next(_matches(_pattern("marks"), text), None) is not None


def find_shorthand(sentence: Sentence, *, clinical: bool = False) -> list[Shorthand]:
    """Find the phrases of a sentence, in order. `clinical` reads those that are ambiguous in other texts, too."""
    pattern = _pattern("marks", "always", "clinical") if clinical else _pattern("marks", "always")
    found = []
    for phrase, (start, end) in _matches(pattern, sentence.text[sentence.start : sentence.end]):
        first, last = start + sentence.start, end + sentence.start
        found.append(Shorthand(phrase, tuple(t.i for t in sentence.tokens if t.start < last and t.end > first)))
    return found


def shorthand_negations(sentence: Sentence, shorthand: Sequence[Shorthand]) -> Iterator[Negation]:
    """Convert the phrases that deny: "neg for [rash]", "[the swab] neg", "NKDA"."""
    for match in shorthand:
        if match.phrase.role not in DENYING:
            continue
        first, last = match.tokens[0], match.tokens[-1]
        cue, scope, denied = match.tokens, range(0), range(0)
        if match.phrase.role == "before":
            denied = _following(sentence, shorthand, last)
            cue = (first,) if match.phrase.name.startswith("no ") else cue
            scope = range(cue[-1] + 1, denied.stop)
        elif match.phrase.role == "after":
            scope = denied = _preceding(sentence, shorthand, first)
        if match.phrase.role != "alone" and not denied:
            continue
        operator = match.phrase.role == "alone" or match.phrase.name.startswith(("no ", "w/o"))
        yield _negation(sentence, match, cue, scope, denied, "sentential" if operator else "implicit")


def _negation(
    sentence: Sentence, match: Shorthand, cue: tuple[int, ...], scope: range, denied: range, kind: str
) -> Negation:
    spans = merged_spans(sentence, cue)
    event = _finding(sentence, denied)
    rule = f"“{match.phrase.name}” is clinical shorthand that denies"
    return Negation(
        sentence.text[spans[0][0] : spans[-1][1]],
        spans,
        merged_spans(sentence, scope),
        event.text if event is not None else "",
        (event.start, event.end) if event is not None else None,
        kind,
        rule,
    )


def _following(sentence: Sentence, shorthand: Sequence[Shorthand], last: int) -> range:
    """Return the tokens up to the next limiting phrase, semicolon, colon, bracket or finite verb."""
    stop = len(sentence.tokens)
    limits = [match.tokens[0] for match in shorthand if match.tokens[0] > last and match.phrase.role in LIMITING]
    limits += [t.i for t in sentence.tokens[last + 1 :] if t.lower in STOPS or _opens_predicate(sentence, t)]
    stop = min([*limits, stop])
    while stop > last + 1 and sentence.tokens[stop - 1].tag in EDGES:
        stop -= 1
    return range(last + 1, stop)


def _opens_predicate(sentence: Sentence, token: Token) -> bool:
    """Match "a flight w/o a bag [costs] less"; not "cough, aches", where the tagger takes a noun for a verb."""
    before = sentence.before(token)
    return token.tag in {"VBZ", "VBD", "VBP", "MD"} and before is not None and before.tag[:1] == "N"


def _preceding(sentence: Sentence, shorthand: Sequence[Shorthand], first: int) -> range:
    """Return the tokens before a phrase, back to the previous mark or limiting phrase."""
    limits = [match.tokens[-1] for match in shorthand if match.tokens[-1] < first and match.phrase.role in LIMITING]
    limits += [t.i for t in sentence.tokens[:first] if t.tag in EDGES]
    return range(max(limits, default=-1) + 1, first)


def _finding(sentence: Sentence, denied: range) -> Token | None:
    """Return the head of the first finding: the last noun before a comma, a conjunction or a preposition."""
    run: list[Token] = []
    for token in sentence.tokens[denied.start : denied.stop]:
        if token.tag in EDGES or token.tag in {"IN", "TO"} or token.tag[:1] == "V":
            break
        run.append(token)
    nouns = [token for token in run if token.tag[:1] == "N"]
    return next(reversed(nouns or run), None)


def shorthand_hedges(sentence: Sentence, shorthand: Sequence[Shorthand]) -> Iterator[Hedge]:
    """Convert the phrases that leave a finding open: "r/o [sepsis]", "return if [fever]"."""
    for match in shorthand:
        if match.phrase.role in HEDGING:
            spans = merged_spans(sentence, match.tokens)
            scope = merged_spans(sentence, _following(sentence, shorthand, match.tokens[-1]))
            kind = "phrase" if " " in match.phrase.name else "word"
            rule = f"“{match.phrase.name}” is clinical shorthand for what is {match.phrase.role}"
            cue = sentence.text[spans[0][0] : spans[-1][1]]
            yield Hedge(cue, spans, scope, match.phrase.strength, kind, rule)


def within_limits(
    sentence: Sentence, negations: Iterable[Negation], shorthand: Sequence[Shorthand]
) -> Iterator[Negation]:
    """End each scope at the next limiting phrase: "no fever, [c/o chills]", "no increase [in the effusion]"."""
    for negation in negations:
        start = negation.cue_spans[0][0]
        limits = []
        for match in shorthand:
            first, last = sentence.tokens[match.tokens[0]], sentence.tokens[match.tokens[-1]]
            if match.phrase.role in LIMITING and first.start > negation.cue_spans[-1][1]:
                limits.append(first.start)
            elif match.phrase.role == "stays" and first.start <= start < last.end:
                limits.append(last.end)
        yield _ended(negation, min(limits), sentence.text) if limits else negation


def _ended(negation: Negation, limit: int, text: str) -> Negation:
    """Cut the scope of a negation, and drop an event that lies behind the cut."""
    scope = tuple(
        (start, start + len(text[start : min(end, limit)].rstrip(" ,;:(")))
        for start, end in negation.scope
        if start < limit
    )
    event = negation.event_span
    if event is not None and event[0] >= limit:
        return replace(negation, scope=scope, event="", event_span=None)
    return replace(negation, scope=scope)
