"""The one counter of negations: which words of a sentence negate.

Works on words alone, so that a rewrite can be counted from its edits, without parsing it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from litotes.lexicon import affix_pairs, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS
from litotes.parse import Sentence
from litotes.types import Cue

SENTENTIAL = frozenset({"verbal", "absolute", "approximate"})
PRENOMINAL_ONLY = frozenset({"few", "little"})
# "not only … but also" adds; without a "but", "does not only apply" denies.
ADDING = frozenset({"only", "just", "merely", "simply"})


PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they", "there"})


@dataclass(frozen=True, slots=True)
class Word:
    """What the counter needs to know of a word."""

    lower: str
    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Cue phrases and false friends, by their first word, longest first."""

    by_first: dict[str, list[tuple[tuple[str, ...], str]]]


@lru_cache(maxsize=1)
def _phrases() -> _Phrases:
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    listed = [(row["phrase"], "") for row in table("false_cues")]
    listed += [(row["cue"], row["sort"]) for row in table("cues")]
    for phrase, sort in listed:
        words = tuple(phrase.split())
        by_first.setdefault(words[0], []).append((words, sort))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return _Phrases(by_first)


@lru_cache(maxsize=1)
def _affixal_forms() -> dict[str, str]:
    """Each form with a negating affix → the first letters of the tags it can have."""
    found: dict[str, str] = {}
    for (form, tag), pairs in affix_pairs().items():
        if any(not pair.negative for pair in pairs):
            letters = "JVR" if tag[0] == "J" else tag[0]
            found[form] = found.get(form, "") + letters
    return found


def is_implicit(form: str) -> bool:
    """Whether a verb form negates by its meaning: failed, refuses, lacking."""
    return form in _implicit_forms()


@lru_cache(maxsize=1)
def _implicit_forms() -> frozenset[str]:
    verbs = {row["negative"].split()[0] for row in table("implicit") if row["pos"] == "verb"}
    return frozenset(inflect(verb, tag) for verb in verbs for tag in TAGS["verb"])


def words_of(sentence: Sentence) -> list[Word]:
    return [Word(t.lower, t.tag, t.start, t.end) for t in sentence.tokens]


def cues(sentence: Sentence) -> tuple[Cue, ...]:
    """Every negation cue of a parsed sentence, in order."""
    return count(words_of(sentence), sentence.text)


def count(words: Sequence[Word], text: str) -> tuple[Cue, ...]:
    """Every negation cue among the words: negators, approximators, affixes, implicit negatives."""
    found: list[Cue] = []
    by_first = _phrases().by_first
    affixal = _affixal_forms()
    implicit = _implicit_forms()
    at = 0
    while at < len(words):
        word = words[at]
        length, sort = 1, ""
        if word.lower in by_first:
            length, sort = _longest(words, at, by_first[word.lower])
            if sort and _fooled(words, at, word):
                sort = ""
        elif word.lower in implicit and word.tag[:1] in ("V", ""):
            sort = "implicit"
        elif word.lower in affixal and (not word.tag or word.tag[:1] in affixal[word.lower]):
            sort = "affixal"
        if word.lower == "nor" and _joined_to_neither(found, words, at):
            at += 1
            continue
        if sort:
            matched = tuple(range(at, at + length))
            spans = tuple((words[i].start, words[i].end) for i in matched)
            found.append(Cue(text[spans[0][0] : spans[-1][1]], sort, matched, spans))
        at += length
    return tuple(found)


def _joined_to_neither(found: list[Cue], words: Sequence[Word], at: int) -> bool:
    """neither … nor is one cue in two parts"""
    for place, cue in enumerate(found):
        if cue.text.lower() == "neither" and cue.tokens[-1] < at:
            spans = (*cue.spans, (words[at].start, words[at].end))
            found[place] = Cue(cue.text, cue.sort, (*cue.tokens, at), spans)
            return True
    return False


def _longest(words: Sequence[Word], at: int, entries: list[tuple[tuple[str, ...], str]]) -> tuple[int, str]:
    for phrase, sort in entries:
        if tuple(w.lower for w in words[at : at + len(phrase)]) == phrase:
            if not sort and phrase[-1] in ADDING and not any(w.lower == "but" for w in words[at + 2 :]):
                continue
            return len(phrase), sort
    return 1, ""


def _fooled(words: Sequence[Word], at: int, word: Word) -> bool:
    """Cue words that do not negate here."""
    following = words[at + 1] if at + 1 < len(words) else None
    if word.lower in {"n't", "not"} and _in_question_tag(words, at):
        return True
    if word.lower == "no":
        # "No, I did." (an answer), "No. 5" (a number), "no?" (a tag), "a no brainer"
        if at and words[at - 1].tag in {"DT", "PRP$"}:
            return True
        return (
            word.tag == "UH"
            or following is None
            or following.lower in {",", ".", "!", "?", "-"}
            or following.tag == "CD"
        )
    if word.lower == "nt":
        return at == 0 or words[at - 1].end != word.start
    if word.lower in PRENOMINAL_ONLY:
        # "a little boy", "the few who", "very little": only bare quantifiers count
        previous = words[at - 1] if at else None
        if previous is not None and previous.tag in {"DT", "PRP$", "JJ", "POS", "CD", "WDT"}:
            return True
        return word.lower == "little" and (
            following is None or following.tag not in {"NN", "JJ"} or following.tag == "NNS"
        )
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
