"""Recognise words with a negating affix, and find the affix in them."""

from __future__ import annotations

from functools import lru_cache

from litotes.lexicon import affix_pairs, table, word_set
from litotes.lexicon.morphology import known, lemma
from litotes.types import Span

# words that seem to carry un- or -less, or in which it does not deny
NOT_AFFIXED = word_set("plain_un_less")
# -less can be followed by a suffix: "restlessly", "carelessness"
LESS = ("less", "lessly", "lessness")
PREFIXES = ("non-", "non", "un", "in", "im", "il", "ir", "dis", "mis", "anti", "de", "a")


@lru_cache(maxsize=1)
def listed_forms() -> dict[str, str]:
    """Return each listed form with a negating affix and the first letters of the tags that it can have."""
    letters_by_form: dict[str, str] = {}
    for (form, tag), pairs in affix_pairs().items():
        if any(not pair.negative for pair in pairs):
            letters = "JVR" if tag[0] == "J" else tag[0]
            letters_by_form[form] = letters_by_form.get(form, "") + letters
    return letters_by_form


def has_negating_affix(form: str, tag: str) -> bool:
    """Return whether a word with this tag ("" if unknown) carries a negating affix."""
    letters = listed_forms().get(form)
    if letters is not None:
        # taggers confuse adjectives and nouns: "with disrespect"
        return not tag or tag[:1] in letters or (tag[:1] in "NJ" and ("J" in letters or "N" in letters))
    if len(form) < 6 or form in NOT_AFFIXED:
        return False
    if form.startswith("un"):
        return _has_un(form, tag)
    if form.startswith("mis") and form.endswith(("ed", "t", "n")) and tag[:1] in {"J", "V", ""}:
        # "mislabelled", "misread"
        return known(lemma(form[3:], "V"), "V")
    if form.startswith("non") and form.isalpha():
        # "nonstick", "nonfiction"
        return known(form[3:], "J") or known(form[3:], "N") or known(form[3:], "V")
    return ("less" in form and _has_less(form)) or (form.endswith(("ly", "ness")) and _from_listed_adjective(form))


@lru_cache(maxsize=4096)
def _from_listed_adjective(form: str) -> bool:
    """Match forms of a listed adjective: "incredibly", "uneasiness"."""
    stem = form.removesuffix("ly").removesuffix("ness")
    tries = (stem, stem[:-1] + "y" if stem.endswith("i") else stem, stem + "le", stem + "e")
    return any("J" in listed_forms().get(word, "") for word in tries)


@lru_cache(maxsize=4096)
def _has_un(form: str, tag: str) -> bool:
    """Accept "unmitigated" and "unfruitful"; reject "unrolled it", which reverses an action."""
    if tag[:1] not in "JRN" and tag not in {"VBN", ""}:
        return False
    stem = form[2:].lstrip("-")
    if _from_listed_adjective(form):
        return True
    plain = stem.removesuffix("ly").removesuffix("ness")
    plain = plain[:-1] + "y" if plain.endswith("i") else plain
    if tag[:1] == "N" and plain == stem:
        return False
    return known(plain, "J") or (plain.endswith(("ed", "ing")) and known(plain, "V")) or _is_able(plain)


def _is_able(form: str) -> bool:
    """Match "deniable", "mistakable": what can be done."""
    stem = form.removesuffix("able")
    tries = (stem, stem + "e", stem[:-1] + "y")
    return stem != form and len(stem) > 2 and any(known(verb, "V") for verb in tries)


@lru_cache(maxsize=4096)
def _has_less(form: str) -> bool:
    """Match "shelterless" and "motionlessly"."""
    for suffix in LESS:
        if form.endswith(suffix):
            stem = form.removesuffix(suffix).rstrip("-")
            return len(stem) > 2 and (known(stem, "N") or known(stem, "V"))
    return False


@lru_cache(maxsize=1)
def _affixes() -> dict[str, str]:
    return table("affixes").mapping("negative", "affix")


def affix_span(word: str) -> Span:
    """Return the position of the affix in a word: un|happy, care|less|ly, sugar-|free|."""
    lower = word.lower()
    affix = _affixes().get(lower, "").strip("-")
    if affix and lower.startswith(affix):
        return (0, len(affix))
    for suffix in ("less", "free"):
        at = lower.rfind(suffix)
        if at > 1 and lower.endswith((suffix, suffix + "ly", suffix + "ness")):
            return (at, at + len(suffix))
    for prefix in PREFIXES:
        if lower.startswith(prefix):
            return (0, len(prefix.rstrip("-")))
    return (0, len(word))
