"""What a passage is about, and what it speaks of besides: the two sides of an exclusion."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from litotes.detection import Clause, main_clause
from litotes.detection.main_verb import SUBJECT
from litotes.lexicon import word_set
from litotes.lexicon.morphology import article, inflect, lemma
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.letters import PROPER
from litotes.synth.by_rule.core import core, set_apart
from litotes.synth.by_rule.nouns import (
    NOUNS,
    Naming,
    is_a,
    kind_of,
    name_of,
    name_words,
    naming,
    plain,
    quantified,
    resolved,
    text_of,
)
from litotes.synth.by_rule.words import words

LONGEST_TOPIC, LONGEST_ASIDE = 7, 3
FEWEST_SENTENCES = 3
ALIKE = 75
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a passage's first sentence is about."""

    text: str
    """as a query names it: the Frostline kit"""
    kind: str
    """what there are others of: of a name what it is the name of, of the mill at Arden a mill; otherwise empty"""


def topic(document: Document, known: Naming) -> Topic | None:
    """What the first sentence is about, where the next ones go on about it; else a name that comes again and again."""
    if len(document.sentences) < FEWEST_SENTENCES:
        return None
    return _introduced(document, known) or _recurring(document, known)


def _recurring(document: Document, known: Naming) -> Topic | None:
    """The name that stands in most sentences, three or more, and is a subject at least once."""
    found: dict[str, list[tuple[Sentence, Token]]] = defaultdict(list)
    for sentence in document.sentences:
        heads = {name_of(sentence, t): t for t in sentence.tokens if name_of(sentence, t)}
        for name, head in heads.items():
            found[name].append((sentence, head))
    often = [(name, places) for name, places in found.items() if len(places) >= FEWEST_SENTENCES]
    subjects = [(name, places) for name, places in often if any(t.dep in SUBJECT for _, t in places)]
    if not subjects:
        return None
    name, places = max(subjects, key=lambda one: len(one[1]))
    return Topic(name, kind_of(*places[0], known))


def _introduced(document: Document, known: Naming) -> Topic | None:
    """The subject of the first sentence, where it says by itself what it is."""
    sentence = document.sentences[0]
    clause = main_clause(sentence)
    found = core(clause) if isinstance(clause, Clause) else None
    if found is None:
        return None
    phrase, head = found.phrase, found.subject
    if len(phrase) > LONGEST_TOPIC or not resolved(phrase) or not plain(phrase) or quantified(sentence, head):
        return None
    if (
        phrase[0].lower in {"a", "an"}
        or head.lower in words("peoples") | words("languages")
        or sentence.child(head, "relcl", "acl", "conj", "appos", "poss") is not None
    ):
        return None
    described = len(phrase) > 1 and phrase[0].tag != "DT"
    if not (any(t.tag in PROPER for t in phrase) or described) or not _goes_on(document, phrase, head):
        return None
    placed = head.tag == "NN" and phrase[0].lower == "the" and any(t.tag in PROPER for t in phrase)
    return Topic(text_of(phrase, sentence), head.lower if placed else kind_of(sentence, head, known))


def _goes_on(document: Document, phrase: Sequence[Token], head: Token) -> bool:
    """Whether a later sentence names the topic again, or the second one starts from "it"."""
    told = {t.lower for t in phrase if t.tag in PROPER} | {head.lower}
    again = any(t.lower in told for s in document.sentences[1:] for t in s.tokens)
    return again or document.sentences[1].tokens[0].lower in {"it", "its", "he", "his", "she", "her", "they", "their"}


def named(tokens: Sequence[Token], head: Token, sentence: Sentence) -> dict[str, str]:
    """What is left out, as a query names it: y bare, a_y with its own article, the_y with a definite one."""
    first = tokens[0].lower
    kept = list(tokens)
    while len(kept) > 1 and (kept[0].tag in {"DT", "CD", "PRP$", "PDT"} or kept[0].lower in words("amounts")):
        kept = kept[1:]
    bare = text_of(kept, sentence)
    mass = head.tag == "NN" and kept[0].i == tokens[0].i
    the = f"the {bare}" if first == "the" or (head.tag not in PROPER and not mass) else bare
    own = f"{article(bare)} {bare}" if first in {"a", "an"} else the if first == "the" else bare
    return {"y": own if first in {"a", "an"} else bare, "a_y": own, "the_y": the}


def mentions(document: Document, tokens: Sequence[Token], head: Token) -> int:
    """How often the passage speaks of it: by the noun, or by any word of a name."""
    told = [t for t in tokens if t.tag in PROPER and len(t.text) > 2] if head.tag in PROPER else [head]
    if head.tag in PROPER and _kindred(document, told):
        return 2
    bases = {lemma(t.lower, "NN") for t in told}
    said = [lemma(t.lower, "NN") for s in document.sentences for t in s.tokens if t.text[:1].isalpha()]
    return max((sum(word == base for word in said) for base in bases), default=0)


def _kindred(document: Document, name: Sequence[Token]) -> bool:
    """Poland and Polish, Kublai and Khublai: another word may speak of the same"""
    spans = {(t.start, t.end) for t in name}
    others = [t for s in document.sentences for t in s.tokens if t.text[:1].isupper() and (t.start, t.end) not in spans]
    return any(o.lower[:3] == t.lower[:3] or ratio(o.lower, t.lower) > ALIKE for o in others for t in name)


@dataclass(frozen=True, slots=True)
class Aside:
    """Something one sentence brings in, a document that leaves it out, and one that has it."""

    words: dict[str, str]
    without: str
    having: str
    apart: bool
    """whether the second document says nothing else of the topic than the first sentence does"""


def asides(document: Document, about: Topic) -> Iterator[Aside]:
    """What only one sentence speaks of, one that can go; where it can follow the first, the passage is parted."""
    sentences, text = document.sentences, document.text
    first = sentences[0]
    introduced = about.text.lower() in text[first.start : first.end].lower()
    for number, sentence in enumerate(sentences[1:], start=1):
        if _leaned_on(document, number) or not set_apart(document, number):
            continue
        apart = introduced and _follows(document, number)
        without = text[: sentences[number - 1].end] + text[sentence.end :]
        parted = f"{text[: first.end]} {text[sentence.start : sentence.end]}"
        for head, tokens in _brought_in(sentence):
            told = named(tokens, head, sentence)
            inside = any(word in about.text.lower().split() for word in told["y"].lower().split())
            if not inside and mentions(document, tokens, head) == 1 and len(told["y"].split()) <= LONGEST_ASIDE:
                yield Aside(told, without, parted if apart else text, apart)


def _brought_in(sentence: Sentence) -> Iterator[tuple[Token, Sequence[Token]]]:
    """The names in a sentence, its subject and its object."""
    listed = any(t.lower in {";", ":"} for t in sentence.tokens)
    for head in sentence.tokens if not listed else ():
        if name_of(sentence, head) and lemma(head.lower, "NN") not in TIMES and len(head.text) > 2:
            name = name_words(sentence, head)
            before = sentence.before(name[0])
            article = before is not None and before.lower == "the"
            if not _part_of_name(sentence, name):
                yield head, sentence.tokens[name[0].i - article : head.i + 1]
    clause = main_clause(sentence)
    if not isinstance(clause, Clause) or clause.existential or clause.negative:
        return
    for found in (clause.subject, sentence.child(clause.verb, "dobj")):
        if found is None or found.tag not in {"NN", "NNS"} or is_a("vague_nouns", found):
            continue
        if _definite(sentence, found) or is_a("persons", found) or lemma(found.lower, "NN") in TIMES:
            # the plant: it may be the topic itself; visitors: whom a text is for
            continue
        phrase = [t for t in sentence.phrase(found) if t.i <= found.i]
        joined = sentence.child(found, "conj", "poss") is not None
        if not joined and not quantified(sentence, found) and resolved(phrase) and plain(phrase):
            yield found, phrase


def _part_of_name(sentence: Sentence, name: Sequence[Token]) -> bool:
    """Cambridge in University of Cambridge, Haq in Zia-ul-Haq, Global in Fortune Global 500"""
    before, after = sentence.before(name[0]), sentence.after(name[-1])
    led = before is not None and (
        before.lower in {"of", "de", "von", "van", "and"} or before.tag in {"CD", "HYPH", "JJ", "-LRB-"}
    )
    return led or (after is not None and (after.tag in {"CD", "HYPH", "POS"} or after.tag in NOUNS))


def _leaned_on(document: Document, number: int) -> bool:
    """Whether a later sentence needs this one: by what it points at, or by a noun that only this one brought in."""
    later = document.sentences[number + 1 :]
    if not later:
        return False
    following = later[0]
    if not resolved(following.tokens, bound=True) or following.tokens[0].tag in {"CC", "RB", "PRP$"}:
        return True
    earlier = {lemma(t.lower, "NN") for s in document.sentences[:number] for t in s.tokens}
    own = {lemma(t.lower, "NN") for t in document.sentences[number].tokens if t.tag in NOUNS} - earlier
    return any(t.tag in NOUNS and lemma(t.lower, "NN") in own for s in later for t in s.tokens)


def _follows(document: Document, number: int) -> bool:
    """Whether the sentence can follow the first: nothing in it points at those between."""
    sentence = document.sentences[number]
    if not resolved(sentence.tokens, bound=True) or sentence.tokens[0].tag in {"CC", "RB", "PRP$"}:
        return False
    between = {t.lower for s in document.sentences[1:number] for t in s.tokens}
    first = {t.lower for t in document.sentences[0].tokens}
    definite = [t for t in sentence.tokens if t.tag in {"NN", "NNS"} and _definite(sentence, t)]
    return not any(t.lower in between and t.lower not in first for t in definite)


def _definite(sentence: Sentence, noun: Token) -> bool:
    found = sentence.child(noun, "det")
    return found is not None and found.lower == "the"


@dataclass(frozen=True, slots=True)
class Partner:
    """A passage on one thing of a kind."""

    id: str
    name: str
    text: str


class Partners:
    """Passages by the kind of thing they are about, to set one against another."""

    def __init__(self, passages: Iterable[tuple[str, Document]]) -> None:
        self._by_kind: defaultdict[str, list[Partner]] = defaultdict(list)
        for name, document in passages:
            found = topic(document, naming(document))
            if found is not None and found.kind:
                self._by_kind[found.kind].append(Partner(name, found.text, document.text))

    def other(self, own: Partner, kind: str, draw: random.Random) -> Partner | None:
        """Another passage on a thing of this kind; neither names the other."""
        fitting = [
            one
            for one in self._by_kind.get(kind, ())
            if one.id != own.id and one.name not in own.text and own.name not in one.text
        ]
        return draw.choice(fitting) if fitting else None


def kind_words(kind: str) -> dict[str, str]:
    """A kind of thing as queries name it: n, a_n, and k in the plural."""
    return {"n": kind, "a_n": f"{article(kind)} {kind}", "k": inflect(kind, "NNS")}
