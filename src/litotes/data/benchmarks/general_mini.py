"""general-mini: graded sentence pairs, a small retrieval collection and intents, written for this project.

It measures what training on negation should not change, so its labels do not depend on a "not". docs/general-mini.md
describes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.data import beir
from litotes.data.items import Judgement, LabelledTexts, Retrieval, ScoredPair, Text, Utterance
from litotes.data.lines import json_objects
from litotes.data.records import GENERAL, OURS, PACKAGE, SHIPPED, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class ExcludingQuery:
    """A query that excludes something, over the passages of the retrieval collection."""

    id: str
    text: str
    excluded: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    mentions: tuple[str, ...]
    """Relevant passages that only mention what is excluded; they must still be found."""
    traps: tuple[str, ...]
    """Passages about what is excluded."""


def general_pairs() -> tuple[ScoredPair, ...]:
    """Return the sentence pairs with their grades, from 0 (unrelated) to 5 (the same)."""
    return tuple(ScoredPair(row["id"], row["first"], row["second"], float(row["score"])) for row in _rows("pairs"))


def general_retrieval() -> Retrieval:
    """Return the passages, the queries, and which passages are relevant to which query."""
    return Retrieval(
        passages=tuple(Text(row["id"], row["text"]) for row in _rows("passages")),
        queries=tuple(Text(row["id"], row["text"]) for row in _rows("queries")),
        judgements=tuple(Judgement(row["query"], row["passage"], row["grade"]) for row in _rows("judgements")),
    )


def general_exclusions() -> tuple[ExcludingQuery, ...]:
    """Return the queries that exclude something, with their own judgements over the passages."""
    return tuple(
        ExcludingQuery(
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
    """Return the utterances with their intents."""
    return tuple(Utterance(row["id"], row["text"], row["label"]) for row in _rows("intents"))


def intent_shots(utterances: Iterable[Utterance], *, shots: int = 5) -> LabelledTexts:
    """Split utterances into `shots` of each intent to train on, and the others to test on.

    The utterances whose ids have the smallest sha256 are for training, so that everyone measures the same split.
    """
    if shots < 1:
        raise InputError(f"shots is {shots}; expected at least one utterance of each intent to train on")
    by_label: defaultdict[str, list[Utterance]] = defaultdict(list)
    for utterance in utterances:
        by_label[utterance.label].append(utterance)
    train: list[Utterance] = []
    test: list[Utterance] = []
    for same in by_label.values():
        ordered = sorted(same, key=lambda utterance: sha256(utterance.id.encode()).hexdigest())
        train += ordered[:shots]
        test += ordered[shots:]
    return LabelledTexts(tuple(train), tuple(test))


def _rows(part: str) -> Iterator[dict[str, Any]]:
    file = files("litotes.data").joinpath("general", f"{part}.jsonl")
    for _, _, row in json_objects(file.read_text(encoding="utf-8").split("\n"), f"general-mini {part}"):
        yield row


def _count_rows(_: Path, split: str) -> Mapping[str, int]:
    parts = ("passages", "queries", "judgements") if split == "retrieval" else (split,)
    return {f"general/{part}.jsonl": sum(1 for _ in _rows(part)) for part in parts}


def _pairs(selection: DataSelection, _: str) -> tuple[ScoredPair, ...]:
    return selection.select(general_pairs(), key=lambda pair: pair.id)


def _retrieval(selection: DataSelection, _: str) -> Retrieval:
    return beir.selected(selection, general_retrieval())


def _exclusions(selection: DataSelection, _: str) -> Retrieval:
    """Return the excluding queries over the passages; a passage about what is excluded has the grade −1."""
    queries = general_exclusions()
    judgements = [judgement for query in queries for judgement in query.judgements]
    judgements += [Judgement(query.id, trap, -1) for query in queries for trap in query.traps]
    texts = tuple(Text(query.id, query.text) for query in queries)
    return beir.selected(selection, Retrieval(general_retrieval().passages, texts, tuple(judgements)))


def _intents(selection: DataSelection, _: str) -> LabelledTexts:
    texts = intent_shots(general_intents())
    return LabelledTexts(texts.train, selection.select(texts.test, key=lambda utterance: utterance.id))


DATA_SET = DataSet(
    name="general-mini",
    topic=GENERAL,
    description="pairs, retrieval and intents (docs/general-mini.md)",
    home=PACKAGE,
    licence=OURS,
    count_rows=_count_rows,
    benchmarks=(
        Benchmark(
            name="mini-sts",
            family="similarity",
            help="sentence pairs with grades of similarity (shipped)",
            headline="Spearman",
            items=_pairs,
            suites=("general-mini",),
            ability=GENERAL,
            dev=SHIPPED,
            test=SHIPPED,
            title="mini pairs",
        ),
        Benchmark(
            name="mini-retrieval",
            family="retrieval",
            help="questions over short passages (shipped)",
            headline="nDCG@10",
            items=_retrieval,
            suites=("general-mini",),
            ability=GENERAL,
            dev=SHIPPED,
            test=SHIPPED,
        ),
        Benchmark(
            name="mini-exclusions",
            family="retrieval",
            help="queries that exclude something, over passages (shipped)",
            headline="nDCG@10",
            items=_exclusions,
            suites=("exclusion",),
            dev=SHIPPED,
            test=SHIPPED,
            settings={"violations": True},
            extra_columns=(("all", "V@10"), ("all", "FVR@10")),
        ),
        Benchmark(
            name="mini-intents",
            family="classification",
            help="what customers want (shipped)",
            headline="accuracy, nearest centroid",
            items=_intents,
            suites=("general-mini",),
            ability=GENERAL,
            dev=SHIPPED,
            test=SHIPPED,
        ),
    ),
)
