"""Word pairs by surface form: the opposite of an inflected word, and its form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from litotes.lexicon.morphology import inflect
from litotes.lexicon.tables import table

TAGS = {
    "verb": ("VB", "VBZ", "VBP", "VBD", "VBN", "VBG"),
    "adj": ("JJ", "JJR", "JJS"),
    "adv": ("RB", "RBR", "RBS"),
    "noun": ("NN", "NNS"),
}


@dataclass(frozen=True, slots=True)
class WordPair:
    """One direction of a lexical opposition: replace `word` by `other`."""

    word: str
    other: str
    pos: str
    mark: str
    """the affix, or immediate, polar, mid"""
    negative: bool
    """whether `other` is the negated side"""
    exchange: bool = True
    """False if the pair only serves to recognise a negation, because the exchanged word reads badly"""


Forms = dict[tuple[str, str], list[WordPair]]


def _by_form(pairs: Iterable[WordPair]) -> Forms:
    forms: Forms = {}
    for pair in pairs:
        for tag in TAGS[pair.pos]:
            if tag in {"JJR", "JJS", "RBR", "RBS"} and " " in inflect(pair.word, tag):
                continue
            forms.setdefault((inflect(pair.word, tag), tag), []).append(pair)
    return forms


@lru_cache(maxsize=1)
def affix_pairs() -> Forms:
    """Return the affixal opposites of each (form, tag), in both directions."""
    rows = [row for row in table("affixes") if row["pos"] in TAGS]
    there = (WordPair(r["positive"], r["negative"], r["pos"], r["affix"], True, r["use"] == "rewrite") for r in rows)
    back = (WordPair(r["negative"], r["positive"], r["pos"], r["affix"], False, r["use"] == "rewrite") for r in rows)
    return _by_form([*there, *back])


@lru_cache(maxsize=1)
def antonym_pairs() -> Forms:
    """Return the antonyms of each (form, tag), the best first."""
    rows = list(table("antonyms"))
    there = [WordPair(r["word"], r["antonym"], r["pos"], r["mark"], True) for r in rows]
    back = [WordPair(r["antonym"], r["word"], r["pos"], r["mark"], True) for r in rows if r["direction"] == "both"]
    return _by_form(there + back)


@lru_cache(maxsize=1)
def _fits() -> dict[tuple[str, str], str]:
    return {(row["word"], row["other"]): row["fits"] for row in table("pair_ratings")}


def fit(word: str, other: str) -> str:
    """Return how often an exchange of two words gives a good opposite: often, seldom, or "" for in between."""
    return _fits().get((word, other), "")


@lru_cache(maxsize=1)
def _frames() -> dict[tuple[str, str], frozenset[str]]:
    return {(row["table"], row["word"]): frozenset(row["never_in"].split("|")) for row in table("word_frames")}


def forbids_exchange(name: str, word: str, following: str, *, attributive: bool) -> bool:
    """Return whether the table `name` must not exchange `word` before `following`."""
    for key in ((name, word), ("any", word)):
        never = _frames().get(key, frozenset())
        if following in never or "always" in never or (attributive and "before-noun" in never):
            return True
    return False


@lru_cache(maxsize=1)
def mass_nouns() -> frozenset[str]:
    """Return nouns that are measured, not counted: some milk, a little money."""
    return frozenset(table("mass_nouns").column("noun"))


def other_word(pair: WordPair, tag: str) -> str:
    """Return the opposite, inflected like the word that it replaces."""
    return inflect(pair.other, tag)


def same_case(word: str, model: str) -> str:
    """Return `word` in the letter case of `model`."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word
