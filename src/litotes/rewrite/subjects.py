"""The subject as the quantifier rules see it: its determiner, its number, and whether it quantifies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from litotes.detection import Clause
from litotes.lexicon import table
from litotes.parse import Sentence, Token

COUNTING = frozenset({("a", "couple", "of"), ("a", "number", "of"), ("a", "lot", "of"), ("a", "handful", "of")})
OBJECT_CASE = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
ROUND_NUMBERS = frozenset({"hundreds", "thousands", "dozens", "millions", "scores"})


@lru_cache(maxsize=1)
def quantifiers() -> dict[str, dict[str, str]]:
    """Return the quantifier table by word."""
    return {row["word"]: row for row in table("quantifiers")}


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject noun phrase, by its first word and its head noun."""

    head: Token
    """the noun that is counted: "members" in "all of the members" """
    first: Token
    last: Token
    quantifier: str
    """all, every, some, a, …; "the" for definite plurals, "they" for we and they; "" for others"""
    quantifier_end: Token
    """the last token of the quantifier: "of" in "some of", "few" in "a few" """
    plural: bool
    partitive: bool
    """whether it is like "some of the members", not like "a number of members" """
    counted: bool
    """whether a number determines it: "forty people", "at least two dogs" """


def subject_of(clause: Clause) -> Subject | None:
    """Return the clause's notional subject with its quantifier."""
    head = clause.notional_subject
    return phrase_of(clause.sentence, head) if head is not None else None


# every kind of rewrite asks for the subject of the same sentence
@lru_cache(maxsize=256)
def phrase_of(sentence: Sentence, head: Token) -> Subject | None:
    """Return a noun phrase with its quantifier."""
    first, last = sentence.left(head), sentence.right(head)
    word, end = first.lower, first
    following = sentence.after(first)
    after = sentence.after(following) if following is not None else None
    if word == "a" and following is not None and following.lower == "few":
        word, end = "several", after if after is not None and after.lower == "of" else following
    elif after is not None and following is not None and (word, following.lower, after.lower) in COUNTING:
        word, end = "several", after
    elif word in ROUND_NUMBERS and following is not None and following.lower == "of":
        word, end = "several", following
    elif word == "no" and following is not None and following.lower == "one":
        word, end = "no one", following
    elif following is not None and following.lower == "of" and (word in quantifiers() or first.tag == "CD"):
        end = following
    number = sentence.child(head, "nummod")
    if number is not None and number.i < head.i and sentence.child(head, "det", "poss") is None and word != "no":
        # "about forty people", "at least two dogs"
        end, counted = number, True
    else:
        counted = first.tag == "CD"
    noun = head
    if end.lower == "of" and head.i == first.i:
        noun = next((t for t in sentence.tokens[end.i + 1 : last.i + 1] if t.dep == "pobj" and t.head == end.i), head)
    plural = noun.tag in {"NNS", "NNPS"} or noun.lower in {"people", "police", "they", "we", "them", "us"}
    known = quantifiers().get(word)
    quantifier = word if known is not None else ""
    if (
        first.lower in {"the", "these", "those", "my", "our", "his", "her", "their", "your", "its"}
        and noun.tag == "NNS"
        and noun.lower not in {"species", "series", "means", "headquarters"}
        and noun.text[0].isalpha()
        and noun.i == head.i
    ):
        quantifier = "the"
    if first.tag == "PRP" and first.lower in {"we", "they"} and head.i == first.i:
        quantifier = "they"
    if counted and plural:
        quantifier = "several"
    inner = sentence.after(end)
    partitive = end.lower == "of" and inner is not None and inner.tag in {"DT", "PRP$", "PRP", "NNP", "WP"}
    return Subject(noun, first, last, quantifier, end, plural, partitive, counted)


def counted_as_one(sentence: Sentence, head: Token) -> bool:
    """Match "a record 3,000 runners": an article, then a number, then a plural."""
    number = sentence.child(head, "nummod")
    return number is not None and number.tag == "CD" and head.tag == "NNS" and sentence.left(head).lower in {"a", "an"}
