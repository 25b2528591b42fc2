"""The words of two texts that make the difference, for the reason that a tier gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from litotes.detection.word_alignment import AlignedTexts, Word, forms, opposition
from litotes.lexicon.cue_words import negators
from litotes.models.pair.heads import in_order

MOST = 6
"""Words of one text that are named at most; with more, the texts differ as a whole."""


def deciding_words(new: str, cached: str, reason: str) -> tuple[str, str]:
    """Return the words of each text that the other does not have in their place, those that fit the reason first.

    The words do not depend on the order of the texts.
    """
    if in_order(new, cached) != (new, cached):
        return deciding_words(cached, new, reason)[::-1]
    aligned = AlignedTexts(new, cached)
    left, right = aligned.changed()
    if reason in ("opposite", "direction"):
        opposed = [(one, other) for one in left for other in right if opposition(one.lower, other.lower)]
        if opposed:
            return opposed[0][0].text, opposed[0][1].text
    fits = _FITS.get(reason)
    if fits:
        chosen = [word for word in left if fits(word)], [word for word in right if fits(word)]
        if any(chosen):
            left, right = chosen
    elif reason != "direction":
        left, right = _unshared(left, right)
    if len(left) > MOST or len(right) > MOST:
        return "", ""
    return _joined(new, left), _joined(cached, right)


def _unshared(left: Sequence[Word], right: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Leave out words that both texts have somewhere, in any form."""
    first = {form for word in left for form in forms(word.lower)}
    second = {form for word in right for form in forms(word.lower)}
    own = [word for word in left if not forms(word.lower) & second]
    other = [word for word in right if not forms(word.lower) & first]
    return own, other


def _is_negative(word: Word) -> bool:
    return word.lower.endswith("n't") or word.lower in negators()


_FITS: dict[str, Callable[[Word], bool]] = {
    "number": lambda word: bool(word.number),
    "name": lambda word: word.name,
    "opposite": _is_negative,
}


def _joined(text: str, words: Sequence[Word]) -> str:
    """Return words as they stand in the text; words that are not neighbours are separated by an ellipsis."""
    found = ""
    for before, word in zip((None, *words), words, strict=False):
        between = text[before.end : word.start] if before else ""
        found += (" " if not between.strip() else " … ") if before else ""
        found += word.text
    return found
