"""Correct misspelled cues: "exept", "besdes", "apart frm", "other then"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase

from litotes.lexicon import word_set
from litotes.lexicon.morphology import known

CUES = (
    *("except", "excluding", "besides", "without", "instead"),
    *("barring", "ignoring", "omitting", "skipping", "exclude", "exception"),
    *("nothing", "already", "mention", "mentioning", "avoid", "avoiding", "leaving", "anything", "everything"),
)
_WORD = re.compile(r"[^\W\d_]{4,}")
# a cue of two words: the first with one typing error, the second as it is often misspelled
_PAIRS = re.compile(
    r"(?<!the )(?<!each )\b([a-z]{4,8})\s+(then|thn|tahn|tan|than|frm|form|fom|fron|fro|from|of)\b", re.IGNORECASE
)
_SECOND = {"other": "than", "rather": "than", "apart": "from", "aside": "from", "instead": "of"}
_MEANT = {**dict.fromkeys(("then", "thn", "tahn", "tan", "than"), "than"), "of": "of"}


def respelled(text: str) -> str:
    """Correct the misspelled cues of a text and leave every other word unchanged."""
    text = _PAIRS.sub(_pair, text)
    return _WORD.sub(lambda match: _slips().get(match[0], match[0]), text)


def _pair(match: re.Match[str]) -> str:
    first = match[1].lower()
    first = first if first in _SECOND else _first_slips().get(first, "")
    second = _MEANT.get(match[2].lower(), "from")
    if not first or _SECOND[first] != second:
        return match[0]
    return f"{first.capitalize() if match[1][0].isupper() else first} {second}"


@lru_cache(maxsize=1)
def _first_slips() -> dict[str, str]:
    return _unknown({slip: cue for cue in _SECOND for slip in _one_slip(cue)})


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    """Return every string that is one typing error away from a cue and is not in the dictionary."""
    return _unknown({slip: cue for cue in CUES for slip in _one_slip(cue)})


def _unknown(slips: dict[str, str]) -> dict[str, str]:
    words = word_set("prepositions") | set(CUES) | {"others"}
    return {
        slip: cue for slip, cue in slips.items() if slip not in words and not any(known(slip, sort) for sort in "NVJR")
    }


def _one_slip(word: str) -> Iterator[str]:
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after[1:]
            yield before + letter + after
