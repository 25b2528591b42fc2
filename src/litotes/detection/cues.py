"""The one counter of negations: which words of a sentence negate.

Works on words alone, so that a rewrite can be counted from its edits, without parsing it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from litotes.detection.affixes import carries, listed
from litotes.lexicon import table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS
from litotes.parse import Sentence
from litotes.types import Cue

SENTENTIAL = frozenset({"verbal", "absolute", "approximate"})
# dont, cant, isnt: the tokenizer parts them as do + nt
BEFORE_NT = frozenset(
    {
        "do",
        "does",
        "did",
        "ca",
        "wo",
        "is",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "would",
        "should",
        "could",
        "must",
    }
)
PRENOMINAL_ONLY = frozenset({"few", "little"})
# "not only … but also" adds; without a "but", "does not only apply" denies.
ADDING = frozenset({"only", "just", "merely", "simply"})


HAVING = frozenset({"have", "has", "had", "having", "'ve"})
PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they", "there"})


class Word(Protocol):
    """What the counter needs to know of a word; a parsed token has it."""

    @property
    def lower(self) -> str: ...

    @property
    def tag(self) -> str: ...


class PlainWord(NamedTuple):
    """A word that was never parsed; its tag may be ""."""

    lower: str
    tag: str


Phrase = tuple[tuple[str, ...], str]


@lru_cache(maxsize=1)
def _phrases() -> tuple[dict[str, str], dict[tuple[str, str], list[Phrase]], frozenset[str]]:
    """Single cues; longer cues and false friends by their first two words, longest first; all first words."""
    single: dict[str, str] = {}
    longer: dict[tuple[str, str], list[Phrase]] = {}
    listed = [(row["phrase"], "") for row in table("false_cues")] + [(row["cue"], row["sort"]) for row in table("cues")]
    for phrase, sort in listed:
        words = tuple(phrase.split())
        if len(words) == 1:
            single[words[0]] = sort
        else:
            longer.setdefault((words[0], words[1]), []).append((words, sort))
    for entries in longer.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return single, longer, frozenset(single) | {first for first, _ in longer}


def is_affixal(form: str) -> bool:
    """Whether a form carries a negating affix: unhappy, disagreed, harmless."""
    return form in listed()


def is_implicit(form: str) -> bool:
    """Whether a verb form negates by its meaning: failed, refuses, lacking."""
    return form in _implicit_forms()


@lru_cache(maxsize=1)
def _implicit_forms() -> frozenset[str]:
    verbs = {row["negative"].split()[0] for row in table("implicit") if row["pos"] == "verb"}
    return frozenset(inflect(verb, tag) for verb in verbs for tag in TAGS["verb"])


Match = tuple[tuple[int, ...], str]


def cues(sentence: Sentence) -> tuple[Cue, ...]:
    """Every negation cue of a parsed sentence, in order."""
    found = []
    for places, sort in scan(sentence.tokens):
        spans = tuple((sentence.tokens[i].start, sentence.tokens[i].end) for i in places)
        joined = all(b == a + 1 for a, b in pairwise(places))
        last = spans[-1] if joined else spans[0]
        found.append(Cue(sentence.text[spans[0][0] : last[1]], sort, places, spans))
    return tuple(found)


def scan(words: Sequence[Word]) -> list[Match]:
    """Where the negators, approximators, negating affixes and implicit negatives stand, and of which sort they are."""
    found: list[Match] = []
    places = [at for at, word in enumerate(words) if may_cue(word.lower)]
    if not places:
        return found
    single, longer, firsts = _phrases()
    implicit = _implicit_forms()
    free = 0
    for at in places:
        if at < free:
            # a part of the cue before it
            continue
        word = words[at]
        lower = word.lower
        length, sort = 1, ""
        if lower in firsts:
            length, sort = _longest(words, at, single, longer)
            if (sort and _fooled(words, at, word)) or (lower == "nor" and _joins_neither(found, words, at)):
                sort = ""
        elif lower in implicit and word.tag[:1] in ("V", ""):
            sort = "implicit"
        elif carries(lower, word.tag):
            sort = "affixal"
        if sort:
            found.append((tuple(range(at, at + length)), sort))
        free = at + length
    return found


@lru_cache(maxsize=65536)
def may_cue(lower: str) -> bool:
    """Whether a word, alone or with those that follow, may be a cue: a quick look before a scan."""
    return lower in _phrases()[2] or lower in _implicit_forms() or carries(lower, "")


def _joins_neither(found: list[Match], words: Sequence[Word], at: int) -> bool:
    """neither … nor is one cue in two parts"""
    for place, (places, sort) in enumerate(found):
        if words[places[0]].lower == "neither":
            found[place] = ((*places, at), sort)
            return True
    return False


def _longest(
    words: Sequence[Word], at: int, single: dict[str, str], longer: dict[tuple[str, str], list[Phrase]]
) -> tuple[int, str]:
    """The longest cue or false friend that starts here: its length and its sort ("" for a false friend)."""
    first = words[at].lower
    second = words[at + 1].lower if at + 1 < len(words) else ""
    for phrase, sort in longer.get((first, second), ()):
        if tuple(word.lower for word in words[at : at + len(phrase)]) != phrase:
            continue
        if phrase == ("no", "doubt") and at and words[at - 1].lower in HAVING:
            # I have no doubt: here doubt is what is denied
            continue
        if phrase[-1] == "help" and not _cannot_but(words, at + len(phrase)):
            continue
        adds = any(word.lower == "but" for word in words[at + 2 :]) or (at == 0 and _inverts(words))
        if sort or phrase[-1] not in ADDING or adds:
            return len(phrase), sort
    return 1, single.get(first, "")


def _cannot_but(words: Sequence[Word], at: int) -> bool:
    """could not help laughing, can't help it, couldn't help but laugh; not: could not help with those"""
    following = words[at] if at < len(words) else None
    return following is not None and (following.tag in {"VBG", ""} or following.lower in {"but", "it", "myself"})


def _inverts(words: Sequence[Word]) -> bool:
    """Not only am I late, …"""
    return len(words) > 3 and words[2].tag in {"MD", "VBZ", "VBP", "VBD"} and words[3].tag[:1] in "PDN"


def _fooled(words: Sequence[Word], at: int, word: Word) -> bool:
    """Cue words that do not negate here."""
    following = words[at + 1] if at + 1 < len(words) else None
    lower = word.lower
    if lower in {"n't", "not"}:
        # forget-me-not
        return _in_question_tag(words, at) or (at > 0 and words[at - 1].tag == "HYPH")
    if lower == "no":
        # "No, I did." (an answer), "No. 5" (a number), "no?" (a tag), "a no brainer"
        if at and words[at - 1].tag in {"DT", "PRP$", "HYPH"}:
            return True
        closes = following is None or following.lower in {",", ".", "!", "?", "-"} or following.tag == "CD"
        return word.tag == "UH" or closes
    if lower == "nobody":
        # he is a nobody
        return at > 0 and words[at - 1].tag == "DT"
    if lower == "nt":
        return at == 0 or words[at - 1].lower not in BEFORE_NT
    if lower in PRENOMINAL_ONLY:
        # "a little boy", "the few who", "very little": only bare quantifiers count
        if at and words[at - 1].tag in {"DT", "PRP$", "JJ", "POS", "CD", "WDT"}:
            return True
        return lower == "little" and (following is None or following.tag not in {"NN", "JJ"})
    return False


def _in_question_tag(words: Sequence[Word], at: int) -> bool:
    """She is nice, is n't she?  /  She is nice, is she not?"""
    rest = [w.lower for w in words[at + 1 : at + 4] if w.tag not in {"''", '"'}]
    comma = at >= 2 and words[at - 2].lower == ","
    if comma and len(rest) >= 2 and rest[1] == "?" and rest[0] in PRONOUNS:
        return True
    return at >= 3 and words[at - 3].lower == "," and words[at - 1].lower in PRONOUNS and rest[:1] == ["?"]


def sentential(found: Sequence[Cue]) -> list[Cue]:
    """The cues that negate a clause, not only a word."""
    return [cue for cue in found if cue.sort in SENTENTIAL]
