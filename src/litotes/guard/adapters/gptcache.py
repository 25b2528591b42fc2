"""The guard as GPTCache's similarity evaluation.

Importing this module needs gptcache; the rest of litotes does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litotes.errors import InputError, require
from litotes.guard.adapters.common import guard_of
from litotes.guard.guard import Guard

_base: Any = require(
    "gptcache.similarity_evaluation", extra="caches", why="GPTCache's similarity evaluation"
).SimilarityEvaluation
_DEFAULT_THRESHOLD = 0.8
"""GPTCache's default `similarity_threshold`: a score from here on is a hit"""


class GuardEvaluation(_base):  # type: ignore[misc]
    """GPTCache's `SimilarityEvaluation`: a rejected pair scores 0, an accepted one from 0.8 to 1.

    `guard` is a `Guard` or the name of a tier; the default is `Guard()`. Leave GPTCache's `similarity_threshold` at its
    default, which is 0.8: the threshold that counts is that of the guard. GPTCache evaluates only the nearest question
    unless its vector store has a larger `top_k`.
    """

    def __init__(self, guard: Guard | str | None = None) -> None:
        self.guard = guard_of(guard)

    def evaluation(self, src_dict: Mapping[str, Any], cache_dict: Mapping[str, Any], **_: Any) -> float:
        """Return 0 if the guard rejects the pair, else its score, mapped from the guard's threshold…1 to 0.8…1."""
        verdict = self.guard.judge(_question("src_dict", src_dict), _question("cache_dict", cache_dict))
        if not verdict.same:
            return 0.0
        least = self.guard.threshold
        # a pair that could not be judged, and is accepted by `on_error`, has the score 0
        share = max(verdict.score - least, 0.0) / (1 - least) if least < 1 else 1.0
        return _DEFAULT_THRESHOLD + (1 - _DEFAULT_THRESHOLD) * share

    def range(self) -> tuple[float, float]:
        """Return the lowest and the highest score."""
        return 0.0, 1.0


def _question(name: str, entry: Mapping[str, Any]) -> str:
    """Return the question of an entry; one with attachments has its text as `content`."""
    question = entry.get("question")
    text = getattr(question, "content", question)
    if not isinstance(text, str):
        raise InputError(f"the question in {name} is {type(text).__name__}; expected a text")
    return text
