"""The adapters that score one pair at a time: by a named similarity, by a choice of two, by yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.models.adapter import Adapter, pairs_of
from litotes.models.llm.asking import CHOOSING, JUDGING, OPPOSING, Questions
from litotes.models.llm.prompts import CHOICE, OPPOSITES, POINTWISE, SIMILARITY
from litotes.models.llm.reading import read_similarity

if TYPE_CHECKING:
    import numpy as np


class Asked(Adapter):
    """A language model that is asked."""

    family = "llm"
    libraries = ("openai",)

    def __init__(self, name: str, questions: Questions) -> None:
        super().__init__(name)
        self._questions = questions

    @property
    def unread(self) -> int:
        """How many answers could not be read so far."""
        return self._questions.unread

    @property
    def causal(self) -> Any:
        """The model itself, where its weights lie here; None where it is behind an endpoint."""
        generator = self._questions.generator
        return generator if hasattr(generator, "tokenizer") else None

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """Above 0 where it says that the texts side by side are opposites, below where not; NaN where it says neither.

        By how much likelier yes is than no where answers are weighed, 1 and −1 where they are read.
        """
        pairs = zip(*pairs_of(first, second), strict=True)
        prompts = [OPPOSITES.format(first=one, second=other) for one, other in pairs]
        return self._questions.preferences(prompts, OPPOSING)


class SimilarityLlm(Asked):
    """Scores a query and a document from −1 to 1."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity the model names for each pair; NaN where it named none."""
        return similarities(self._questions, queries, documents)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"similarity": SIMILARITY}, **self._questions.facts()}


class ChoiceLlm(SimilarityLlm):
    """Chooses between two documents, asked in both orders; scores a single document as SimilarityLlm does."""

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """One row an item, as `litotes.types.Chooser` says; their mean is the preference."""
        import numpy as np

        asked, ones = pairs_of(queries, first)
        _, others = pairs_of(queries, second)
        items = list(zip(asked, ones, others, strict=True))
        shown = [CHOICE.format(query=query, first=one, second=other) for query, one, other in items]
        swapped = [CHOICE.format(query=query, first=other, second=one) for query, one, other in items]
        # one call, so that both orders are answered in one way, weighed or read
        both = np.split(self._questions.preferences([*shown, *swapped]), 2)
        return np.stack([both[0], -both[1]], axis=1)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"choice": CHOICE, "similarity": SIMILARITY}, **self._questions.facts(CHOOSING)}


class PointwiseLlm(Asked):
    """Says of each document by itself whether it answers the query."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """How much likelier yes is than no, as a difference of natural logarithms; 1 and −1 where only words are given.

        NaN where the answer is neither.
        """
        pairs = zip(*pairs_of(queries, documents), strict=True)
        prompts = [POINTWISE.format(query=query, document=document) for query, document in pairs]
        return self._questions.preferences(prompts, JUDGING)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"pointwise": POINTWISE}, **self._questions.facts(JUDGING)}


def similarities(questions: Questions, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    """What the similarity prompt gives for texts side by side."""
    pairs = zip(*pairs_of(first, second), strict=True)
    return questions.readings([SIMILARITY.format(first=one, second=other) for one, other in pairs], read_similarity)
