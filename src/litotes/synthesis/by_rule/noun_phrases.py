"""Noun phrases in queries: their question word, the name behind "the clinic", and references to the passage."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from litotes.detection import Clause, main_clause
from litotes.detection.operators import operators
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.lexicon.word_pairs import mass_nouns
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.letters import PROPER, lowered
from litotes.synthesis.by_rule.query_words import query_words

NOUNS = frozenset({"NN", "NNS", *PROPER})
DEFINITE = frozenset({"the"})
INDEFINITE = frozenset({"a", "an"})
COUNTED = frozenset({"CD", "PDT", "JJR", "JJS", "RBR", "RBS"})


def is_a(list_name: str, token: Token) -> bool:
    """Whether the token's noun lemma is in this word list: persons, places, vague_nouns."""
    return lemma(token.lower, "NN") in query_words(list_name)


def text_of(tokens: Sequence[Token], sentence: Sentence) -> str:
    """Return the text of the tokens; the first word loses a capital that it only has at the start of the sentence."""
    if not tokens:
        return ""
    first, last = tokens[0], tokens[-1]
    start = lowered(sentence, first) if first.i == 0 and not _is_people(first) else first.text
    return start + sentence.text[first.end : last.end]


def _is_people(token: Token) -> bool:
    """Whether the word keeps its capital without being a name: Polish, Romans."""
    return token.lower in query_words("peoples") or token.lower in query_words("languages")


def resolved(tokens: Iterable[Token], *, bound: bool = False) -> bool:
    """Whether no word refers to something outside these tokens; `bound` allows "its" after a noun."""
    seen_noun = False
    for token in tokens:
        adverb = token.tag == "RB" and token.lower in query_words("pointing_adverbs") and token.dep == "advmod"
        refers_back = (token.lower in query_words("pointing") and token.tag != "EX") or adverb
        if token.tag == "PRP" or refers_back or (token.lower == "that" and token.tag == "DT"):
            return False
        if token.tag in {"PRP$", "WP$"} and not (bound and seen_noun):
            return False
        seen_noun = seen_noun or token.tag in NOUNS
    return True


def is_content_word(token: Token) -> bool:
    """Whether the word helps to find a passage: a noun, an adjective, a number, or a verb but not an auxiliary."""
    verb = token.tag[:2] == "VB" and token.lower not in operators()
    return verb or token.tag in NOUNS or token.tag[:2] in {"JJ", "CD"}


def plain(tokens: Iterable[Token]) -> bool:
    """Whether the words contain no quotation mark, bracket, dash or colon."""
    return not any(t.tag in {"''", "``", "-LRB-", "-RRB-", ":", "HYPH", "NFP", "$", "SYM", "FW"} for t in tokens)


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a passage, and what they are names of."""

    kinds: dict[str, str] = field(default_factory=dict)
    """tessaly → spray, if the passage says that Tessaly is a spray."""
    by_noun: dict[str, str] = field(default_factory=dict)
    """clinic → Lowick Bay Clinic, if that is the only clinic that the passage names."""


def collect_names(document: Document) -> Names:
    """Return the names in a passage, their kinds, and the nouns that stand for exactly one name."""
    kinds: dict[str, str] = {}
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in document.sentences:
        for head in sentence.tokens:
            name = name_words(sentence, head)
            if name and head.lower in query_words("bodies"):
                holders[head.lower].add(_name(sentence, name))
        definition = _defined_kind(sentence)
        if definition is not None:
            defined_name, noun = definition
            kinds.setdefault(_key(defined_name), noun)
            holders[noun].add(defined_name)
    by_noun = {noun: next(iter(same)) for noun, same in holders.items() if len({_key(name) for name in same}) == 1}
    return Names(kinds, by_noun)


def name_words(sentence: Sentence, head: Token) -> Sequence[Token]:
    """Return the words of the name that ends in `head`, without its article; empty if it is not a name."""
    if head.tag not in PROPER or not head.text[:1].isupper() or head.dep == "compound":
        return ()
    first = head.i
    while first > 0 and sentence.tokens[first - 1].tag in PROPER and sentence.tokens[first - 1].head <= head.i:
        first -= 1
    return sentence.tokens[first : head.i + 1]


def name_of(sentence: Sentence, head: Token) -> str:
    """Return the name that ends in `head`, with its article; "" if it is not a name, or the name of a people."""
    tokens = name_words(sentence, head)
    if not tokens or not plain(tokens) or _is_people(head) or head.lower in TITLES or sentence.right(head).i != head.i:
        return ""
    before = sentence.before(tokens[0])
    name = _name(sentence, tokens)
    return "" if name.isupper() or (before is not None and before.tag == "HYPH") else name


TITLES = frozenset({"mr.", "mrs.", "ms.", "dr.", "st.", "sir", "lord", "ii", "iii"})


def _name(sentence: Sentence, tokens: Sequence[Token]) -> str:
    """Return the name with its article."""
    before = sentence.before(tokens[0])
    name = sentence.text[tokens[0].start : tokens[-1].end]
    return f"the {name}" if before is not None and before.lower == "the" else name


def _key(name: str) -> str:
    return name.lower().removeprefix("the ")


def _defined_kind(sentence: Sentence) -> tuple[str, str] | None:
    """Return a name and its kind: Tessaly is a nasal spray for adults. → Tessaly, spray"""
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
    """Whether the noun is counted or quantified: all ferries, some of the ferries, three ferries, no ferry."""
    for token in sentence.phrase(head):
        if token.i > head.i:
            break
        if token.tag in COUNTED and token.head == head.i:
            return True
        if token.dep in {"det", "predet"} and token.head == head.i and token.lower not in DEFINITE | INDEFINITE:
            return True
        if token.dep in {"quantmod", "nummod"} or token.lower in query_words("amounts"):
            return True
    return head.tag not in NOUNS or is_a("vague_nouns", head) or head.lower in query_words("anybody")


def question_word(sentence: Sentence, head: Token, names: Names) -> str:
    """Return the words that ask for a noun phrase: who, what, which ferry; "" if none is certain."""
    if quantified(sentence, head) or sentence.child(head, "conj", "appos") is not None:
        return ""
    if head.lower in word_set("collectives"):
        # "a crowd of people": neither who nor what.
        return ""
    if sentence.child(head, "poss") is not None or not resolved(sentence.phrase(head)):
        return ""
    if head.tag in PROPER:
        return _question_word_for_name(sentence, head, names)
    compounds = [t for t in sentence.children(head, "compound") if t.tag in {"NN", "NNS"} and t.text.islower()]
    noun = " ".join(t.lower for t in (*compounds, head))
    article = sentence.child(head, "det")
    definite = article is not None and article.lower in DEFINITE
    described = sentence.child(head, "amod", "relcl", "acl") is not None
    person = is_a("persons", head)
    if any(child.lower == "of" for child in sentence.children(head, "prep")) and not person:
        # "which town" for "the town of Gellan", but "what" for "the roof of the mill".
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


# Nouns that may denote a person: a diver, an archivist.
PERSONAL = re.compile(r"(?:er|or|ist|ian|man|men|ee|eer|ant|people)s?$")


def _question_word_for_name(sentence: Sentence, head: Token, names: Names) -> str:
    noun = kind_of(sentence, head, names)
    if not noun:
        return ""
    return "who" if noun in query_words("persons") else f"which {noun}"


def kind_of(sentence: Sentence, head: Token, names: Names) -> str:
    """Return what a name is the name of: what the passage says, or its own last word; "" if neither is known."""
    name = name_words(sentence, head)
    if not name or sentence.right(head).i != head.i:
        return ""
    last_word = head.lower if head.lower in query_words("bodies") and len(name) > 1 else ""
    return names.kinds.get(_key(_name(sentence, name)), last_word)


def full_name(sentence: Sentence, head: Token, names: Names) -> str:
    """Return "Lowick Bay Clinic" for "the clinic" if the passage names only one clinic; otherwise ""."""
    phrase = sentence.phrase(head)
    if len(phrase) == 2 and phrase[0].lower == "the" and head.tag == "NN":
        return names.by_noun.get(head.lower, "")
    return ""
