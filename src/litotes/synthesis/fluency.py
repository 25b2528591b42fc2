"""Refuse or order rewrites by a language model, which finds most ungrammatical text unlikely.

The disfluency of a rewrite has three parts. The words after an edit should not become less likely than in the source:
"goes" after "he", and after "he did not". What is inserted should not be very unlikely itself. And the rules fail most
often on sources that are unlikely themselves, such as notes and headlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from litotes.types import Edit, Rewrite

THRESHOLD = 21.0
"""The largest disfluency of a rewrite that is kept, chosen for SmolLM2 (measured in docs/synthesis.md)."""
REACH = 2
"""How many tokens after an edit are compared with the source."""
INSERTED_WEIGHT, SOURCE_WEIGHT = 0.5, 2.0
DISFLUENT = "not fluent for the language model"
RewriteCheck = Callable[[Sequence[Rewrite]], list[str]]
"""A check of many rewrites: for each, "" or the reason for refusing it."""
Token = tuple[int, int, float]
"""Where a token starts and ends in its text, and the natural logarithm of its probability."""


class TokenScorer(Protocol):
    """A language model that scores every token of each text, given the tokens before it."""

    def token_log_probabilities(self, texts: Sequence[str]) -> Sequence[Sequence[Token]]:
        """Return the tokens of each text in order; of a long text, possibly not the last ones."""
        ...


@dataclass(frozen=True, slots=True)
class FluencyCheck:
    """Refuse rewrites whose disfluency is above a threshold."""

    model: TokenScorer
    threshold: float = THRESHOLD

    def __call__(self, rewrites: Sequence[Rewrite]) -> list[str]:
        """Return for each rewrite "" or the reason for refusing it."""
        return [DISFLUENT if value > self.threshold else "" for value in disfluency(rewrites, self.model)]

    def refuse(self, rewrites: Sequence[Rewrite]) -> list[Rewrite]:
        """Return the rewrites in order. Those that are refused become a reason."""
        return [
            Rewrite(rewrite.text, rewrite.kind, reason=reason) if reason else rewrite
            for rewrite, reason in zip(rewrites, self(rewrites), strict=True)
        ]


def by_fluency(rewrites: Sequence[Rewrite], model: TokenScorer) -> list[Rewrite]:
    """Return the rewrites from the most fluent to the least. What has no rewrite comes last."""
    values = disfluency(rewrites, model)
    order = sorted(range(len(rewrites)), key=lambda at: (not rewrites[at], values[at]))
    return [rewrites[at] for at in order]


def disfluency(rewrites: Sequence[Rewrite], model: TokenScorer) -> list[float]:
    """Return how unlikely each rewrite is around its edits, as a sum of log-probabilities; 0 for a missing rewrite."""
    made = [rewrite for rewrite in rewrites if rewrite]
    texts = list(dict.fromkeys(text for rewrite in made for text in (rewrite.text, str(rewrite))))
    scored = dict(zip(texts, model.token_log_probabilities(texts), strict=True)) if texts else {}
    return [_disfluency(one, scored[one.text], scored[str(one)]) if one else 0.0 for one in rewrites]


def checked_rows(
    rows: Sequence[Sequence[Rewrite]], check: RewriteCheck | None, counts: Counter[str]
) -> list[list[Rewrite]]:
    """Return the rewrites of each row that the check does not refuse; count those that it does, by kind and reason."""
    if check is None:
        return [list(row) for row in rows]
    reasons = iter(check([rewrite for row in rows for rewrite in row]))
    passed: list[list[Rewrite]] = []
    for row in rows:
        judged = [(rewrite, next(reasons)) for rewrite in row]
        counts.update(f"{rewrite.kind}: {reason}" for rewrite, reason in judged if reason)
        passed.append([rewrite for rewrite, reason in judged if not reason])
    return passed


def _disfluency(rewrite: Rewrite, source: Sequence[Token], result: Sequence[Token]) -> float:
    read = source[-1][1] if source else 0
    if not rewrite.edits or rewrite.edits[0].start > read:
        # the model has not read up to the first edit
        return 0.0
    before = {(start, end): value for start, end, value in _trimmed(rewrite.text, source)}
    regions = _regions(rewrite.edits)
    unchanged: list[tuple[int, float]] = []
    inserted: list[float] = []
    for start, end, value in _trimmed(str(rewrite), result):
        touched = any(start < last and first < end for first, last, _ in regions)
        shift = next((shift for _, last, shift in reversed(regions) if last <= start), 0)
        old = None if touched else before.get((start - shift, end - shift))
        if old is not None:
            unchanged.append((start, old - value))
        elif touched or start - shift < read:
            inserted.append(-value)
    near: set[int] = set()
    for _, last, _ in regions:
        near |= set(islice((place for place, (start, _) in enumerate(unchanged) if start >= last), REACH))
    after = sum(unchanged[place][1] for place in near)
    surprise = -sum(value for *_, value in source) / len(source)
    return after + INSERTED_WEIGHT * max(inserted, default=0.0) + SOURCE_WEIGHT * surprise


def _regions(edits: Sequence[Edit]) -> list[tuple[int, int, int]]:
    """Return for each edit where its new text starts and ends in the rewrite, and the shift of what comes after it."""
    regions: list[tuple[int, int, int]] = []
    shift = 0
    for edit in edits:
        start = edit.start + shift
        shift += len(edit.new) - len(edit.old)
        regions.append((start, start + len(edit.new), shift))
    return regions


def _trimmed(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the space that many begin with. Parts of one character become one token."""
    trimmed: list[Token] = []
    for start, end, value in tokens:
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        if trimmed and first < trimmed[-1][1]:
            before = trimmed.pop()
            trimmed.append((before[0], max(end, before[1]), before[2] + value))
        else:
            trimmed.append((first, end, value))
    return trimmed
