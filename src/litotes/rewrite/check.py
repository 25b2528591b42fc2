"""Check a rewrite from its edits before it is returned. A failure becomes a reason."""

from __future__ import annotations

from itertools import pairwise

from litotes.detection import SENTENTIAL, Clause, NoClause, PlainWord, Word, find_cues, match_cues, split_words
from litotes.parse import Sentence
from litotes.rewrite.doubt import doubt_about
from litotes.rewrite.draft import Draft, Options
from litotes.types import Cue, Edit, apply_edits


def checked_edits(draft: Draft, clause: Clause | NoClause, kind: str, options: Options) -> tuple[Edit, ...] | str:
    """Return the edits of a draft, or why it must not be returned."""
    edits = draft.edits()
    if edits is None:
        return "two parts of the rewrite overlap"
    before = clause.cues if isinstance(clause, Clause) else find_cues(draft.sentence)
    reason = failure(draft, edits, before)
    if not reason and not options.unchecked:
        reason = doubt_about(draft.sentence, clause, kind, draft.rule, edits)
    return reason or edits


def failure(draft: Draft, edits: tuple[Edit, ...], before: tuple[Cue, ...]) -> str:
    """Return why this draft must not be returned, or ""."""
    text = draft.sentence.text
    if not edits or apply_edits(text, edits) == text:
        return "the rewrite equals the input"
    if draft.polarity_check == "pair":
        return ""
    words = words_after(draft.sentence, edits)
    after = match_cues(words)
    negators = [places for places, type_ in after if type_ in SENTENTIAL]
    old, new = sum(cue.type in SENTENTIAL for cue in before), len(negators)
    if draft.polarity_check == "cue" and (new - old) % 2 == 0:
        return "the polarity did not change"
    if draft.polarity_check == "none" and old != new:
        return "the polarity changed"
    if draft.polarity_check == "same" and (len(after) - len(before) + draft.flips) % 2:
        return "the cues do not cancel out"
    if draft.polarity_check == "cue" and new > old and _doubled(words, negators):
        return "the clause would have two negations"
    return ""


def words_after(sentence: Sentence, edits: tuple[Edit, ...]) -> list[Word]:
    """Return the words of the rewritten sentence. Unchanged words keep their tags; changed ones are split again."""
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
        new_words = split_words(region)
        tags = {token.lower: token.tag for token in tokens[first:at]}
        # a single word that replaces a single word keeps its tag
        alone = tokens[first].tag if at - first == 1 == len(new_words) else ""
        words += [PlainWord(lower, tags.get(lower, alone)) for lower in new_words]
    words += tokens[at:]
    return words


def _touched_regions(text: str, edits: tuple[Edit, ...]) -> list[tuple[int, int, list[Edit]]]:
    """Extend the edits to whole words, and merge those that meet."""
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
    """Match two adjacent negators: "nobody hasn't"."""
    counted = [places for places in negators if words[places[0]].lower not in {"without", "nor"}]
    return any(b[0] - a[-1] <= 2 for a, b in pairwise(counted))
