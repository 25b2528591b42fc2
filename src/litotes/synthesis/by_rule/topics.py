"""What a passage is about, and what else it mentions: the two sides of an exclusion."""

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
from litotes.synthesis.by_rule.clause_core import clause_core, ends_cleanly
from litotes.synthesis.by_rule.noun_phrases import (
    NOUNS,
    Names,
    collect_names,
    is_a,
    kind_of,
    name_of,
    name_words,
    plain,
    quantified,
    resolved,
    text_of,
)
from litotes.synthesis.by_rule.query_words import query_words

LONGEST_TOPIC, LONGEST_ASIDE = 7, 3
FEWEST_SENTENCES = 3
SIMILAR = 75
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a passage is about."""

    text: str
    """As a query names it: the Frostline kit."""
    kind: str
    """The class it belongs to, such as "mill" for "the mill at Arden", or what a name is the name of; or empty."""


def topic(document: Document, names: Names) -> Topic | None:
    """Return the subject of the first sentence if the next ones continue with it, or else a name that recurs."""
    if len(document.sentences) < FEWEST_SENTENCES:
        return None
    return _introduced(document, names) or _recurring(document, names)


def _recurring(document: Document, names: Names) -> Topic | None:
    """Return the name that is in most sentences, at least three, and is a subject at least once."""
    places_by_name: dict[str, list[tuple[Sentence, Token]]] = defaultdict(list)
    for sentence in document.sentences:
        heads = {name_of(sentence, t): t for t in sentence.tokens if name_of(sentence, t)}
        for name, head in heads.items():
            places_by_name[name].append((sentence, head))
    often = [(name, places) for name, places in places_by_name.items() if len(places) >= FEWEST_SENTENCES]
    subjects = [(name, places) for name, places in often if any(t.dep in SUBJECT for _, t in places)]
    if not subjects:
        return None
    name, places = max(subjects, key=lambda subject: len(subject[1]))
    return Topic(name, kind_of(*places[0], names))


def _introduced(document: Document, names: Names) -> Topic | None:
    """Return the subject of the first sentence if it can be understood without the passage."""
    sentence = document.sentences[0]
    clause = main_clause(sentence)
    core = clause_core(clause) if isinstance(clause, Clause) else None
    if core is None:
        return None
    phrase, head = core.phrase, core.subject
    if len(phrase) > LONGEST_TOPIC or not resolved(phrase) or not plain(phrase) or quantified(sentence, head):
        return None
    if (
        phrase[0].lower in {"a", "an"}
        or head.lower in query_words("peoples") | query_words("languages")
        or sentence.child(head, "relcl", "acl", "conj", "appos", "poss") is not None
    ):
        return None
    described = len(phrase) > 1 and phrase[0].tag != "DT"
    if not (any(t.tag in PROPER for t in phrase) or described) or not _continues(document, phrase, head):
        return None
    placed = head.tag == "NN" and phrase[0].lower == "the" and any(t.tag in PROPER for t in phrase)
    return Topic(text_of(phrase, sentence), head.lower if placed else kind_of(sentence, head, names))


def _continues(document: Document, phrase: Sequence[Token], head: Token) -> bool:
    """Whether a later sentence names the topic again, or the second one starts with a pronoun."""
    words = {t.lower for t in phrase if t.tag in PROPER} | {head.lower}
    again = any(t.lower in words for s in document.sentences[1:] for t in s.tokens)
    return again or document.sentences[1].tokens[0].lower in {"it", "its", "he", "his", "she", "her", "they", "their"}


def excluded_gaps(tokens: Sequence[Token], head: Token, sentence: Sentence) -> dict[str, str]:
    """Return the excluded thing as queries name it: y bare, a_y with its own article, the_y with a definite one."""
    first = tokens[0].lower
    words = list(tokens)
    while len(words) > 1 and (words[0].tag in {"DT", "CD", "PRP$", "PDT"} or words[0].lower in query_words("amounts")):
        words = words[1:]
    bare = text_of(words, sentence)
    mass = head.tag == "NN" and words[0].i == tokens[0].i
    the = f"the {bare}" if first == "the" or (head.tag not in PROPER and not mass) else bare
    own = f"{article(bare)} {bare}" if first in {"a", "an"} else the if first == "the" else bare
    return {"y": own if first in {"a", "an"} else bare, "a_y": own, "the_y": the}


def mentions(document: Document, tokens: Sequence[Token], head: Token) -> int:
    """Return how often the passage mentions it: by the noun, or by any word of a name."""
    words = [t for t in tokens if t.tag in PROPER and len(t.text) > 2] if head.tag in PROPER else [head]
    if head.tag in PROPER and _has_variant(document, words):
        return 2
    wanted = {lemma(t.lower, "NN") for t in words}
    lemmas = [lemma(t.lower, "NN") for s in document.sentences for t in s.tokens if t.text[:1].isalpha()]
    return max((sum(word == base for word in lemmas) for base in wanted), default=0)


def _has_variant(document: Document, name: Sequence[Token]) -> bool:
    """Whether another word may denote the same: Poland and Polish, Kublai and Khublai."""
    spans = {(t.start, t.end) for t in name}
    others = [t for s in document.sentences for t in s.tokens if t.text[:1].isupper() and (t.start, t.end) not in spans]
    return any(o.lower[:3] == t.lower[:3] or ratio(o.lower, t.lower) > SIMILAR for o in others for t in name)


@dataclass(frozen=True, slots=True)
class Aside:
    """Something that one sentence adds, a document without that sentence, and one with it."""

    gaps: dict[str, str]
    without: str
    having: str
    separate: bool
    """Whether `having` is the first sentence and this one only, so that the topic is not mentioned otherwise."""


def asides(document: Document, about: Topic) -> Iterator[Aside]:
    """Yield what only one removable sentence mentions. If it can follow the first one, the passage is split."""
    sentences, text = document.sentences, document.text
    first = sentences[0]
    introduced = about.text.lower() in text[first.start : first.end].lower()
    for number, sentence in enumerate(sentences[1:], start=1):
        if _is_needed_later(document, number) or not ends_cleanly(document, number):
            continue
        separate = introduced and _can_follow_first(document, number)
        without = text[: sentences[number - 1].end] + text[sentence.end :]
        short = f"{text[: first.end]} {text[sentence.start : sentence.end]}"
        for head, tokens in _added_things(sentence):
            gaps = excluded_gaps(tokens, head, sentence)
            in_topic = any(word in about.text.lower().split() for word in gaps["y"].lower().split())
            if not in_topic and mentions(document, tokens, head) == 1 and len(gaps["y"].split()) <= LONGEST_ASIDE:
                yield Aside(gaps, without, short if separate else text, separate)


def _added_things(sentence: Sentence) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Yield the names in a sentence, its subject and its object."""
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
    for noun in (clause.subject, sentence.child(clause.verb, "dobj")):
        if noun is None or noun.tag not in {"NN", "NNS"} or is_a("vague_nouns", noun):
            continue
        if _is_definite(sentence, noun) or is_a("persons", noun) or lemma(noun.lower, "NN") in TIMES:
            # "the plant" may be the topic itself; "visitors" are the readers of the text.
            continue
        phrase = [t for t in sentence.phrase(noun) if t.i <= noun.i]
        joined = sentence.child(noun, "conj", "poss") is not None
        if not joined and not quantified(sentence, noun) and resolved(phrase) and plain(phrase):
            yield noun, phrase


def _part_of_name(sentence: Sentence, name: Sequence[Token]) -> bool:
    """Whether it is part of a longer name: Cambridge in University of Cambridge, Global in Fortune Global 500."""
    before, after = sentence.before(name[0]), sentence.after(name[-1])
    preceded = before is not None and (
        before.lower in {"of", "de", "von", "van", "and"} or before.tag in {"CD", "HYPH", "JJ", "-LRB-"}
    )
    return preceded or (after is not None and (after.tag in {"CD", "HYPH", "POS"} or after.tag in NOUNS))


def _is_needed_later(document: Document, number: int) -> bool:
    """Whether a later sentence refers to this one, or repeats a noun that this one introduced."""
    later = document.sentences[number + 1 :]
    if not later:
        return False
    following = later[0]
    if not resolved(following.tokens, bound=True) or following.tokens[0].tag in {"CC", "RB", "PRP$"}:
        return True
    earlier = {lemma(t.lower, "NN") for s in document.sentences[:number] for t in s.tokens}
    own = {lemma(t.lower, "NN") for t in document.sentences[number].tokens if t.tag in NOUNS} - earlier
    return any(t.tag in NOUNS and lemma(t.lower, "NN") in own for s in later for t in s.tokens)


def _can_follow_first(document: Document, number: int) -> bool:
    """Whether the sentence can follow the first one, because nothing in it refers to those between."""
    sentence = document.sentences[number]
    if not resolved(sentence.tokens, bound=True) or sentence.tokens[0].tag in {"CC", "RB", "PRP$"}:
        return False
    between = {t.lower for s in document.sentences[1:number] for t in s.tokens}
    first = {t.lower for t in document.sentences[0].tokens}
    definite = [t for t in sentence.tokens if t.tag in {"NN", "NNS"} and _is_definite(sentence, t)]
    return not any(t.lower in between and t.lower not in first for t in definite)


def _is_definite(sentence: Sentence, noun: Token) -> bool:
    determiner = sentence.child(noun, "det")
    return determiner is not None and determiner.lower == "the"


@dataclass(frozen=True, slots=True)
class Partner:
    """A passage about one thing of a kind."""

    id: str
    name: str
    text: str


class Partners:
    """Passages by the kind of thing that they are about."""

    def __init__(self, passages: Iterable[tuple[str, Document]]) -> None:
        self._by_kind: defaultdict[str, list[Partner]] = defaultdict(list)
        for name, document in passages:
            about = topic(document, collect_names(document))
            if about is not None and about.kind:
                self._by_kind[about.kind].append(Partner(name, about.text, document.text))

    def other(self, own: Partner, kind: str, draw: random.Random) -> Partner | None:
        """Draw another passage about a thing of this kind, such that neither mentions the other's thing."""
        fitting = [
            partner
            for partner in self._by_kind.get(kind, ())
            if partner.id != own.id and partner.name not in own.text and own.name not in partner.text
        ]
        return draw.choice(fitting) if fitting else None


def kind_gaps(kind: str) -> dict[str, str]:
    """Return a kind of thing as queries name it: n bare, a_n with an article, k in the plural."""
    return {"n": kind, "a_n": f"{article(kind)} {kind}", "k": inflect(kind, "NNS")}
