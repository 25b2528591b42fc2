"""Align the words of two texts: which words only one text has, and which of those are opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from litotes.detection.classification.oppositions import opposed
from litotes.detection.sentences import sentence_spans
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import known, lemma
from litotes.types import Span

# a number with its marks, letters with points, a word with hyphens and apostrophes: 1,250.5  U.S.  son-in-law  isn't
_WORD = re.compile(r"\d(?:[\d.,:/]*\d)?|\b(?:[A-Z]\.){2,}|[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")
MAX_DISTANCE = 0.35
"""the largest distance between the positions of two opposites, as a share of the texts"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, with its offsets."""

    text: str
    start: int
    end: int
    opens: bool
    """whether it is the first word of a sentence"""

    @property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")

    @property
    def bare(self) -> str:
        """Return the word without points and possessive ending: us for U.S., ida for Ida's."""
        return self.lower.replace(".", "").removesuffix("'s")

    @property
    def number(self) -> str:
        """Return the value of a number, the same for 1,250 and 1250, or six and 6; "" for other words."""
        if self.text[0].isdigit():
            return self.text.replace(",", "")
        return _figures().get(self.lower, "")

    @property
    def name(self) -> bool:
        """Return whether the word is written as a name; at the start of a sentence, only unknown words are."""
        bare = self.bare.partition("'")[0]
        if not self.text[0].isupper() or bare in function_words():
            return False
        return not self.opens or not any(known(bare, tag) for tag in "NVJR")

    def inside(self, span: Span) -> bool:
        return self.start < span[1] and span[0] < self.end


def words(text: str) -> list[Word]:
    """Return the words of a text, in order."""
    openings = {next((m.start() for m in _WORD.finditer(text, start, end)), -1) for start, end in sentence_spans(text)}
    return [Word(m[0], m.start(), m.end(), m.start() in openings) for m in _WORD.finditer(text)]


class AlignedTexts:
    """The words of a reference and a candidate, aligned in order."""

    def __init__(self, reference: str, candidate: str) -> None:
        self.reference, self.candidate = reference, candidate
        self.reference_words, self.candidate_words = words(reference), words(candidate)

    @cached_property
    def _steps(self) -> Sequence[tuple[str, int, int, int, int]]:
        left, right = ([word.lower for word in side] for side in (self.reference_words, self.candidate_words))
        return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()

    def across(self, span: Span) -> tuple[list[Word], list[Word], int]:
        """Return the reference's changed words around a span, the candidate's in their place, and the offset of these.

        Both lists are empty if the first word of the span is aligned with an equal word.
        """
        place = next((at for at, word in enumerate(self.reference_words) if word.inside(span)), 0)
        tag, start, end, first, last = next(step for step in self._steps if step[1] <= place < step[2])
        if tag == "equal":
            return [], [], self.candidate_words[first + place - start].start
        at = (
            self.candidate_words[first].start
            if first < len(self.candidate_words)
            else len(self.candidate.rstrip(".!? "))
        )
        return self.reference_words[start:end], self.candidate_words[first:last], at

    def changed(self) -> tuple[list[Word], list[Word]]:
        """Return the words of each text that are not aligned with an equal word."""
        changed = [step for step in self._steps if step[0] != "equal"]
        return (
            [word for _, start, end, _, _ in changed for word in self.reference_words[start:end]],
            [word for _, _, _, start, end in changed for word in self.candidate_words[start:end]],
        )

    def unshared(self) -> tuple[list[Word], list[Word]]:
        """Return the words that only one text has, in any form."""
        reference_forms = {form for word in self.reference_words for form in forms(word.lower)}
        candidate_forms = {form for word in self.candidate_words for form in forms(word.lower)}
        return (
            [word for word in self.reference_words if not forms(word.lower) & candidate_forms],
            [word for word in self.candidate_words if not forms(word.lower) & reference_forms],
        )

    def opposites(self) -> Iterator[tuple[str, Word, Word]]:
        """Yield pairs of opposites, nearest first: "affix" or "antonym", the reference's word, the candidate's word."""
        left, right = self.unshared()
        pairs = [
            (distance, kind, one, other)
            for one in left
            for other in right
            if (distance := self._distance(one, other)) <= MAX_DISTANCE and (kind := opposition(one.lower, other.lower))
        ]
        taken: set[Word] = set()
        for _, kind, one, other in sorted(pairs, key=lambda pair: pair[0]):
            if one not in taken and other not in taken:
                taken |= {one, other}
                yield kind, one, other

    def _distance(self, one: Word, other: Word) -> float:
        return abs(one.start / len(self.reference) - other.start / len(self.candidate))


@lru_cache(maxsize=65536)
def forms(word: str) -> frozenset[str]:
    """Return a word and its possible lemmas."""
    return frozenset({word} | {lemma(word, tag) for tag in "VNJ"})


def opposition(left: str, right: str) -> str:
    """Return "affix", "antonym" or ""."""
    pairs = [(one, other) for one in forms(left) for other in forms(right)]
    if any(other in _affix_pairs().get(one, ()) for one, other in pairs):
        return "affix"
    return "antonym" if any(opposed(one, other) for one, other in pairs) else ""


@lru_cache(maxsize=1)
def _affix_pairs() -> dict[str, frozenset[str]]:
    """Return word → the words that differ from it by a negating affix."""
    pairs: dict[str, frozenset[str]] = {}
    for row in table("affixes"):
        for word, other in ((row["positive"], row["negative"]), (row["negative"], row["positive"])):
            pairs[word] = pairs.get(word, frozenset()) | {other}
    return pairs


@lru_cache(maxsize=1)
def _figures() -> dict[str, str]:
    return table("numbers").mapping("word", "figure")


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return function words, which are never names: the, it, although."""
    english = frozenset(row["word"] for row in table("function_words") if row["language"] == "english")
    return english | word_set("subordinators") | word_set("prepositions") | {"i"}


def without_affix(word: str) -> str:
    """Return the word without its negating affix, from the lexicon: harmful for harmless; "" if it has none."""
    return next((row["positive"] for row in table("affixes") if row["negative"] in forms(word)), "")
