"""Noun phrases as queries use them: who, what or which; the name behind "the clinic"; what only the passage tells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from litotes.detection import Clause, main_clause
from litotes.detection.operators import operators
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.lexicon.words import mass_nouns
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.letters import PROPER, lowered
from litotes.synth.by_rule.words import words

NOUNS = frozenset({"NN", "NNS", *PROPER})
DEFINITE = frozenset({"the"})
INDEFINITE = frozenset({"a", "an"})
COUNTED = frozenset({"CD", "PDT", "JJR", "JJS", "RBR", "RBS"})


def is_a(sort: str, token: Token) -> bool:
    """Whether the token, read as a noun, is in the list of that name: persons, places, vague_nouns."""
    return lemma(token.lower, "NN") in words(sort)


def text_of(tokens: Sequence[Token], sentence: Sentence) -> str:
    """The tokens as they stand in the sentence; the first without a capital it has only for opening the sentence."""
    if not tokens:
        return ""
    first, last = tokens[0], tokens[-1]
    opening = lowered(sentence, first) if first.i == 0 and not _a_people(first) else first.text
    return opening + sentence.text[first.end : last.end]


def _a_people(token: Token) -> bool:
    """Polish, Romans: words that keep their capital without being names"""
    return token.lower in words("peoples") or token.lower in words("languages")


def resolved(tokens: Iterable[Token], *, bound: bool = False) -> bool:
    """Whether no word of these points at something outside; `bound` lets "its" stand after a noun."""
    noun = False
    for token in tokens:
        adverb = token.tag == "RB" and token.lower in words("pointing_adverbs") and token.dep == "advmod"
        back = (token.lower in words("pointing") and token.tag != "EX") or adverb
        if token.tag == "PRP" or back or (token.lower == "that" and token.tag == "DT"):
            return False
        if token.tag in {"PRP$", "WP$"} and not (bound and noun):
            return False
        noun = noun or token.tag in NOUNS
    return True


def telling(token: Token) -> bool:
    """Whether the word helps to find a passage: a noun, an adjective, a number, a verb that is no auxiliary"""
    verb = token.tag[:2] == "VB" and token.lower not in operators()
    return verb or token.tag in NOUNS or token.tag[:2] in {"JJ", "CD"}


def plain(tokens: Iterable[Token]) -> bool:
    """Whether the words hold no quotation, bracket, dash or colon."""
    return not any(t.tag in {"''", "``", "-LRB-", "-RRB-", ":", "HYPH", "NFP", "$", "SYM", "FW"} for t in tokens)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a passage calls things."""

    kinds: dict[str, str] = field(default_factory=dict)
    """tessaly → spray, where the passage says that Tessaly is a spray"""
    names: dict[str, str] = field(default_factory=dict)
    """clinic → Lowick Bay Clinic, where that is the only clinic the passage names"""


def naming(document: Document) -> Naming:
    """The names of a passage, the kind it gives them, and the nouns that stand for exactly one of them."""
    kinds: dict[str, str] = {}
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in document.sentences:
        for head in sentence.tokens:
            name = name_words(sentence, head)
            if name and head.lower in words("bodies"):
                holders[head.lower].add(_name(sentence, name))
        found = _said_kind(sentence)
        if found is not None:
            called, noun = found
            kinds.setdefault(_key(called), noun)
            holders[noun].add(called)
    names = {noun: next(iter(found)) for noun, found in holders.items() if len({_key(name) for name in found}) == 1}
    return Naming(kinds, names)


def name_words(sentence: Sentence, head: Token) -> Sequence[Token]:
    """The words of the name that ends in `head`, without its article; empty where it is no name."""
    if head.tag not in PROPER or not head.text[:1].isupper() or head.dep == "compound":
        return ()
    first = head.i
    while first > 0 and sentence.tokens[first - 1].tag in PROPER and sentence.tokens[first - 1].head <= head.i:
        first -= 1
    return sentence.tokens[first : head.i + 1]


def name_of(sentence: Sentence, head: Token) -> str:
    """The name that ends in `head`, with the article it takes; "" where it is none, or is one of a people."""
    tokens = name_words(sentence, head)
    if not tokens or not plain(tokens) or _a_people(head) or head.lower in TITLES or sentence.right(head).i != head.i:
        return ""
    before = sentence.before(tokens[0])
    name = _name(sentence, tokens)
    return "" if name.isupper() or (before is not None and before.tag == "HYPH") else name


TITLES = frozenset({"mr.", "mrs.", "ms.", "dr.", "st.", "sir", "lord", "ii", "iii"})


def _name(sentence: Sentence, tokens: Sequence[Token]) -> str:
    """The name with the article it takes."""
    before = sentence.before(tokens[0])
    name = sentence.text[tokens[0].start : tokens[-1].end]
    return f"the {name}" if before is not None and before.lower == "the" else name


def _key(name: str) -> str:
    return name.lower().removeprefix("the ")


def _said_kind(sentence: Sentence) -> tuple[str, str] | None:
    """Tessaly is a nasal spray for adults. → Tessaly, spray"""
    clause = main_clause(sentence)
    if not isinstance(clause, Clause) or clause.subject is None or clause.negative or clause.verb.i != clause.finite.i:
        return None
    attribute = sentence.child(clause.verb, "attr")
    name = name_words(sentence, clause.subject)
    if clause.operator != "be" or attribute is None or not name or sentence.right(clause.subject).i != name[-1].i:
        return None
    article = sentence.child(attribute, "det")
    of = any(child.lower == "of" for child in sentence.children(attribute, "prep"))
    if (
        attribute.tag != "NN"
        or of
        or is_a("vague_nouns", attribute)
        or article is None
        or article.lower not in INDEFINITE
    ):
        return None
    return _name(sentence, name), attribute.lower


def quantified(sentence: Sentence, head: Token) -> bool:
    """all ferries, some of the ferries, three ferries, no ferry, more ferries"""
    for token in sentence.phrase(head):
        if token.i > head.i:
            break
        if token.tag in COUNTED and token.head == head.i:
            return True
        if token.dep in {"det", "predet"} and token.head == head.i and token.lower not in DEFINITE | INDEFINITE:
            return True
        if token.dep in {"quantmod", "nummod"} or token.lower in words("amounts"):
            return True
    return head.tag not in NOUNS or is_a("vague_nouns", head) or head.lower in words("anybody")


def asked_for(sentence: Sentence, head: Token, known: Naming) -> str:
    """The words that ask for a noun phrase: who, what, which ferry; "" where none is sure."""
    if quantified(sentence, head) or sentence.child(head, "conj", "appos") is not None:
        return ""
    if head.lower in word_set("collectives"):
        # a crowd of people: neither who nor what
        return ""
    if sentence.child(head, "poss") is not None or not resolved(sentence.phrase(head)):
        return ""
    if head.tag in PROPER:
        return _asked_for_name(sentence, head, known)
    compounds = [t for t in sentence.children(head, "compound") if t.tag in {"NN", "NNS"} and t.text.islower()]
    noun = " ".join(t.lower for t in (*compounds, head))
    article = sentence.child(head, "det")
    definite = article is not None and article.lower in DEFINITE
    described = sentence.child(head, "amod", "relcl", "acl") is not None
    person = is_a("persons", head)
    if any(child.lower == "of" for child in sentence.children(head, "prep")) and not person:
        # the town of Gellan; but the roof of the mill
        kind = head.lower if is_a("bodies", head) or is_a("places", head) else ""
        return f"which {kind}" if kind else "what" if head.tag == "NN" else ""
    if head.lower in mass_nouns():
        return "what"
    if head.tag == "NNS" and (definite or described):
        return f"which {noun}"
    if person:
        return "who"
    if definite or is_a("bodies", head):
        return f"which {noun}"
    return "" if PERSONAL.search(head.lower) else "what"


# a diver, an archivist: nouns that may well name a person
PERSONAL = re.compile(r"(?:er|or|ist|ian|man|men|ee|eer|ant|people)s?$")


def _asked_for_name(sentence: Sentence, head: Token, known: Naming) -> str:
    noun = kind_of(sentence, head, known)
    if not noun:
        return ""
    return "who" if noun in words("persons") else f"which {noun}"


def kind_of(sentence: Sentence, head: Token, known: Naming) -> str:
    """What a name is the name of: what the passage says it is, or its own last word; "" where neither tells."""
    name = name_words(sentence, head)
    if not name or sentence.right(head).i != head.i:
        return ""
    own = head.lower if head.lower in words("bodies") and len(name) > 1 else ""
    return known.kinds.get(_key(_name(sentence, name)), own)


def full_name(sentence: Sentence, head: Token, known: Naming) -> str:
    """The clinic → Lowick Bay Clinic, where the passage names one clinic only; otherwise ""."""
    phrase = sentence.phrase(head)
    if len(phrase) == 2 and phrase[0].lower == "the" and head.tag == "NN":
        return known.names.get(head.lower, "")
    return ""
