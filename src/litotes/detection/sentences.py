"""Split a text into sentences by punctuation alone: fast enough to run on every request, as a parser is not."""

from __future__ import annotations

import re

# a mark, closing quotation marks, white space, and then something that can open a sentence
_END = re.compile(r"[.!?]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n\s*\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No|Nos|vs|cf|ca|approx|Fig|Figs|Eq|Vol|pp|ed|eds|Inc|Ltd|Co|Corp|Gen|Col|Lt|Sgt"
    r"|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|U\.K|e\.g|i\.e|al|etc))\.$"
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each sentence starts and ends. A text without sentence marks is one sentence."""
    spans: list[tuple[int, int]] = []
    start = 0
    for mark in _END.finditer(text):
        if _ABBREVIATION.search(text[max(start, mark.start() - 8) : mark.start() + 1]):
            continue
        spans.append((start, mark.end()))
        start = mark.end()
    spans.append((start, len(text)))
    return [_trimmed(text, *span) for span in spans if text[span[0] : span[1]].strip()] or [(0, len(text))]


def split_sentences(text: str) -> list[str]:
    """Split a text into its sentences, without the white space between them."""
    return [text[start:end] for start, end in sentence_spans(text)]


def changed_sentence(one: str, other: str) -> tuple[str, str] | None:
    """Return the sentence in which two passages differ, from each of them.

    None if the passages differ in their number of sentences, or in no sentence, or in several.
    """
    first, second = split_sentences(one), split_sentences(other)
    if len(first) != len(second):
        return None
    changed = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return changed[0] if len(changed) == 1 else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), end - (len(inside) - len(inside.rstrip()))
