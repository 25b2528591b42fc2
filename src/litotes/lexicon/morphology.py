"""Inflection, by lemminflect's dictionary with our corrections on top."""

from __future__ import annotations

import re
from functools import lru_cache

from litotes.errors import require
from litotes.lexicon.tables import word_set

# Forms whose first dictionary answer is not the one running text means.
LEMMAS = {
    ("felt", "V"): "feel",
    ("found", "V"): "find",
    ("fell", "V"): "fall",
    ("lay", "V"): "lie",
    ("wound", "V"): "wind",
    ("saw", "V"): "see",
    ("ground", "V"): "grind",
    ("'s", "V"): "be",
    ("bit", "V"): "bite",
    ("bore", "V"): "bear",
    ("shot", "V"): "shoot",
    ("wove", "V"): "weave",
    ("stove", "V"): "stave",
    ("lit", "V"): "light",
    ("quit", "V"): "quit",
}
INFLECTIONS = {
    ("lie", "VBD"): "lied",
    ("be", "VBD"): "was",
    ("be", "VBZ"): "is",
    ("be", "VBP"): "are",
    ("have", "VBZ"): "has",
    ("get", "VBN"): "got",
    ("sink", "VBD"): "sank",
    ("mimic", "VBG"): "mimicking",
    ("mimic", "VBD"): "mimicked",
    ("mimic", "VBN"): "mimicked",
    ("TV", "NNS"): "TVs",
    ("quit", "VBD"): "quit",
    ("quit", "VBN"): "quit",
    ("misspell", "VBN"): "misspelled",
    ("prove", "VBN"): "proven",
    ("forbid", "VBD"): "forbade",
    ("early", "JJR"): "earlier",
    ("early", "JJS"): "earliest",
    ("early", "RBR"): "earlier",
    ("good", "JJR"): "better",
    ("good", "JJS"): "best",
    ("wrong", "JJR"): "more wrong",
    ("wrong", "JJS"): "most wrong",
    ("right", "JJR"): "more right",
    ("ill", "JJR"): "more ill",
    ("ill", "JJS"): "most ill",
    ("bad", "JJR"): "worse",
    ("bad", "JJS"): "worst",
    ("well", "RBR"): "better",
    ("badly", "RBR"): "worse",
    ("far", "RBR"): "farther",
}
INVARIANT = word_set("invariant_verbs")
UPOS = {"V": "VERB", "M": "VERB", "J": "ADJ", "R": "ADV", "N": "NOUN"}
_SHORT_ADJECTIVE = re.compile(r"^[^aeiou]*[aeiou]+[^aeiou]*(?:y|e|er|ow|le)?$")


@lru_cache(maxsize=65536)
def lemma(word: str, tag: str) -> str:
    """The dictionary form of a lower-cased word read as the given Penn tag."""
    if word == "lay" and tag in {"VB", "VBP"}:
        return "lay"
    key = (word, tag[:1])
    if key in LEMMAS:
        return LEMMAS[key]
    upos = UPOS.get(tag[:1])
    if upos is None:
        return word
    found = require("lemminflect", why="inflection").getLemma(word, upos)
    return str(found[0]) if found else word


@lru_cache(maxsize=65536)
def known(word: str, tag: str) -> bool:
    """Whether the dictionary has this form in this word class."""
    upos = UPOS.get(tag[:1])
    if upos is None or (word, tag[:1]) in LEMMAS:
        return True
    lemminflect = require("lemminflect", why="inflection")
    return bool(lemminflect.getAllLemmas(word, upos))


@lru_cache(maxsize=65536)
def inflect(base: str, tag: str) -> str:
    """The form of a lemma that a Penn tag asks for; multi-word verbs inflect their first word."""
    if tag in {"VB", "VBP", "JJ", "NN", "RB"} and base != "be":
        return base
    if (base, tag) in INFLECTIONS:
        return INFLECTIONS[base, tag]
    if " " in base:
        first, rest = base.split(" ", 1)
        return f"{inflect(first, tag)} {rest}"
    if tag in {"JJR", "JJS", "RBR", "RBS"} and not _compares_by_ending(base):
        return f"{'more' if tag.endswith('R') else 'most'} {base}"
    found = require("lemminflect", why="inflection").getInflection(base, tag)
    return str(found[0]) if found else base


def _compares_by_ending(word: str) -> bool:
    return bool(_SHORT_ADJECTIVE.match(word)) and not word.endswith(("ful", "less", "ous", "ing", "ed", "ly"))


_CONSONANT_SOUND = re.compile(r"one\b|once|eu|ewe|uni(?!n|m)|us[aeiu]|ut[eio]|ur[aio]", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir|8|11\b|18\b", re.IGNORECASE)
_LETTER_BY_LETTER = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9]{0,3}\b|-)")


def article(word: str) -> str:
    """`a` or `an`, by the sound the next word starts with."""
    if _LETTER_BY_LETTER.match(word) and word.upper() == word:
        return "an"
    if (word.isupper() and 1 < len(word) <= 4) or _CONSONANT_SOUND.match(word):
        return "a"
    return "an" if _VOWEL_SOUND.match(word) else "a"
