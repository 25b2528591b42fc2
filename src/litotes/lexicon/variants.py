"""The ways in which documents may write a phrase: number, possessives, hyphens, apostrophes, spelling.

The variants serve filters, which remove every document that contains one of them. So a variant that is not a word does
no harm, but one that is another word loses documents. Therefore verbs and adjectives are not inflected: "boxing" would
also remove "box", and "icing" would remove "ice".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from litotes.lexicon.morphology import inflect, known, lemma
from litotes.lexicon.tables import table, word_set

MOST_WORDS = 8
"""A longer phrase is only looked for as it is written: documents hardly contain it in any other form."""
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")
_HYPHENS = str.maketrans("‐‑–—", "----")
_OUTER = " \"“”„«»‹›'’‘`-‐‑–—"
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\S)", re.IGNORECASE)
_LAST_WORD = re.compile(r"(?<!')\b[^\W\d_]{2,}$")
_WORD = re.compile(r"[^\W\d_]+")
_ISE = re.compile(r"(\w{4,}i)([sz])(e[dsr]?|ers|ing|ations?|able)")


def variants(phrase: str) -> tuple[str, ...]:
    """Return the ways to write a phrase: first as it is written, then all others in lower case.

    A phrase without any text, and a single word that stands in nearly every document ("it"), has no variants.
    """
    written = clean(phrase)
    if not written or written.lower() in word_set("too_common"):
        return ()
    plain = _without_article(written.translate(_APOSTROPHES).translate(_HYPHENS))
    if len(plain.split()) > MOST_WORDS:
        return tuple(dict.fromkeys((written, plain.lower())))
    forms = [form for spelled in _spellings(plain) for form in _forms(spelled)]
    lower = (form.lower() for form in (written, plain, *forms))
    every = (form for one in lower for form in (one, one.replace("'", "’")))
    return tuple(dict.fromkeys(form for form in (written, *every) if form))


def clean(phrase: str) -> str:
    """Return a phrase in Unicode's composed form, without control characters, outer quotes and final punctuation."""
    visible = "".join(" " if unicodedata.category(sign) in {"Cc", "Cs"} else sign for sign in phrase)
    text = " ".join(unicodedata.normalize("NFC", visible).split())
    stripped = text.strip(_OUTER).rstrip(".,;:!?" + _OUTER)
    return stripped or text


def _without_article(phrase: str) -> str:
    """Example: "the Beatles" → "Beatles". Titles stay whose rest is a common word: "The Who", "The Office"."""
    rest = _ARTICLE.sub("", phrase, count=1) if _ARTICLE.match(phrase) else phrase
    is_title = phrase[0].isupper() and rest[0].isupper() and known(rest.lower(), "NN")
    return phrase if is_title or rest.lower() in word_set("too_common") else rest


def _spellings(phrase: str) -> Iterator[str]:
    """Yield the phrase, then in British and in American spelling, then with "&" for "and" or "and" for "&"."""
    yield phrase
    yield _in_spelling(phrase, "british")
    yield _in_spelling(phrase, "american")
    if re.search(r" (?:and|&) ", phrase):
        yield re.sub(r" (and|&) ", lambda sign: " & " if sign[1] == "and" else " and ", phrase)


def _in_spelling(phrase: str, side: str) -> str:
    return _WORD.sub(lambda word: _respelled(word[0], side), phrase)


def _respelled(word: str, side: str) -> str:
    """Return a word in British or American spelling: ("Colourful", "american") → "Colorful"."""
    low = word.lower()
    other = _by_ending(low, side) or _by_table(low, side)
    return word if not other else other.capitalize() if word[0].isupper() else other


def _by_ending(word: str, side: str) -> str:
    """Exchange -ise and -ize: ("organised", "american") → "organized"; "" if the word has another ending."""
    match = _ISE.fullmatch(word)
    if match is None or match[1] + "s" in word_set("always_ise"):
        return ""
    return match[1] + ("s" if side == "british" else "z") + match[3]


def _by_table(word: str, side: str) -> str:
    for other, own in _pairs(side):
        stem = other.removesuffix("-")
        if word == stem:
            return own.removesuffix("-")
        if other.endswith("-") and word.startswith(stem):
            exchanged = own.removesuffix("-") + word.removeprefix(stem)
            if any(known(exchanged, tag) for tag in ("NN", "VB", "JJ", "RB")):
                return exchanged
    return ""


@cache
def _pairs(side: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of the table: the other side's spelling, and the spelling of this side."""
    rows = [(row["american"], row["british"]) for row in table("spellings")]
    return tuple(rows if side == "british" else [(british, american) for american, british in rows])


def _forms(phrase: str) -> Iterator[str]:
    """Yield a phrase in the singular and in the plural, with and without hyphens, and with a possessive 's."""
    match = _LAST_WORD.search(phrase)
    start, last = (phrase[: match.start()], match[0]) if match else (phrase, "")
    singular = _singular(last)
    for form in dict.fromkeys((phrase, start + singular, start + _plural(singular), phrase.replace("'", ""))):
        yield from _hyphenations(form)
    if (start + singular)[-1].isalnum() and not phrase.endswith("'s") and last.lower() not in word_set("own_plurals"):
        yield start + singular + "'s"


def _singular(word: str) -> str:
    """Return the singular of a plural. A capitalised word stays: "Windows" is not "window"."""
    low = word.lower()
    if word[:1].isupper() or low in word_set("own_plurals"):
        return word
    if not known(low, "NNS") and (len(low) < 4 or low.endswith(("ss", "us", "is")) or not low.endswith("s")):
        return word
    return lemma(low, "NNS")


def _plural(singular: str) -> str:
    """Return the plural of a singular. A name that ends in -s, an adjective and a pronoun stay: Windows, new, who."""
    low = singular.lower()
    if not low or low in word_set("too_common") | word_set("own_plurals"):
        return singular
    if singular[0].isupper() and low.endswith("s"):
        return singular
    plural = inflect(low, "NNS")
    if plural == low and not low.endswith("s"):
        plural += "s"  # the dictionary has no plural of a mass noun, but documents may have one: borschts
    is_adjective = known(low, "JJ") and (not known(low, "NN") or plural in word_set("own_plurals"))
    return singular if is_adjective else plural


def _hyphenations(phrase: str) -> Iterator[str]:
    """Yield the phrase with hyphens, with spaces and joined: t-shirt, t shirt, tshirt; ice cream, ice-cream, icecream.

    Of a phrase without hyphens, only two words are joined, and numbers never are: 19-20 is not 1920.
    """
    yield phrase
    words = phrase.split(" ")
    if "-" in phrase:
        spaced, sign = phrase.replace("-", " "), "-"
        yield " ".join(spaced.split())
    elif len(words) == 2 and not word_set("too_common") & {word.lower() for word in words}:
        yield "-".join(words)
        sign = " "
    else:
        return
    if not re.search(rf"\d{sign}\d", phrase):
        yield phrase.replace(sign, "")
