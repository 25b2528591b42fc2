"""A rewrite is checked from its own edits before it is returned; what fails becomes a reason."""

from __future__ import annotations

import re
from itertools import pairwise

from litotes.detect import Word, count, sentential, words_of
from litotes.parse import Sentence
from litotes.rewrite.draft import Draft
from litotes.types import Cue, Edit, apply_edits

_WORD = re.compile(
    r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|(?:[cC]an)(?=not\b)|(?:['’](?:s|re|ve|ll|d|m)\b)|[^\W_]+(?:-[^\W_]+)*|[^\w\s]"
)


def failure(draft: Draft, edits: tuple[Edit, ...], before: tuple[Cue, ...]) -> str:
    """Why this draft must not be returned, or ""."""
    sentence = draft.sentence
    rewritten = apply_edits(sentence.text, edits)
    if rewritten == sentence.text:
        return "the rewrite equals the input"
    after = cues_after(sentence, edits, rewritten)
    old, new = len(sentential(before)), len(sentential(after))
    if draft.turns == "cue" and (new - old) % 2 == 0:
        return "polarity did not turn"
    if draft.turns == "none" and old != new:
        return "polarity turned"
    if draft.turns == "same" and (len(after) - len(before) + draft.flips) % 2:
        return "the cues do not cancel out"
    if draft.turns == "cue" and new > old and _doubled(after, sentence, edits):
        return "a second negation would stand in the clause"
    return ""


def cues_after(sentence: Sentence, edits: tuple[Edit, ...], rewritten: str) -> tuple[Cue, ...]:
    """The cues of the rewritten sentence: untouched words keep their tags, touched ones are read afresh."""
    words: list[Word] = []
    old = words_of(sentence)
    at, shift = 0, 0
    for start, end, change in _touched_regions(sentence.text, edits):
        while at < len(old) and old[at].end <= start:
            words.append(_moved(old[at], shift))
            at += 1
        first = at
        while at < len(old) and old[at].start < end:
            at += 1
        tags = {word.lower: word.tag for word in old[first:at]}
        region = rewritten[start + shift : end + shift + change]
        matches = list(_WORD.finditer(region))
        # a word put in place of a word keeps its tag
        alone = old[first].tag if at - first == 1 == len(matches) else ""
        for match in matches:
            lower = match[0].lower().replace("’", "'")
            words.append(
                Word(lower, tags.get(lower, alone), start + shift + match.start(), start + shift + match.end())
            )
        shift += change
    words += [_moved(word, shift) for word in old[at:]]
    return count(words, rewritten)


def _touched_regions(text: str, edits: tuple[Edit, ...]) -> list[tuple[int, int, int]]:
    """The edits grown to whole words: (start, end, change of length), merged where they meet."""
    regions: list[tuple[int, int, int]] = []
    for edit in edits:
        start, end = edit.start, edit.end
        while start > 0 and not text[start - 1].isspace():
            start -= 1
        while end < len(text) and not text[end].isspace():
            end += 1
        change = len(edit.new) - len(edit.old)
        if regions and start <= regions[-1][1]:
            last = regions.pop()
            regions.append((last[0], max(last[1], end), last[2] + change))
        else:
            regions.append((start, end, change))
    return regions


def _moved(word: Word, shift: int) -> Word:
    return Word(word.lower, word.tag, word.start + shift, word.end + shift)


def _doubled(after: tuple[Cue, ...], sentence: Sentence, edits: tuple[Edit, ...]) -> bool:
    """Two verbal or absolute cues side by side, as in "nobody hasn't"."""
    found = [cue for cue in sentential(after) if cue.text.lower() not in {"without", "nor"}]
    return any(b.tokens[0] - a.tokens[-1] <= 2 for a, b in pairwise(found))
