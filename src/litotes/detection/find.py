"""Find what a text denies and hedges: cue, scope, event, kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from litotes.detection import scopes
from litotes.detection.affixes import affix_span
from litotes.detection.cues import cues
from litotes.detection.hedges import hedges
from litotes.detection.language import foreign
from litotes.detection.lexical import Match, exceptors, implicit
from litotes.detection.scopes import Reach
from litotes.detection.spans import merged
from litotes.errors import InputError
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, Token
from litotes.parse import parser as load_parser
from litotes.types import Cue, Detection, Hedge, Negation, Span

# none [of them], not [a single one]: the rest is part of what is denied
FIRST_WORD_DENIES = frozenset({"none of", "not a single", "no such"})
COPULAS = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"})


def detect(text: str) -> Detection:
    """Every negation and every hedge of a text, with what it reaches."""
    if not isinstance(text, str):
        raise InputError(f"detect reads a text, got {type(text).__name__}")
    return next(pipe([text]))


def pipe(texts: Iterable[str], *, reader: Parser | None = None, batch: int = 256) -> Iterator[Detection]:
    """One detection a text, in order, streamed."""
    reader = reader if reader is not None else load_parser()
    for document in reader.pipe(texts, batch=batch):
        yield of_document(document)


def of_document(document: Document) -> Detection:
    """The detection of a text that is already parsed."""
    if not document.sentences and len(document.text) > MAX_CHARACTERS:
        return Detection(document.text, reason=f"longer than {MAX_CHARACTERS:,} characters")
    found: list[Negation] = []
    held: list[Hedge] = []
    reason = ""
    for sentence in document.sentences:
        strange = foreign(sentence)
        if strange:
            reason = strange
            continue
        found += negations(sentence)
        held += hedges(sentence)
    return Detection(document.text, tuple(found), tuple(held), reason)


def negations(sentence: Sentence, *, weak: bool = False) -> list[Negation]:
    """The negations of one sentence, in order of their cues; with `weak`, words that only sometimes negate as well."""
    counted = [cue for cue in cues(sentence) if cue.sort != "implicit" and not _suggests(sentence, cue)]
    taken = {i for cue in counted if cue.sort != "affixal" for i in cue.tokens}
    found = [*(_counted(sentence, cue) for cue in counted), *_hyphened(sentence)]
    for match in exceptors(sentence, taken):
        taken.update(match.tokens)
        found.append(_exceptor(sentence, match))
    found += [_implicit(sentence, match) for match in implicit(sentence, taken, weak=weak)]
    found += _answers(sentence, taken)
    return sorted(found, key=lambda negation: negation.cue_spans)


def _suggests(sentence: Sentence, cue: Cue) -> bool:
    """Why don't we walk?"""
    at = cue.tokens[0]
    around = [token.lower for token in sentence.tokens[max(0, at - 2) : at + 2]]
    return around[:3] in (["why", "do", "n't"], ["why", "do", "not"]) and around[-1] in {"we", "you"}


def _counted(sentence: Sentence, cue: Cue) -> Negation:
    """A cue of the counter: an operator word or an affix."""
    token = sentence.tokens[cue.tokens[0]]
    if cue.sort == "affixal":
        start, end = (token.start + at for at in affix_span(token.text))
        stem = (end, token.end) if start == token.start else (token.start, start)
        return _affixal(sentence, token, (start, end), stem)
    if cue.text.lower() in FIRST_WORD_DENIES:
        cue = replace(cue, text=token.text, tokens=cue.tokens[:1], spans=cue.spans[:1])
    if cue.text.lower() == "without":
        reach = scopes.complement(sentence, token)
    else:
        reach = scopes.clausal(sentence, _leading(sentence, cue))
        if sentence.tokens[cue.tokens[-1]].lower == "nor" and len(cue.tokens) > 1:
            # neither smokes nor [drinks]
            second = scopes.clausal(sentence, sentence.tokens[cue.tokens[-1]])
            reach = Reach(reach.tokens | second.tokens, reach.rule, reach.head)
    reach = Reach(reach.tokens - set(cue.tokens), reach.rule, reach.head)
    why = "an approximate negative" if cue.sort == "approximate" else "an operator"
    return _negation(sentence, cue.tokens, reach, "sentential", f"“{cue.text}” is {why}; {reach.rule}")


def _leading(sentence: Sentence, cue: Cue) -> Token:
    """The word of a longer cue that hangs outside the cue: by no [means]."""
    inside = set(cue.tokens)
    for i in cue.tokens:
        if sentence.tokens[i].head not in inside:
            return sentence.tokens[i]
    return sentence.tokens[cue.tokens[0]]


def _affixal(sentence: Sentence, word: Token, affix: Span, stem: Span) -> Negation:
    """un[happy], [care]less, [sugar]-free; `word` is what stands in the clause, its stem may be another token"""
    start, end = affix
    reach = scopes.affixal(sentence, word)
    inside = {t.i for t in sentence.tokens if t.start < stem[1] and t.end > stem[0]}
    own = {t.i for t in sentence.tokens if t.start == start and t.end == end}
    scope = _without(sentence.text, (start, end), merged(sentence, (reach.tokens | {word.i} | inside) - own))
    cue = sentence.text[start:end]
    shown = sentence.text[min(start, stem[0]) : max(end, stem[1])]
    rule = f"“{shown}” carries the affix “{cue}”; {reach.rule}"
    return Negation(cue, ((start, end),), scope, sentence.text[slice(*stem)], stem, "affixal", rule)


def _hyphened(sentence: Sentence) -> Iterator[Negation]:
    """sugar-free, alcohol free, non-profit, non official: the affix is a token of its own"""
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


def _without(text: str, hole: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans less the hole, which lies inside one of them; no piece begins or ends in white space."""
    found: list[Span] = []
    for start, end in spans:
        if not (start <= hole[0] and hole[1] <= end):
            found.append((start, end))
            continue
        found.append((start, start + len(text[start : hole[0]].rstrip())))
        found.append((end - len(text[hole[1] : end].lstrip()), end))
    return tuple((start, end) for start, end in found if start < end)


def _exceptor(sentence: Sentence, match: Match) -> Negation:
    """except [the last one]"""
    last = sentence.tokens[match.tokens[-1]]
    inner = _excepted(sentence, last)
    comma = next((t.i for t in sentence.tokens[last.i + 1 :] if t.lower == ","), len(sentence.tokens))
    inside = {t.i for t in sentence.phrase(inner) if last.i < t.i < comma} if inner is not None else set()
    if inner is not None and inner.dep in {"nsubj", "nsubjpass"}:
        inside = {i for i in inside if i <= inner.i}
    reach = Reach(frozenset(inside), "what follows is taken out", inner)
    return _negation(sentence, match.tokens, reach, "exceptor", f"“{match.entry.name}” is an exceptor; {reach.rule}")


def _excepted(sentence: Sentence, last: Token) -> Token | None:
    child = sentence.child(last, "pobj", "pcomp", "prep", "dobj", "ccomp", "conj", "attr")
    if child is not None and child.dep == "prep":
        child = sentence.child(child, "pobj", "pcomp") or child
    at = child if child is not None and child.i > last.i else sentence.after(last)
    if at is None or at.tag in {".", ","}:
        return None
    while at.head > at.i and at.dep in {"det", "nummod", "amod", "compound", "poss", "quantmod"}:
        # two [passengers], the [last]
        at = sentence.tokens[at.head]
    following = sentence.after(at)
    if at.tag == "CD" and following is not None and following.tag in {"NN", "NNS"}:
        return following
    return at


def _implicit(sentence: Sentence, match: Match) -> Negation:
    """[She] refused [to pay]"""
    token = sentence.tokens[match.tokens[0]]
    last = sentence.tokens[match.tokens[-1]]
    if token.tag[:1] == "V" and token.dep not in {"amod", "compound"}:
        reach = scopes.clause(sentence, token, token)
        inner = _prevented(sentence, token) or sentence.child(token, "xcomp", "ccomp", "dobj", "nsubjpass", "prep")
    elif token.dep in {"acomp", "attr"}:
        reach = scopes.clause(sentence, sentence.tokens[token.head], token)
        inner = sentence.child(last, "pobj") or sentence.child(sentence.tokens[token.head], *scopes.SUBJECTS)
    else:
        reach = scopes.complement(sentence, token)
        inner = sentence.child(token, "prep", "acl")
    if inner is not None and inner.dep == "prep":
        inner = sentence.child(inner, "pobj", "pcomp") or inner
    tokens = frozenset(i for i in reach.tokens - set(match.tokens) if i < _next_deed(sentence, token))
    reach = Reach(tokens, reach.rule, inner)
    rule = f"“{match.entry.name}” denies by its own meaning; {reach.rule}"
    return _negation(sentence, match.tokens, reach, "implicit", rule)


def _next_deed(sentence: Sentence, verb: Token) -> int:
    """refused to pay [and stormed out]: where the next finite verb of the same subject begins"""
    for token in sentence.tokens[verb.i + 1 : -1]:
        if token.tag == "CC" and sentence.tokens[token.i + 1].tag in {"VBD", "VBZ", "MD"}:
            return token.i
    return len(sentence.tokens)


def _prevented(sentence: Sentence, verb: Token) -> Token | None:
    """prevents the lid from [opening]"""
    for token in sentence.tokens[verb.i + 1 :]:
        if token.lower == "from" and sentence.inside(token, verb):
            return sentence.child(token, "pcomp", "pobj")
    return None


def _answers(sentence: Sentence, taken: set[int]) -> Iterator[Negation]:
    """No, I went home."""
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
            yield _negation(sentence, (token.i,), scopes.NOTHING, "sentential", "“no” is an answer")


def _negation(sentence: Sentence, places: tuple[int, ...], reach: Reach, kind: str, rule: str) -> Negation:
    spans = merged(sentence, places)
    cue = " … ".join(sentence.text[start:end] for start, end in spans)
    event = _event(sentence, reach, places)
    text, span = (event.text, (event.start, event.end)) if event is not None else ("", None)
    return Negation(cue, spans, merged(sentence, reach.tokens), text, span, kind, rule)


def _event(sentence: Sentence, reach: Reach, cue: tuple[int, ...]) -> Token | None:
    """What is denied: the verb, the predicate of a copula, what there is not."""
    head = reach.head
    first = sentence.tokens[cue[0]]
    if (
        len(cue) == 1
        and first.lower == "no"
        and first.dep == "det"
        and sentence.tokens[first.head].dep in {"dobj", "attr"}
    ):
        # I have no [money]
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
