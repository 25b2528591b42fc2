"""Describe a rewrite by features: the sentence, its main clause, and what stands around each edit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter

from litotes.detection import Clause, NoClause
from litotes.detection.reliability import DETERMINING, FINITE, lacks_object
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known, lemma
from litotes.lexicon.word_pairs import fit
from litotes.parse import Sentence, Token
from litotes.types import Edit

NOTED = word_set("noted_words")
"""Words whose presence in a sentence is a feature."""
CLAUSAL = frozenset({"conj", "advcl", "ccomp", "parataxis", "relcl"})
COMPLEMENTS = frozenset(
    {"dobj", "attr", "acomp", "xcomp", "ccomp", "prep", "nsubjpass", "prt", "agent", "oprd", "dative", "expl"}
)
NAMED = frozenset({"advmod", "mark", "cc", "prep", "prt", "neg"})
SHORT = frozenset({"DT", "PRP", "PRP$", "EX", "WP", "WDT", "CD", "PDT", "POS"})
"""Tags of words that are features themselves, not only their tags."""
WINDOW = 2
LONGEST = 6
_start, _end = attrgetter("start"), attrgetter("end")


def sentence_features(sentence: Sentence, clause: Clause | NoClause) -> tuple[str, ...]:
    """Return the features that all rewrites of a sentence share."""
    return (*_of_the_text(sentence), *(_of_the_clause(clause) if isinstance(clause, Clause) else ("no clause",)))


def edit_features(sentence: Sentence, edits: tuple[Edit, ...]) -> list[str]:
    """Return the features of the edits of one rewrite."""
    features = [f"edits={min(len(edits), 4)}"]
    tokens = sentence.tokens
    for edit in edits:
        old, new = edit.old.strip().lower().replace("’", "'"), edit.new.strip().lower().replace("’", "'")
        features += (f"edit={old}>{new}", f"new={new}")
        features += [f"inserts={word}" for word in new.split()[:4]]
        first = bisect_right(tokens, edit.start, key=_end)
        last = bisect_left(tokens, max(edit.end, edit.start + 1), key=_start)
        touched = tokens[first:last]
        if touched:
            features += _around(sentence, touched[0], touched[-1])
        if len(touched) == 1:
            tag = touched[0].tag
            fits = fit(lemma(touched[0].lower, tag), lemma(new, tag)) if new.isalpha() else ""
            features.append(f"pair fits={fits}")
    return features


def _of_the_text(sentence: Sentence) -> Iterator[str]:
    tokens = sentence.tokens
    yield f"length={min(len(tokens) // LONGEST, LONGEST)}"
    last = tokens[-1]
    yield f"end={last.lower if not last.tag[0].isalpha() else 'word'}"
    words = [t for t in tokens if t.text[:1].isalpha()]
    capitals = sum(t.text[0].isupper() for t in words)
    title = len(words) > 3 and capitals > 0.6 * len(words)
    yield f"capitals={'title' if title else 'none' if not capitals else 'some'}"
    yield f"determined={any(t.tag in DETERMINING for t in tokens)}"
    yield f"finite verbs={min(sum(t.tag in FINITE for t in tokens), 3)}"
    for word in sentence.words & NOTED:
        yield f"has={word}"
    if sentence.start > 0 or sentence.end < len(sentence.text.rstrip()):
        yield "several sentences"


def _of_the_clause(clause: Clause) -> Iterator[str]:
    sentence, verb, finite = clause.sentence, clause.verb, clause.finite
    yield from (f"mood={clause.mood}", f"tense={clause.tense}", f"operator={clause.operator}", f"verb tag={verb.tag}")
    yield f"verb={lemma(verb.lower, 'V')}"
    yield f"negative={clause.negative}"
    yield f"before finite={_shown(sentence.tokens[finite.i - 1]) if finite.i else 'start'}"
    following = sentence.after(verb)
    yield f"after verb={_shown(following)}"
    yield f"noun or verb={known(verb.lower, 'N')}"
    if finite.i == verb.i and clause.tense == "VBD" and lacks_object(sentence, verb):
        yield "lacks object"
    yield from _of_the_subject(clause)
    children = sentence.children(verb)
    yield f"complements={' '.join(sorted({t.dep for t in children} & COMPLEMENTS))}"
    for child in children:
        yield f"child={child.dep}"
        if child.dep in NAMED:
            yield f"child={child.dep} {child.lower}"
        if child.dep in CLAUSAL:
            yield f"child={child.dep} {'before' if child.i < verb.i else 'after'}"


def _of_the_subject(clause: Clause) -> Iterator[str]:
    subject = clause.subject
    if subject is None:
        yield "subject=none"
        return
    yield f"subject={_shown(subject)}"
    yield f"subject tag={subject.tag}"
    yield f"subject first={_shown(clause.sentence.left(subject))}"
    yield f"subject before={subject.i < clause.finite.i}"


def _around(sentence: Sentence, first: Token, last: Token) -> Iterator[str]:
    yield from (f"tag={first.tag}", f"role={first.dep}")
    if first.tag[0] in "NJRV":
        yield f"word={lemma(first.lower, first.tag)}"
    for step in range(1, WINDOW + 1):
        before = sentence.tokens[first.i - step] if first.i >= step else None
        later = sentence.tokens[last.i + step] if last.i + step < len(sentence.tokens) else None
        for place, token in ((-step, before), (step, later)):
            yield f"{place}={token.lower if token is not None else 'end'}"
            if step == 1:
                yield f"tag {place}={token.tag if token is not None else 'end'}"


def _shown(token: Token | None) -> str:
    if token is None:
        return "end"
    return token.lower if token.tag in SHORT else token.tag
