"""What the guard says about two texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litotes.models.pair.heads import LABELS

ERROR = "error"
"""The reason of a verdict on a pair that could not be judged."""
REASONS = (*LABELS, ERROR)
UNSURE = 0.5
"""From this score up to the threshold, the guard is unsure, and the reason says little."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the answer to the cached text also answers the new one, and why."""

    new: str
    cached: str
    same: bool
    """whether the score reaches the threshold"""
    score: float
    """how sure the guard is that the answer is the same, from 0 to 1"""
    reason: str
    """"same", or the most likely difference: one of `REASONS`"""
    words: tuple[str, str] = ("", "")
    """the words of the new text and of the cached one that differ for that reason; empty if none stand out"""
    error: str = ""
    """why the pair could not be judged; `same` is then what `on_error` says, and the score is 0"""

    def line(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
        line: dict[str, Any] = {"new": self.new, "cached": self.cached, "same": self.same}
        line |= {"score": round(self.score, 4), "reason": self.reason, "words": list(self.words)}
        return line | ({"error": self.error} if self.error else {})

    def __str__(self) -> str:
        verdict = "same answer" if self.same else "not the same answer"
        if self.error:
            return f"{verdict}: could not be judged ({self.error})"
        words = " / ".join(f"“{text}”" if text else "–" for text in self.words) if any(self.words) else ""
        why = "" if self.same else f": {self.reason}" + (f" ({words})" if words else "")
        if not self.same and self.score >= UNSURE:
            return f"not sure enough that the answer is the same, score {self.score:.2f}"
        return f"{verdict}{why}, score {self.score:.2f}"
