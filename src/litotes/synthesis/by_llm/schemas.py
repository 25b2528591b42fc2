"""The schemas of a model's answers: one class per prompt, with a limit on the length of every text.

Texts are put on one line. `None` means that a kind does not fit; a missing key is a malformed answer. The docstrings of
the classes are part of the JSON schemas that endpoints receive, and so of the cache keys.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

LONGEST_SENTENCE, LONGEST_QUERY, LONGEST_PASSAGE, LONGEST_TITLE, LONGEST_WORD = 800, 200, 1500, 120, 40


def one_line(value: object) -> object:
    """Replace all white space by single spaces; other types are left for pydantic to refuse."""
    return " ".join(value.split()) if isinstance(value, str) else value


_Line = BeforeValidator(one_line)
Sentence = Annotated[str, _Line, StringConstraints(min_length=1, max_length=LONGEST_SENTENCE)]
Query = Annotated[str, _Line, StringConstraints(min_length=1, max_length=LONGEST_QUERY)]
Passage = Annotated[str, _Line, StringConstraints(min_length=1, max_length=LONGEST_PASSAGE)]
Title = Annotated[str, _Line, StringConstraints(min_length=1, max_length=LONGEST_TITLE)]
Word = Annotated[str, _Line, StringConstraints(min_length=1, max_length=LONGEST_WORD)]


class Shape(BaseModel):
    """An answer; keys nobody asked for are left out, and the schema an endpoint is given forbids them."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra={"additionalProperties": False})


class Negations(Shape):
    """The paper's four negations of a text."""

    verbal: Sentence | None
    absolute: Sentence | None
    affixal: Sentence | None
    lexical: Sentence | None


class Hedges(Shape):
    """A text hedged with a drawn word and with a drawn phrase."""

    word: Sentence | None
    phrase: Sentence | None


class Paraphrases(Shape):
    """A text in other words, and with its polarity expressed by other means."""

    restated: Sentence | None
    equivalent: Sentence | None


class Pairing(Shape):
    """Two queries and the passage that answers each, in the order in which they are worked out."""

    q1: Query
    doc1: Passage
    q2: Query
    doc2: Passage


class AntonymPairing(Shape):
    """The same with the two words that oppose each other, chosen first."""

    word1: Word
    word2: Word
    q1: Query
    doc1: Passage
    q2: Query
    doc2: Passage


class Quantified(Shape):
    """One query in four quantifier forms (∀, ∃¬, ¬∃, ∃), and a passage for each."""

    query_all: Query
    query_some_not: Query
    query_no: Query
    query_some: Query
    passage_all: Passage
    passage_some_not: Passage
    passage_no: Passage
    passage_some: Passage


class Relevance(Shape):
    """Which of two passages answers a query."""

    answer: Literal["A", "B", "both", "neither"]


class Compatibility(Shape):
    """Whether two sentences can be true together."""

    answer: Literal["yes", "no", "unclear"]


class Topics(Shape):
    """Titles of encyclopedia pages."""

    topics: Annotated[list[Title], Field(min_length=1, max_length=200)]
