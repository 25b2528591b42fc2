"""The result of reranking: a text, its new rank, and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reranked:
    """A reranked text, and the numbers behind its rank."""

    place: int
    """its index among the input texts, from 0"""
    text: str
    score: float
    rank: int
    """from 1"""
    before: int
    """its rank in the first stage, from 1: by the scores given, or by the base alone and the whole query"""
    match: float
    """similarity with what the query keeps, minus what it excludes; for a pair model, the score of the first stage"""
    polarity: float = 0.0
    """similarity by g of the sentence with the query: low if one negates the other; 0 without a tower"""
    sentence: str = ""
    """the sentence that decided: the one nearest to the query; for a pair model, only with `explain`"""
    excluded: tuple[str, ...] = ()
    """what the query excludes"""
    near_excluded: float = 0.0
    """the similarity of the text with the excluded parts; for a pair model, the mean of its logits with them"""
    logit: float | None = None
    """how well the text answers the query, minus the logit of the excluded part; None for an encoder"""
    window: tuple[int, int] | None = None
    """the characters of the window that was best, if a pair model read a long text in windows"""
    decided_by: str = ""
    """"polarity" or "topic". With a tower: whether polarity changed the rank. With a pair model, only with `explain`:
    whether the reverse of the sentence would change the logit more than its removal; empty if it has no reverse"""
    reversed_logit: float | None = None
    """with `explain`, the logit of a pair model if the sentence said the reverse; None if it has no reverse"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object of this result."""
        return {name: getattr(self, name) for name in self.__slots__} | {"excluded": list(self.excluded)}

    def why(self) -> str:
        """Explain the change of rank in one sentence."""
        change = self.before - self.rank
        moved = f"up {change}" if change > 0 else f"down {-change}" if change < 0 else "unchanged"
        parts = [f"match {self.match:.2f}"]
        if self.logit is None:
            parts.append(f"polarity {self.polarity:.2f} of “{self.sentence}”")
        else:
            parts.append(f"logit {self.logit:.2f}")
            if self.sentence:
                by = f" by {self.decided_by}" if self.decided_by else ""
                parts.append(f"decided{by}: “{self.sentence}”")
            if self.decided_by == "polarity" and self.reversed_logit is not None:
                parts.append(f"logit if it said the reverse {self.reversed_logit:.2f}")
        if self.excluded:
            measure = "similarity" if self.logit is None else "logit"
            parts.append(f"{measure} with what is excluded ({', '.join(self.excluded)}) {self.near_excluded:.2f}")
        return f"{self.rank} (was {self.before}, {moved}): {'; '.join(parts)}"
