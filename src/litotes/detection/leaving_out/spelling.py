"""Cues as they are mistyped: exept, besdes, apart frm, other then. One slip away, and no word by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase

from litotes.lexicon import word_set
from litotes.lexicon.morphology import known

CUES = (
    *("except", "excluding", "besides", "without", "instead"),
    *("barring", "ignoring", "omitting", "skipping", "exclude"),
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_PAIRS = re.compile(
    r"(?<!the )(?<!each )\b(?:"
    r"(?P<other>other|rather|othr|ohter|otehr)\s+(?:then|thn|tahn|tan|than)|"
    r"(?P<apart>apart|aside|asid|appart)\s+(?:frm|form|fom|fron|fro|from)|"
    r"(?P<instead>insted|instaed)\s+of)\b",
    re.IGNORECASE,
)
_WHOLE = {
    **dict.fromkeys(("othr", "ohter", "otehr"), "other"),
    **dict.fromkeys(("insted", "instaed"), "instead"),
    **{"asid": "aside", "appart": "apart"},
}
_SECOND = {"other": "than", "apart": "from", "instead": "of"}


def respelled(text: str) -> str:
    """The text with its mistyped cues put right; every other word is left as it is."""
    text = _PAIRS.sub(_pair, text)
    return _WORD.sub(lambda match: _slips().get(match[0], match[0]), text)


def _pair(match: re.Match[str]) -> str:
    first = match[0].split()[0]
    return f"{_WHOLE.get(first.lower(), first)} {_SECOND[str(match.lastgroup)]}"


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    """Every string one letter dropped, doubled, swapped or mistaken away from a cue that no dictionary knows."""
    words = word_set("prepositions") | set(CUES)
    slips = {slip: cue for cue in CUES for slip in _one_slip(cue)}
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
