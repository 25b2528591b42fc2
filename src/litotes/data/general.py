"""general-mini: graded sentence pairs, a small retrieval collection and intents, written for this project.

It holds what negation tuning must leave as it was, so its labels do not hang on a "not": see docs/general-mini.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from litotes.data.lines import json_objects
from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two sentences and how alike their meanings are, from 0 (unrelated) to 5 (the same)."""

    id: str
    first: str
    second: str
    score: float


@dataclass(frozen=True, slots=True)
class Text:
    """A passage or a query of the retrieval part."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A passage that answers a query (2) or helps with it (1); a passage without a judgement does neither."""

    query: str
    passage: str
    grade: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Queries over passages, with the ids of what is relevant."""

    passages: tuple[Text, ...]
    queries: tuple[Text, ...]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """What a customer wrote, and what they want."""

    id: str
    text: str
    label: str


def general_pairs() -> tuple[GradedPair, ...]:
    """The graded sentence pairs."""
    return tuple(GradedPair(row["id"], row["first"], row["second"], float(row["score"])) for row in _rows("pairs"))


def general_retrieval() -> Retrieval:
    """The passages, the queries and which passages are relevant to which query."""
    return Retrieval(
        passages=tuple(Text(row["id"], row["text"]) for row in _rows("passages")),
        queries=tuple(Text(row["id"], row["text"]) for row in _rows("queries")),
        judgements=tuple(Judgement(row["query"], row["passage"], row["grade"]) for row in _rows("judgements")),
    )


@dataclass(frozen=True, slots=True)
class Excluding:
    """A query that leaves something out, over the same passages."""

    id: str
    text: str
    excluded: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    mentions: tuple[str, ...]
    """relevant passages that merely mention what is left out: they must be found all the same"""
    traps: tuple[str, ...]
    """passages about what is left out"""


def general_exclusions() -> tuple[Excluding, ...]:
    """The queries that leave something out, with their own judgements over the passages of `general_retrieval`."""
    return tuple(
        Excluding(
            row["id"],
            row["text"],
            tuple(row["excluded"]),
            tuple(Judgement(row["id"], passage, grade) for passage, grade in row["judgements"].items()),
            tuple(row["mentions"]),
            tuple(row["traps"]),
        )
        for row in _rows("exclusions")
    )


def general_intents() -> tuple[Utterance, ...]:
    """The utterances with their intents."""
    return tuple(Utterance(row["id"], row["text"], row["label"]) for row in _rows("intents"))


def intent_shots(
    utterances: Iterable[Utterance], *, shots: int = 5
) -> tuple[tuple[Utterance, ...], tuple[Utterance, ...]]:
    """The utterances to learn from, `shots` of each intent, and the others to test on.

    Those with the smallest sha256 of their id are learnt from, so that everyone measures the same split.
    """
    if shots < 1:
        raise InputError(f"got shots={shots}; expected at least one utterance of each intent to learn from")
    by_label: defaultdict[str, list[Utterance]] = defaultdict(list)
    for utterance in utterances:
        by_label[utterance.label].append(utterance)
    learnt: list[Utterance] = []
    tested: list[Utterance] = []
    for same in by_label.values():
        ordered = sorted(same, key=lambda utterance: sha256(utterance.id.encode()).hexdigest())
        learnt += ordered[:shots]
        tested += ordered[shots:]
    return tuple(learnt), tuple(tested)


def _rows(part: str) -> Iterator[dict[str, Any]]:
    home = files("litotes.data").joinpath("general", f"{part}.jsonl")
    for _, _, row in json_objects(home.read_text(encoding="utf-8").split("\n"), f"general-mini {part}"):
        yield row
