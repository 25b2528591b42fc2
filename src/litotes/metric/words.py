"""The words of two texts side by side: which stand in one alone, and which of those oppose each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from litotes.detection.mechanism.oppositions import opposed
from litotes.detection.sentences import sentences
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import known, lemma
from litotes.types import Span

# a number with its marks, letters with points, a word with hyphens and apostrophes: 1,250.5  U.S.  son-in-law  isn't
_WORD = re.compile(r"\d(?:[\d.,:/]*\d)?|\b(?:[A-Z]\.){2,}|[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")
NEAR = 0.35
"""how far apart two opposites may stand, as a share of their texts"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, and where it stands."""

    text: str
    start: int
    end: int
    opens: bool
    """a sentence"""

    @property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")

    @property
    def bare(self) -> str:
        """Without points and without a possessive's ending: us of U.S., ida of Ida's."""
        return self.lower.replace(".", "").removesuffix("'s")

    @property
    def number(self) -> str:
        """What it comes to, the same for 1,250 and 1250, for six and 6; empty for what is no number."""
        if self.text[0].isdigit():
            return self.text.replace(",", "")
        return _figures().get(self.lower, "")

    @property
    def name(self) -> bool:
        """Whether it is written as a name: at a sentence's opening only what the dictionary does not have counts."""
        bare = self.bare.partition("'")[0]
        if not self.text[0].isupper() or bare in _small_words():
            return False
        return not self.opens or not any(known(bare, tag) for tag in "NVJR")

    def inside(self, span: Span) -> bool:
        return self.start < span[1] and span[0] < self.end


def words(text: str) -> list[Word]:
    """The words of a text, in order."""
    openings = {next((m.start() for m in _WORD.finditer(text, start, end)), -1) for start, end in sentences(text)}
    return [Word(m[0], m.start(), m.end(), m.start() in openings) for m in _WORD.finditer(text)]


class SideBySide:
    """A reference's and a candidate's words, matched in order."""

    def __init__(self, reference: str, candidate: str) -> None:
        self.reference, self.candidate = reference, candidate
        self.ours, self.theirs = words(reference), words(candidate)

    @cached_property
    def _steps(self) -> Sequence[tuple[str, int, int, int, int]]:
        left, right = ([word.lower for word in side] for side in (self.ours, self.theirs))
        return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()

    def across(self, span: Span) -> tuple[list[Word], list[Word], int]:
        """The reference's words that changed together with the first in the span, the candidate's in their place, and
        where that is in the candidate. No words where the first was matched: it answers another's."""
        place = next((at for at, word in enumerate(self.ours) if word.inside(span)), 0)
        sort, start, end, first, last = next(step for step in self._steps if step[1] <= place < step[2])
        if sort == "equal":
            return [], [], self.theirs[first + place - start].start
        at = self.theirs[first].start if first < len(self.theirs) else len(self.candidate.rstrip(".!? "))
        return self.ours[start:end], self.theirs[first:last], at

    def only(self) -> tuple[list[Word], list[Word]]:
        """The words that stand on one side alone, whatever their form."""
        mine = {form for word in self.ours for form in forms(word.lower)}
        yours = {form for word in self.theirs for form in forms(word.lower)}
        return (
            [word for word in self.ours if not forms(word.lower) & yours],
            [word for word in self.theirs if not forms(word.lower) & mine],
        )

    def opposites(self) -> Iterator[tuple[str, Word, Word]]:
        """affix or antonym, the reference's word and the candidate's; each word once, the nearest first."""
        ours, theirs = self.only()
        pairs = [
            (apart, kind, one, other)
            for one in ours
            for other in theirs
            if (apart := self._apart(one, other)) <= NEAR and (kind := opposition(one.lower, other.lower))
        ]
        taken: set[Word] = set()
        for _, kind, one, other in sorted(pairs, key=lambda pair: pair[0]):
            if one not in taken and other not in taken:
                taken |= {one, other}
                yield kind, one, other

    def _apart(self, one: Word, other: Word) -> float:
        return abs(one.start / len(self.reference) - other.start / len(self.candidate))


@lru_cache(maxsize=65536)
def forms(word: str) -> frozenset[str]:
    """A word and what it may be a form of."""
    return frozenset({word} | {lemma(word, tag) for tag in "VNJ"})


def opposition(left: str, right: str) -> str:
    """affix, antonym, or nothing."""
    pairs = [(one, other) for one in forms(left) for other in forms(right)]
    if any(other in _affixed().get(one, ()) for one, other in pairs):
        return "affix"
    return "antonym" if any(opposed(one, other) for one, other in pairs) else ""


@lru_cache(maxsize=1)
def _affixed() -> dict[str, frozenset[str]]:
    """word → what an affix makes of it, or what it is without its affix."""
    found: dict[str, frozenset[str]] = {}
    for row in table("affixes"):
        for word, other in ((row["positive"], row["negative"]), (row["negative"], row["positive"])):
            found[word] = found.get(word, frozenset()) | {other}
    return found


@lru_cache(maxsize=1)
def _figures() -> dict[str, str]:
    return table("numbers").mapping("word", "figure")


@lru_cache(maxsize=1)
def _small_words() -> frozenset[str]:
    """the, it, although: no names, wherever they stand"""
    english = frozenset(row["word"] for row in table("function_words") if row["language"] == "english")
    return english | word_set("subordinators") | word_set("prepositions") | {"i"}


def unaffixed(word: str) -> str:
    """The word without its negating affix, as the lexicon has it: harmful of harmless; empty where it has none."""
    return next((row["positive"] for row in table("affixes") if row["negative"] in forms(word)), "")
