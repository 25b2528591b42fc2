"""Find implicit negatives and exceptors, which only a parse can distinguish from ordinary words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS
from litotes.parse import Sentence, Token

QUANTIFIED = word_set("quantified")
# "lived apart from his wife", "set it aside from the rest"
LITERAL = word_set("literal_apart")


class CueEntry(NamedTuple):
    """A word or phrase of the lexicon, under one form of its first word."""

    rest: tuple[str, ...]
    """the words that must follow the first one"""
    pos: str
    """V, N or J, or "" for any tag"""
    name: str
    """the dictionary form"""
    note: str
    """strong or weak for an implicit negative, the guard's name for an exceptor"""


Entries = dict[str, list[CueEntry]]
LETTERS = {"verb": "V", "noun": "N", "adj": "J"}


@lru_cache(maxsize=1)
def implicit_entries() -> Entries:
    """Return the implicit negatives by the form of their first word, longest first."""
    by_form: Entries = {}
    for row in table("implicit_words"):
        first, *rest = row["word"].split()
        pos = row["pos"]
        forms = {inflect(first, tag) for tag in TAGS["verb"]} if pos == "verb" else {first}
        if pos == "noun" and not rest:
            forms.add(inflect(first, "NNS"))
        for form in forms:
            entry = CueEntry(tuple(rest), LETTERS.get(pos, ""), row["word"], row["strength"])
            by_form.setdefault(form, []).append(entry)
    for entries in by_form.values():
        entries.sort(key=lambda entry: -len(entry.rest))
    return by_form


@lru_cache(maxsize=1)
def exceptor_entries() -> Entries:
    """Return the exceptors by their first word, longest first."""
    by_word: Entries = {}
    for row in table("exceptors"):
        first, *rest = row["cue"].split()
        by_word.setdefault(first, []).append(CueEntry(tuple(rest), "", row["cue"], row["guard"]))
    for entries in by_word.values():
        entries.sort(key=lambda entry: -len(entry.rest))
    return by_word


class EntryMatch(NamedTuple):
    """An entry and the tokens of a sentence that it matches."""

    tokens: tuple[int, ...]
    entry: CueEntry


def find_implicit(sentence: Sentence, taken: set[int], *, weak: bool = False) -> Iterator[EntryMatch]:
    """Find words that deny by their own meaning: refuse, lack, fail, absence of …"""
    entries = implicit_entries()
    for token in sentence.tokens:
        for entry in entries.get(token.lower, ()):
            if token.i in taken or (entry.note == "weak" and not weak) or not _same_pos(token, entry.pos):
                continue
            places = _places(sentence, token, entry)
            if places and not _denies_nothing(sentence, token, entry):
                yield EntryMatch(places, entry)
                break


def _same_pos(token: Token, pos: str) -> bool:
    if pos == "J":
        return token.tag[:1] == "J" or token.tag in {"VBN", "VBG", "RB", "IN"}
    return token.tag[:1] == pos or (pos == "V" and token.tag == "JJ" and token.lower.endswith(("ed", "ing")))


def _places(sentence: Sentence, token: Token, entry: CueEntry) -> tuple[int, ...]:
    """Return the positions of the entry's words: adjacent, or with the particle further on ("turn it down")."""
    if not entry.rest:
        return (token.i,)
    following = sentence.tokens[token.i + 1 : token.i + 1 + len(entry.rest)]
    if tuple(t.lower for t in following) == entry.rest:
        return (token.i, *(t.i for t in following))
    if entry.pos == "V" and len(entry.rest) == 1:
        particle = next((t for t in sentence.children(token, "prt") if t.lower == entry.rest[0]), None)
        return (token.i, particle.i) if particle is not None else ()
    return ()


def _denies_nothing(sentence: Sentence, token: Token, entry: CueEntry) -> bool:
    """Match uses that deny nothing: "Prices declined", "forget-me-not", "nothing short of a miracle"."""
    if entry.name in {"decline", "object"}:
        return sentence.child(token, "xcomp", "dobj", "prep") is None or _amount(sentence, token)
    before, following = sentence.before(token), sentence.after(token)
    if following is not None and following.tag == "HYPH":
        # "forget-me-not"
        return True
    if entry.pos == "J" and before is not None and before.lower == "nothing":
        # "nothing short of a miracle"
        return True
    return entry.name in {"fail", "miss"} and token.dep == "compound"


def _amount(sentence: Sentence, token: Token) -> bool:
    """Match "declined by five percent" and "declined in value"."""
    phrase = sentence.child(token, "prep")
    return (
        sentence.child(token, "xcomp", "dobj") is None
        and phrase is not None
        and phrase.lower in {"by", "in", "from", "to"}
    )


def find_exceptors(sentence: Sentence, taken: set[int]) -> Iterator[EntryMatch]:
    """Find words that take a member out of a set: except, besides, other than …"""
    entries = exceptor_entries()
    for token in sentence.tokens:
        for entry in entries.get(token.lower, ()):
            places = _places(sentence, token, entry)
            if places and token.i not in taken and GUARDS[entry.note](sentence, token, sentence.tokens[places[-1]]):
                yield EntryMatch(places, entry)
                break


def _any(sentence: Sentence, first: Token, last: Token) -> bool:
    before = sentence.before(first)
    if before is not None and before.lower == "none":
        # "none other than the king"
        return False
    following = sentence.after(last)
    return following is not None and not (first.lower == "except" and following.lower == "that")


def _quantified(sentence: Sentence, first: Token, last: Token) -> bool:
    """Accept "everyone but her", "all the guests but one" and "no exit save this"."""
    following = sentence.after(last)
    if last.lower == "for" and (first.tag == "IN" or first.i == 0):
        # "the beach was empty save for a dog"
        return following is not None
    if following is None or following.tag[:1] not in "DNPC" or first.tag[:1] == "V":
        return False
    before = sentence.tokens[max(0, first.i - 5) : first.i]
    quantified = [t.i for t in before if t.lower in QUANTIFIED]
    if not quantified or before[-1].lower in {"nothing", ","}:
        return False
    if quantified[-1] == first.i - 1:
        # "no one but you knows"
        return True
    # "everyone was tired but happy": after a verb, "but" is a plain conjunction
    between = sentence.tokens[quantified[-1] : first.i]
    return not any(t.tag[:1] in "VM," for t in between) and not _opens_clause(sentence, following)


def _opens_clause(sentence: Sentence, subject: Token) -> bool:
    """Match "all came, but they left"."""
    return subject.dep in {"nsubj", "nsubjpass"} and sentence.tokens[subject.head].i > subject.i


def _preposition(sentence: Sentence, first: Token, last: Token) -> bool:
    """Accept "besides the price"; reject "Besides, it is late" and "lives apart from her"."""
    following, before = sentence.after(last), sentence.before(first)
    if following is None or following.tag in {",", ".", ":"} or _opens_clause(sentence, following):
        return False
    return before is None or before.lower not in LITERAL


def _joins(sentence: Sentence, first: Token, last: Token) -> bool:
    return last.i + 1 < len(sentence.tokens)


GUARDS = {"any": _any, "quantified": _quantified, "preposition": _preposition, "joins": _joins}
