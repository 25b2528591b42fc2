"""Inflect words with lemminflect's dictionary and our corrections."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from types import ModuleType

from litotes.errors import require
from litotes.lexicon.tables import word_set
from litotes.parse import import_spacy

# forms whose first dictionary entry is not the one that running text means
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
    """Return the lemma of a lower-case word with the given Penn tag."""
    if word == "lay" and tag in {"VB", "VBP"}:
        return "lay"
    key = (word, tag[:1])
    if key in LEMMAS:
        return LEMMAS[key]
    upos = UPOS.get(tag[:1])
    if upos is None:
        return word
    lemmas = _lemminflect().getLemma(word, upos)
    return str(lemmas[0]) if lemmas else word


@lru_cache(maxsize=65536)
def known(word: str, tag: str) -> bool:
    """Return whether the dictionary has this form in the word class of the tag."""
    upos = UPOS.get(tag[:1])
    if upos is None or (word, tag[:1]) in LEMMAS:
        return True
    return bool(_lemminflect().getAllLemmas(word, upos))


@lru_cache(maxsize=65536)
def inflect(base: str, tag: str) -> str:
    """Inflect a lemma for a Penn tag. Of a multi-word verb, the first word is inflected."""
    if tag in {"VB", "VBP", "JJ", "NN", "RB"} and base != "be":
        return base
    if (base, tag) in INFLECTIONS:
        return INFLECTIONS[base, tag]
    if " " in base:
        first, rest = base.split(" ", 1)
        return f"{inflect(first, tag)} {rest}"
    if tag in {"JJR", "JJS", "RBR", "RBS"} and not _compares_by_ending(base):
        return f"{'more' if tag.endswith('R') else 'most'} {base}"
    forms = _lemminflect().getInflection(base, tag)
    return str(forms[0]) if forms else base


@cache
def _lemminflect() -> ModuleType:
    # lemminflect imports spaCy: import it first, in the way that does not import torch
    import_spacy()
    return require("lemminflect", why="inflection")


def _compares_by_ending(word: str) -> bool:
    return bool(_SHORT_ADJECTIVE.match(word)) and not word.endswith(("ful", "less", "ous", "ing", "ed", "ly"))


_CONSONANT_SOUND = re.compile(r"one\b|once|eu|ewe|uni(?!n|m)|us[aeiu]|ut[eio]|ur[aio]", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir|8|11\b|18\b", re.IGNORECASE)
_LETTER_BY_LETTER = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9]{0,3}\b|-)")


def article(word: str) -> str:
    """Return "a" or "an" by the first sound of the next word."""
    if _LETTER_BY_LETTER.match(word) and word.upper() == word:
        return "an"
    if (word.isupper() and 1 < len(word) <= 4) or _CONSONANT_SOUND.match(word):
        return "a"
    return "an" if _VOWEL_SOUND.match(word) else "a"
