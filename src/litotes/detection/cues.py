"""The one counter of negations: which words of a sentence negate.

The counter looks at words and tags, not at a parse tree. So a rewrite is counted from its edits, without a second
parse, and `find_text_cues` counts in texts that were never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from litotes.detection.affixes import has_negating_affix, listed_forms
from litotes.lexicon import negators, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS
from litotes.parse import Sentence
from litotes.types import Cue, Span

SENTENTIAL = frozenset({"verbal", "absolute", "approximate"})
"""types of cues that negate a clause, not only a word"""
# "dont", "cant", "isnt": the tokenizer splits them into "do" + "nt"
BEFORE_NT = frozenset(
    {"do", "does", "did", "ca", "wo", "is", "are", "was", "were", "have", "has", "had"}
    | {"would", "should", "could", "must"}
)
PRENOMINAL_ONLY = frozenset({"few", "little"})
# "not only … but also" adds; without a "but", "does not only apply" denies
ADDING = frozenset({"only", "just", "merely", "simply"})
HAVING = frozenset({"have", "has", "had", "having", "'ve"})
PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they", "there"})
_WORD = re.compile(
    r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|can(?=not\b)|(?:['’](?:s|re|ve|ll|d|m)\b)|[^\W_]+(?:-[^\W_]+)*|[^\w\s]",
    re.IGNORECASE,
)


class Word(Protocol):
    """What the counter needs to know about a word. A parsed token has it."""

    @property
    def lower(self) -> str: ...

    @property
    def tag(self) -> str: ...


class PlainWord(NamedTuple):
    """A word that was never parsed, so that its tag may be empty."""

    lower: str
    tag: str = ""


Phrase = tuple[tuple[str, ...], str]


@lru_cache(maxsize=1)
def _phrases() -> tuple[dict[str, str], dict[tuple[str, str], list[Phrase]], frozenset[str]]:
    """Return single cues, longer cues and false friends by their first two words (longest first), and all first words.

    The type of a false friend is "".
    """
    single: dict[str, str] = {}
    longer: dict[tuple[str, str], list[Phrase]] = {}
    false_friends = [(row["phrase"], "") for row in table("false_cues")]
    for phrase, type_ in [*false_friends, *((row["cue"], row["type"]) for row in table("cues"))]:
        words = tuple(phrase.split())
        if len(words) == 1:
            single[words[0]] = type_
        else:
            longer.setdefault((words[0], words[1]), []).append((words, type_))
    for entries in longer.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return single, longer, frozenset(single) | {first for first, _ in longer}


def is_affixal(form: str) -> bool:
    """Return whether a form carries a negating affix: unhappy, disagreed, harmless."""
    return form in listed_forms()


def is_implicit(form: str) -> bool:
    """Return whether a verb form negates by its meaning: failed, refuses, lacking."""
    return form in _implicit_forms()


@lru_cache(maxsize=1)
def _implicit_forms() -> frozenset[str]:
    verbs = {row["negative"].split()[0] for row in table("implicit") if row["pos"] == "verb"}
    return frozenset(inflect(verb, tag) for verb in verbs for tag in TAGS["verb"])


CueMatch = tuple[tuple[int, ...], str]
"""the positions of a cue among the words, and its type"""


def find_cues(sentence: Sentence) -> tuple[Cue, ...]:
    """Return every negation cue of a parsed sentence, in order."""
    tokens = sentence.tokens
    return tuple(
        _cue(sentence.text, type_, positions, tuple((tokens[i].start, tokens[i].end) for i in positions))
        for positions, type_ in match_cues(tokens)
    )


def find_text_cues(text: str) -> tuple[Cue, ...]:
    """Return the negation cues of a text that was not parsed, in order.

    Without tags, "little" is never counted, and a word that is both an implicit negative and a noun always is.
    """
    matches = list(_WORD.finditer(text))
    words = [PlainWord(_normalised(word[0])) for word in matches]
    return tuple(
        _cue(text, type_, positions, tuple(matches[i].span() for i in positions))
        for positions, type_ in match_cues(words)
    )


def split_words(text: str) -> list[str]:
    """Split a text into lower-case words and marks; "isn't" and "cannot" are two words each."""
    return [_normalised(word) for word in _WORD.findall(text)]


def negating_words(text: str) -> list[str]:
    """Return the words of a text that can negate a clause, whether or not they do here, in order."""
    return [word for word in split_words(text) if word in negators()]


def _normalised(word: str) -> str:
    return word.lower().replace("’", "'")


def _cue(text: str, type_: str, positions: tuple[int, ...], spans: tuple[Span, ...]) -> Cue:
    adjacent = all(b == a + 1 for a, b in pairwise(positions))
    last = spans[-1] if adjacent else spans[0]
    return Cue(text[spans[0][0] : last[1]], type_, positions, spans)


def match_cues(words: Sequence[Word]) -> list[CueMatch]:
    """Return the positions and types of all negators, approximators, negating affixes and implicit negatives."""
    matches: list[CueMatch] = []
    starts = [at for at, word in enumerate(words) if may_start_cue(word.lower)]
    if not starts:
        return matches
    single, longer, firsts = _phrases()
    implicit = _implicit_forms()
    free = 0
    for at in starts:
        if at < free:
            # part of the previous cue
            continue
        word = words[at]
        lower = word.lower
        length, type_ = 1, ""
        if lower in firsts:
            length, type_ = _longest(words, at, single, longer)
            if (type_ and _is_false_cue(words, at)) or (lower == "nor" and _joins_neither(matches, words, at)):
                type_ = ""
        elif lower in implicit and word.tag[:1] in ("V", ""):
            type_ = "implicit"
        elif has_negating_affix(lower, word.tag):
            type_ = "affixal"
        if type_:
            matches.append((tuple(range(at, at + length)), type_))
        free = at + length
    return matches


@lru_cache(maxsize=65536)
def may_start_cue(lower: str) -> bool:
    """Return whether a word can be a cue, alone or with the words after it: a quick test before `match_cues`."""
    return lower in _phrases()[2] or lower in _implicit_forms() or has_negating_affix(lower, "")


def _joins_neither(matches: list[CueMatch], words: Sequence[Word], at: int) -> bool:
    """Add "nor" to an earlier "neither", of which it is the second part, and return whether there was one."""
    for number, (positions, type_) in enumerate(matches):
        if words[positions[0]].lower == "neither":
            matches[number] = ((*positions, at), type_)
            return True
    return False


def _longest(
    words: Sequence[Word], at: int, single: dict[str, str], longer: dict[tuple[str, str], list[Phrase]]
) -> tuple[int, str]:
    """Return the length and type of the longest cue or false friend that starts here."""
    first = words[at].lower
    second = words[at + 1].lower if at + 1 < len(words) else ""
    for phrase, type_ in longer.get((first, second), ()):
        if tuple(word.lower for word in words[at : at + len(phrase)]) != phrase:
            continue
        if phrase == ("no", "doubt") and at and words[at - 1].lower in HAVING:
            # "I have no doubt": here the doubt is denied
            continue
        if phrase[-1] == "help" and not _cannot_but(words, at + len(phrase)):
            continue
        adds = any(word.lower == "but" for word in words[at + 2 :]) or (at == 0 and _inverts(words))
        if type_ or phrase[-1] not in ADDING or adds:
            return len(phrase), type_
    return 1, single.get(first, "")


def _cannot_but(words: Sequence[Word], at: int) -> bool:
    """Match "could not help laughing", "can't help it" and "help but laugh", but not "could not help with it"."""
    following = words[at] if at < len(words) else None
    return following is not None and (following.tag in {"VBG", ""} or following.lower in {"but", "it", "myself"})


def _inverts(words: Sequence[Word]) -> bool:
    """Match "Not only am I late, …"."""
    return len(words) > 3 and words[2].tag in {"MD", "VBZ", "VBP", "VBD"} and words[3].tag[:1] in "PDN"


def _is_false_cue(words: Sequence[Word], at: int) -> bool:
    """Return whether a cue word does not negate in its present place."""
    word, lower = words[at], words[at].lower
    following = words[at + 1] if at + 1 < len(words) else None
    if lower in {"n't", "not"}:
        # "forget-me-not"
        return _in_question_tag(words, at) or (at > 0 and words[at - 1].tag == "HYPH")
    if lower == "no":
        # "No, I did." (an answer), "No. 5" (a number), "no?" (a tag), "a no brainer"
        if at and words[at - 1].tag in {"DT", "PRP$", "HYPH"}:
            return True
        closes = following is None or following.lower in {",", ".", "!", "?", "-"}
        number = following is not None and following.tag == "CD" and following.lower != "one"
        return word.tag == "UH" or closes or number
    if lower == "nobody":
        # "he is a nobody"
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
    """Match "She is nice, isn't she?", "She is nice, is she not?" and "She's late, isn't she, as usual?"."""
    rest = [w.lower for w in words[at + 1 : at + 4] if w.tag not in {"''", '"'}]
    comma = at >= 2 and words[at - 2].lower == ","
    if comma and len(rest) >= 2 and rest[1] in {"?", ","} and rest[0] in PRONOUNS:
        return True
    return at >= 3 and words[at - 3].lower == "," and words[at - 1].lower in PRONOUNS and rest[:1] == ["?"]


def sentential_cues(cues: Sequence[Cue]) -> list[Cue]:
    """Return the cues that negate a clause, not only a word."""
    return [cue for cue in cues if cue.type in SENTENTIAL]
