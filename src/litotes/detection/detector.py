"""Find the negations and hedges of a text: cue, scope, event and kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from litotes.detection.affixes import affix_span
from litotes.detection.clinical import (
    DENYING,
    Shorthand,
    find_shorthand,
    is_clinical,
    shorthand_hedges,
    shorthand_negations,
    within_limits,
)
from litotes.detection.cues import find_cues
from litotes.detection.hedges import find_hedges
from litotes.detection.language import non_english_reason
from litotes.detection.parsed_cues import EntryMatch, find_exceptors, find_implicit
from litotes.detection.scopes import (
    EMPTY_SCOPE,
    SUBJECTS,
    Scope,
    affixal_scope,
    clausal_scope,
    clause_scope,
    complement_scope,
)
from litotes.detection.spans import merged_spans
from litotes.errors import InputError
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, Token, load_parser
from litotes.types import Cue, Detection, Hedge, Negation, Span

# "none [of them]", "not [a single one]": the other words are part of what is denied
FIRST_WORD_DENIES = frozenset({"none of", "not a single", "no such"})
COPULAS = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"})


def detect(text: str, *, parser: Parser | str = "") -> Detection:
    """Find every negation and every hedge of a text, with its scope. `parser` is a spaCy pipeline's name."""
    if not isinstance(text, str):
        raise InputError(f"detect reads a text, got {type(text).__name__}")
    return next(detect_all([text], parser=parser))


def detect_all(texts: Iterable[str], *, parser: Parser | str = "", batch: int = 256) -> Iterator[Detection]:
    """Detect in many texts: one detection per text, in order, as a stream."""
    for document in load_parser(parser).pipe(texts, batch=batch):
        yield detect_document(document)


def detect_document(document: Document) -> Detection:
    """Detect in a text that is already parsed."""
    if not document.sentences and len(document.text) > MAX_CHARACTERS:
        return Detection(document.text, reason=f"longer than {MAX_CHARACTERS:,} characters")
    negations: list[Negation] = []
    hedges: list[Hedge] = []
    reason = ""
    clinical = is_clinical(document.text)
    for sentence in document.sentences:
        # "No hx of DVT" has hardly an English word
        not_english = "" if clinical else non_english_reason(sentence)
        if not_english:
            reason = not_english
            continue
        shorthand = find_shorthand(sentence, clinical=clinical)
        negations += find_negations(sentence, shorthand=shorthand)
        hedges += _find_all_hedges(sentence, shorthand)
    return Detection(document.text, tuple(negations), tuple(hedges), reason)


def find_negations(
    sentence: Sentence, *, weak: bool = False, shorthand: Sequence[Shorthand] | None = None
) -> list[Negation]:
    """Find the negations of a sentence, in order of their cues.

    `weak` includes words that negate only sometimes. `shorthand` is that of clinical notes, as far as it is known.
    """
    shorthand = find_shorthand(sentence) if shorthand is None else shorthand
    denying = {i for match in shorthand if match.phrase.role in {*DENYING, "pseudo"} for i in match.tokens}
    counted = [
        cue
        for cue in find_cues(sentence)
        if cue.type != "implicit" and not _is_suggestion(sentence, cue) and denying.isdisjoint(cue.tokens)
    ]
    taken = denying | {i for cue in counted if cue.type != "affixal" for i in cue.tokens}
    negations = [*(_from_cue(sentence, cue) for cue in counted), *_separate_affixes(sentence)]
    for match in find_exceptors(sentence, taken):
        taken.update(match.tokens)
        negations.append(_exceptor(sentence, match))
    negations += [_implicit(sentence, match) for match in find_implicit(sentence, taken, weak=weak)]
    negations += _answers(sentence, taken)
    if shorthand:
        negations = [*within_limits(sentence, negations, shorthand), *shorthand_negations(sentence, shorthand)]
    return sorted(negations, key=lambda negation: negation.cue_spans)


def _find_all_hedges(sentence: Sentence, shorthand: Sequence[Shorthand]) -> list[Hedge]:
    """Find the hedges of a sentence, in order: the general ones and those of clinical notes."""
    special = list(shorthand_hedges(sentence, shorthand))
    spans = [span for hedge in special for span in hedge.cue_spans]
    general = [
        hedge
        for hedge in find_hedges(sentence)
        if not any(start < b and a < end for start, end in hedge.cue_spans for a, b in spans)
    ]
    return sorted([*general, *special], key=lambda hedge: hedge.cue_spans)


def _is_suggestion(sentence: Sentence, cue: Cue) -> bool:
    """Match "Why don't we walk?" """
    at = cue.tokens[0]
    around = [token.lower for token in sentence.tokens[max(0, at - 2) : at + 2]]
    return around[:3] in (["why", "do", "n't"], ["why", "do", "not"]) and around[-1] in {"we", "you"}


def _from_cue(sentence: Sentence, cue: Cue) -> Negation:
    """Convert a cue of the counter: an operator word or an affix."""
    token = sentence.tokens[cue.tokens[0]]
    if cue.type == "affixal":
        start, end = (token.start + at for at in affix_span(token.text))
        stem = (end, token.end) if start == token.start else (token.start, start)
        return _affixal(sentence, token, (start, end), stem)
    if cue.text.lower() in FIRST_WORD_DENIES:
        cue = replace(cue, text=token.text, tokens=cue.tokens[:1], spans=cue.spans[:1])
    if cue.text.lower() == "without":
        scope = complement_scope(sentence, token)
    else:
        scope = clausal_scope(sentence, _leading(sentence, cue))
        if sentence.tokens[cue.tokens[-1]].lower == "nor" and len(cue.tokens) > 1:
            # "neither smokes nor [drinks]"
            second = clausal_scope(sentence, sentence.tokens[cue.tokens[-1]])
            scope = Scope(scope.tokens | second.tokens, scope.rule, scope.head)
    scope = Scope(scope.tokens - set(cue.tokens), scope.rule, scope.head)
    why = "an approximate negative" if cue.type == "approximate" else "an operator"
    return _negation(sentence, cue.tokens, scope, "sentential", f"“{cue.text}” is {why}; {scope.rule}")


def _leading(sentence: Sentence, cue: Cue) -> Token:
    """Return the word of a longer cue whose head is outside the cue: "by" in "by no means"."""
    inside = set(cue.tokens)
    for i in cue.tokens:
        if sentence.tokens[i].head not in inside:
            return sentence.tokens[i]
    return sentence.tokens[cue.tokens[0]]


def _affixal(sentence: Sentence, word: Token, affix: Span, stem: Span) -> Negation:
    """Convert an affix: un[happy], [care]less, [sugar]-free. The stem can be another token than `word`."""
    start, end = affix
    scope = affixal_scope(sentence, word)
    inside = {t.i for t in sentence.tokens if t.start < stem[1] and t.end > stem[0]}
    own = {t.i for t in sentence.tokens if t.start == start and t.end == end}
    spans = merged_spans(sentence, (scope.tokens | {word.i} | inside) - own)
    cue = sentence.text[start:end]
    shown = sentence.text[min(start, stem[0]) : max(end, stem[1])]
    rule = f"“{shown}” carries the affix “{cue}”; {scope.rule}"
    spans = _without_hole(sentence.text, (start, end), spans)
    return Negation(cue, ((start, end),), spans, sentence.text[slice(*stem)], stem, "affixal", rule)


def _separate_affixes(sentence: Sentence) -> Iterator[Negation]:
    """Find affixes that are tokens of their own: "sugar-free", "alcohol free", "non-profit", "non official"."""
    for token in sentence.tokens:
        before, after = sentence.before(token), sentence.after(token)
        if token.lower == "free" and before is not None:
            hyphened = before.lower == "-" and before.i > 0
            named = sentence.tokens[before.i - 1] if hyphened else before
            if named.text.isalpha() and (hyphened or (named.tag in {"NN", "NNS"} and named.head == token.i)):
                yield _affixal(sentence, token, (token.start, token.end), (named.start, named.end))
        elif token.lower == "non" and after is not None:
            stem = sentence.after(after) if after.lower == "-" else after
            if stem is not None and stem.text.isalpha() and stem.tag[:1] in "NJV":
                yield _affixal(sentence, stem, (token.start, token.end), (stem.start, stem.end))


def _without_hole(text: str, hole: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Cut the hole out of the span that contains it, and trim white space from the pieces."""
    pieces: list[Span] = []
    for start, end in spans:
        if not (start <= hole[0] and hole[1] <= end):
            pieces.append((start, end))
            continue
        pieces.append((start, start + len(text[start : hole[0]].rstrip())))
        pieces.append((end - len(text[hole[1] : end].lstrip()), end))
    return tuple((start, end) for start, end in pieces if start < end)


def _exceptor(sentence: Sentence, match: EntryMatch) -> Negation:
    """Convert an exceptor: "except [the last one]"."""
    last = sentence.tokens[match.tokens[-1]]
    inner = _excepted(sentence, last)
    comma = next((t.i for t in sentence.tokens[last.i + 1 :] if t.lower == ","), len(sentence.tokens))
    inside = {t.i for t in sentence.phrase(inner) if last.i < t.i < comma} if inner is not None else set()
    if inner is not None and inner.dep in {"nsubj", "nsubjpass"}:
        inside = {i for i in inside if i <= inner.i}
    scope = Scope(frozenset(inside), "what follows is excepted", inner)
    return _negation(sentence, match.tokens, scope, "exceptor", f"“{match.entry.name}” is an exceptor; {scope.rule}")


def _excepted(sentence: Sentence, last: Token) -> Token | None:
    child = sentence.child(last, "pobj", "pcomp", "prep", "dobj", "ccomp", "conj", "attr")
    if child is not None and child.dep == "prep":
        child = sentence.child(child, "pobj", "pcomp") or child
    at = child if child is not None and child.i > last.i else sentence.after(last)
    if at is None or at.tag in {".", ","}:
        return None
    while at.head > at.i and at.dep in {"det", "nummod", "amod", "compound", "poss", "quantmod"}:
        # "two [passengers]", "the [last]"
        at = sentence.tokens[at.head]
    following = sentence.after(at)
    if at.tag == "CD" and following is not None and following.tag in {"NN", "NNS"}:
        return following
    return at


def _implicit(sentence: Sentence, match: EntryMatch) -> Negation:
    """Convert an implicit negative: "[She] refused [to pay]"."""
    token = sentence.tokens[match.tokens[0]]
    last = sentence.tokens[match.tokens[-1]]
    if token.tag[:1] == "V" and token.dep not in {"amod", "compound"}:
        scope = clause_scope(sentence, token, token)
        inner = _prevented(sentence, token) or sentence.child(token, "xcomp", "ccomp", "dobj", "nsubjpass", "prep")
    elif token.dep in {"acomp", "attr"}:
        scope = clause_scope(sentence, sentence.tokens[token.head], token)
        inner = sentence.child(last, "pobj") or sentence.child(sentence.tokens[token.head], *SUBJECTS)
    else:
        scope = complement_scope(sentence, token)
        inner = sentence.child(token, "prep", "acl")
    if inner is not None and inner.dep == "prep":
        inner = sentence.child(inner, "pobj", "pcomp") or inner
    tokens = frozenset(i for i in scope.tokens - set(match.tokens) if i < _next_verb(sentence, token))
    scope = Scope(tokens, scope.rule, inner)
    rule = f"“{match.entry.name}” denies by its own meaning; {scope.rule}"
    return _negation(sentence, match.tokens, scope, "implicit", rule)


def _next_verb(sentence: Sentence, verb: Token) -> int:
    """Return the position of the next finite verb with the same subject: "refused to pay [and stormed out]"."""
    for token in sentence.tokens[verb.i + 1 : -1]:
        if token.tag == "CC" and sentence.tokens[token.i + 1].tag in {"VBD", "VBZ", "MD"}:
            return token.i
    return len(sentence.tokens)


def _prevented(sentence: Sentence, verb: Token) -> Token | None:
    """Return what is prevented: "prevents the lid from [opening]"."""
    for token in sentence.tokens[verb.i + 1 :]:
        if token.lower == "from" and sentence.inside(token, verb):
            return sentence.child(token, "pcomp", "pobj")
    return None


def _answers(sentence: Sentence, taken: set[int]) -> Iterator[Negation]:
    """Find answers: "No, I went home." """
    for token in sentence.tokens:
        if token.lower != "no" or token.i in taken:
            continue
        before, following = sentence.before(token), sentence.after(token)
        opens = (
            before is None
            or before.tag in {",", ":", "``", "''", "UH"}
            or before.lower in {"no", "oh", "but", "why", "well"}
        )
        closes = following is None or following.lower in {",", ".", "!", "?", ";", "--", '"', "”"}
        number = any(t.tag == "CD" for t in sentence.tokens[token.i + 1 : token.i + 3])
        if opens and closes and not number:
            yield _negation(sentence, (token.i,), EMPTY_SCOPE, "sentential", "“no” is an answer")


def _negation(sentence: Sentence, places: tuple[int, ...], scope: Scope, kind: str, rule: str) -> Negation:
    spans = merged_spans(sentence, places)
    cue = " … ".join(sentence.text[start:end] for start, end in spans)
    event = _event(sentence, scope, places)
    text, span = (event.text, (event.start, event.end)) if event is not None else ("", None)
    return Negation(cue, spans, merged_spans(sentence, scope.tokens), text, span, kind, rule)


def _event(sentence: Sentence, scope: Scope, cue: tuple[int, ...]) -> Token | None:
    """Return what is denied: the verb, the predicate of a copula, or what does not exist."""
    head = scope.head
    first = sentence.tokens[cue[0]]
    if (
        len(cue) == 1
        and first.lower == "no"
        and first.dep == "det"
        and sentence.tokens[first.head].dep in {"dobj", "attr"}
    ):
        # "I have no [money]"
        return sentence.tokens[first.head]
    if head is None or head.tag[:1] not in "VM" or head.lower not in COPULAS:
        return head
    for dep in ("acomp", "attr", "advmod", "prep"):
        predicate = sentence.child(head, dep)
        if predicate is None or predicate.i in cue:
            continue
        if dep == "prep":
            return sentence.child(predicate, "pobj") or predicate
        if dep != "advmod" or predicate.i > head.i:
            return predicate
    return head
