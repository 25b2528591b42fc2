"""The words of a text that negate, hedge or quantify: texts in which they differ are not near-duplicates.

"The drug is safe." and "The drug is not safe." share most of their letters, but they are entirely different here. Texts
are not parsed while they are read, so the test is cautious: a word too many only keeps a text that could be dropped.
"""

from __future__ import annotations

import re
from functools import cache

from litotes.lexicon import affix_pairs, antonym_pairs, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS

_CONTRACTED = re.compile(
    r"\b(?:cannot|(do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|sha|should|might|must|need|ai)n'?t)\b"
)
_FULL = {None: "can", "ca": "can", "wo": "will", "sha": "shall"}


def expanded(words: str) -> str:
    """Expand contracted negations, so that "isn't", "isnt" and "is not" are the same."""
    if "nt" not in words and "n't" not in words and "cannot" not in words:
        return words
    return _CONTRACTED.sub(lambda match: f"{_FULL.get(match[1], match[1])} not", words)


@cache
def _marks() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the cues that are read with the next word, those read with the previous word, and single words."""
    cues = [row for row in table("cues") if row["cue"].isalpha()]
    # "few" negates, "a few" does not.
    before = {row["cue"] for row in cues if row["type"] == "approximate"}
    after = {row["cue"] for row in cues} - before
    alone = {word for word, _ in antonym_pairs()}
    alone |= {word for (word, _), pairs in affix_pairs().items() if not all(pair.negative for pair in pairs)}
    alone |= {inflect(row["word"], tag) for row in table("implicit_words") for tag in TAGS[row["pos"]]}
    alone |= {row["cue"] for row in table("hedge_cues")} | {row["word"] for row in table("quantifiers")}
    alone |= {row["particle"] for row in table("particles")}
    # The main word of phrases such as "with the exception of".
    alone |= {max(row["cue"].split(), key=len) for row in table("exceptors")}
    return frozenset(after), frozenset(before), frozenset(alone - {"a", "an", "one"} - after - before)


def polarity_marks(words: str) -> str:
    """Return the marks of a normalised, expanded text in alphabetical order.

    A cue is read with its neighbour, because its position matters: "did not say it was safe" and "did say it was not
    safe" differ.
    """
    after, before, alone = _marks()
    listed = words.split(" ")
    marks = list(filter(alone.__contains__, listed))
    if not after.isdisjoint(listed) or not before.isdisjoint(listed):
        padded = ["", *listed, ""]
        marks += [f"{word} {following}" for word, following in zip(listed, padded[2:], strict=True) if word in after]
        marks += [f"{previous} {word}" for previous, word in zip(padded, listed, strict=False) if word in before]
    return "|".join(sorted(marks))
