"""What a text denies, doubts and counts, by its words alone: the marks that keep two near-copies apart.

Here "The drug is safe." and "The drug is not safe." are as different as two sentences can be, though most of their
letters agree. There is no parse in the reading loop, so the test is a cautious one: texts whose marks differ are never
called near-duplicates, and a mark too many only keeps a text that could have gone.
"""

from __future__ import annotations

import re
from functools import cache

from litotes.lexicon import affix_pairs, antonym_pairs, table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS

_CONTRACTED = re.compile(
    r"\b(?:cannot|(do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|sha|should|might|must|need|ai)n'?t)\b"
)
_FULL = {None: "can", "ca": "can", "wo": "will", "sha": "shall"}


def expanded(words: str) -> str:
    """Contracted denials in full: "isn't", "isnt" and "is not" are one thing said."""
    if "nt" not in words and "n't" not in words and "cannot" not in words:
        return words
    return _CONTRACTED.sub(lambda found: f"{_FULL.get(found[1], found[1])} not", words)


@cache
def _marks() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Cues read with the word after them, cues read with the word before them, words that count by themselves."""
    cues = [row for row in table("cues") if row["cue"].isalpha()]
    # "few" denies, "a few" does not
    before = {row["cue"] for row in cues if row["sort"] == "approximate"}
    after = {row["cue"] for row in cues} - before
    alone = {word for word, _ in antonym_pairs()}
    alone |= {word for (word, _), pairs in affix_pairs().items() if not all(pair.negative for pair in pairs)}
    alone |= {inflect(row["word"], tag) for row in table("implicit_words") for tag in TAGS[row["pos"]]}
    alone |= {row["cue"] for row in table("hedge_cues")} | {row["word"] for row in table("quantifiers")}
    alone |= {row["particle"] for row in table("particles")}
    # of "with the exception of", the word that excepts
    alone |= {max(row["cue"].split(), key=len) for row in table("exceptors")}
    return frozenset(after), frozenset(before), frozenset(alone - {"a", "an", "one"} - after - before)


def polarity(words: str) -> str:
    """The marks of a normal, expanded text, in alphabetical order.

    A cue is read with its neighbour, because it may move: "did not say it was safe", "did say it was not safe".
    """
    after, before, alone = _marks()
    listed = words.split(" ")
    found = list(filter(alone.__contains__, listed))
    if not after.isdisjoint(listed) or not before.isdisjoint(listed):
        padded = ["", *listed, ""]
        found += [f"{word} {following}" for word, following in zip(listed, padded[2:], strict=True) if word in after]
        found += [f"{previous} {word}" for previous, word in zip(padded, listed, strict=False) if word in before]
    return "|".join(sorted(found))
