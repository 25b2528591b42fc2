"""A rewrite is checked from its own edits before it is returned; what fails becomes a reason."""

from __future__ import annotations

import re
from itertools import pairwise

from litotes.detection import SENTENTIAL, PlainWord, Word, scan
from litotes.parse import Sentence
from litotes.rewrite.draft import Draft
from litotes.types import Cue, Edit, apply_edits

_WORD = re.compile(
    r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|can(?=not\b)|(?:['’](?:s|re|ve|ll|d|m)\b)|[^\W_]+(?:-[^\W_]+)*|[^\w\s]",
    re.IGNORECASE,
)


def failure(draft: Draft, edits: tuple[Edit, ...], before: tuple[Cue, ...]) -> str:
    """Why this draft must not be returned, or ""."""
    text = draft.sentence.text
    if not edits or apply_edits(text, edits) == text:
        return "the rewrite equals the input"
    if draft.turns == "pair":
        return ""
    words = words_after(draft.sentence, edits)
    after = scan(words)
    negators = [places for places, sort in after if sort in SENTENTIAL]
    old, new = sum(cue.sort in SENTENTIAL for cue in before), len(negators)
    if draft.turns == "cue" and (new - old) % 2 == 0:
        return "polarity did not turn"
    if draft.turns == "none" and old != new:
        return "polarity turned"
    if draft.turns == "same" and (len(after) - len(before) + draft.flips) % 2:
        return "the cues do not cancel out"
    if draft.turns == "cue" and new > old and _doubled(words, negators):
        return "a second negation would stand in the clause"
    return ""


def words_after(sentence: Sentence, edits: tuple[Edit, ...]) -> list[Word]:
    """The words of the rewritten sentence: untouched ones keep their tags, touched ones are read afresh."""
    words: list[Word] = []
    tokens = sentence.tokens
    at = 0
    for start, end, inside in _touched_regions(sentence.text, edits):
        while at < len(tokens) and tokens[at].end <= start:
            words.append(tokens[at])
            at += 1
        first = at
        while at < len(tokens) and tokens[at].start < end:
            at += 1
        region = apply_edits(sentence.text[start:end], tuple(Edit(e.start - start, e.old, e.new) for e in inside))
        found = [match[0].lower().replace("’", "'") for match in _WORD.finditer(region)]
        tags = {token.lower: token.tag for token in tokens[first:at]}
        # a word put in place of a word keeps its tag
        alone = tokens[first].tag if at - first == 1 == len(found) else ""
        words += [PlainWord(lower, tags.get(lower, alone)) for lower in found]
    words += tokens[at:]
    return words


def _touched_regions(text: str, edits: tuple[Edit, ...]) -> list[tuple[int, int, list[Edit]]]:
    """The edits grown to whole words, and merged where they meet."""
    regions: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        start, end = edit.start, edit.end
        while start > 0 and not text[start - 1].isspace():
            start -= 1
        while end < len(text) and not text[end].isspace():
            end += 1
        if regions and start <= regions[-1][1]:
            first, last, inside = regions.pop()
            regions.append((first, max(last, end), [*inside, edit]))
        else:
            regions.append((start, end, [edit]))
    return regions


def _doubled(words: list[Word], negators: list[tuple[int, ...]]) -> bool:
    """Two negators side by side, as in "nobody hasn't"."""
    found = [places for places in negators if words[places[0]].lower not in {"without", "nor"}]
    return any(b[0] - a[-1] <= 2 for a, b in pairwise(found))
