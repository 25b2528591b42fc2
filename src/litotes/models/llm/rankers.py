"""Rankers that ask about one document or two at a time: by a similarity, by a choice, or by yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter, check_pairs
from litotes.models.llm.answers import read_similarity
from litotes.models.llm.prompts import CHOICE, OPPOSITES, POINTWISE, SIMILARITY
from litotes.models.llm.questions import CHOICE_QUESTION, OPPOSITES_QUESTION, RELEVANCE_QUESTION, PromptRunner

if TYPE_CHECKING:
    import numpy as np


class LlmAdapter(Adapter):
    """Base class of rankers that prompt a language model."""

    family = "llm"
    libraries = ("openai",)

    def __init__(self, name: str, runner: PromptRunner) -> None:
        super().__init__(name)
        self._runner = runner

    @property
    def unread(self) -> int:
        """Return the number of answers so far that could not be read."""
        return self._runner.unread

    @property
    def causal(self) -> Any:
        """Return the model if it is local; None if it is behind an endpoint."""
        generator = self._runner.generator
        return generator if hasattr(generator, "tokenizer") else None

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return a number above 0 for pairs of texts that the model calls opposites, and below 0 for other pairs.

        It is the difference of the log-probabilities of yes and no if the model gives them, otherwise 1 or −1, and NaN
        for an answer that is neither.
        """
        pairs = zip(*check_pairs(first, second), strict=True)
        prompts = [OPPOSITES.format(first=one, second=other) for one, other in pairs]
        return self._runner.preferences(prompts, OPPOSITES_QUESTION)


class SimilarityLlm(LlmAdapter):
    """A ranker that asks for the similarity of a query and a document, from −1 to 1."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the similarity that the model names for each pair; NaN if it names none."""
        return similarities(self._runner, queries, documents)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"similarity": SIMILARITY}, **self._runner.facts()}


class ChoiceLlm(SimilarityLlm):
    """A ranker that chooses between two documents, asked in both orders. `score` asks for a similarity."""

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Return one row per item, as defined in `litotes.types.Chooser`; the mean of a row is the preference."""
        import numpy as np

        checked, left = check_pairs(queries, first)
        _, right = check_pairs(queries, second)
        items = list(zip(checked, left, right, strict=True))
        prompts = [CHOICE.format(query=query, first=one, second=other) for query, one, other in items]
        swapped = [CHOICE.format(query=query, first=other, second=one) for query, one, other in items]
        # One call, so that both orders are answered in the same way, by log-probabilities or as text.
        both = np.split(self._runner.preferences([*prompts, *swapped]), 2)
        return np.stack([both[0], -both[1]], axis=1)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"choice": CHOICE, "similarity": SIMILARITY}, **self._runner.facts(CHOICE_QUESTION)}


class PointwiseLlm(LlmAdapter):
    """A ranker that asks whether a document answers the query, for each document separately."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the difference of the log-probabilities of yes and no, or 1 and −1 if the model gives only text.

        An answer that is neither is NaN.
        """
        pairs = zip(*check_pairs(queries, documents), strict=True)
        prompts = [POINTWISE.format(query=query, document=document) for query, document in pairs]
        return self._runner.preferences(prompts, RELEVANCE_QUESTION)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"pointwise": POINTWISE}, **self._runner.facts(RELEVANCE_QUESTION)}


def similarities(runner: PromptRunner, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    """Return the similarity that the model names for each pair of texts; NaN if it names none."""
    pairs = zip(*check_pairs(first, second), strict=True)
    return runner.read_answers([SIMILARITY.format(first=one, second=other) for one, other in pairs], read_similarity)
