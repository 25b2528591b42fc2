"""The items of benchmarks that are not in `litotes.types`: what loaders return and tasks measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BINARY, GRADED = "0/1", "graded"


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two texts and the grade that their similarity should follow."""

    id: str
    first: str
    second: str
    grade: float
    kind: str = ""
    scale: str = ""
    """If a set mixes scales: the scale of this grade, "0/1" or "graded"."""


@dataclass(frozen=True, slots=True)
class Text:
    """A passage or a query of a retrieval collection."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A passage that answers a query (2) or helps with it (1); a passage without a judgement is not relevant."""

    query: str
    passage: str
    grade: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A retrieval collection: passages, queries, and judgements of which passages are relevant."""

    passages: tuple[Text, ...]
    queries: tuple[Text, ...]
    judgements: tuple[Judgement, ...]

    def with_queries(self, queries: Sequence[Text]) -> Retrieval:
        """Return the collection with some of its queries and their judgements; all passages stay."""
        kept = {query.id for query in queries}
        judged = tuple(judgement for judgement in self.judgements if judgement.query in kept)
        return Retrieval(self.passages, tuple(queries), judged)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What a customer wrote, and the label of what they want."""

    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Labelled texts to train a classifier on, and others to test it on."""

    train: tuple[Utterance, ...]
    test: tuple[Utterance, ...]
