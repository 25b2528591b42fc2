"""general-mini: sizes, unique texts and ids, valid grades. No model is run."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from litotes.data.benchmarks.general_mini import (
    general_exclusions,
    general_intents,
    general_pairs,
    general_retrieval,
    intent_shots,
)
from litotes.data.items import LabelledTexts, Utterance
from litotes.data.selection import DataSelection
from litotes.errors import InputError
from litotes.evaluation import build
from litotes.stats import cohen_kappa
from tests.conftest import REPOSITORY

PAIRS = general_pairs()
RETRIEVAL = general_retrieval()
INTENTS = general_intents()
NEGATION = re.compile(r"\b(?:not|never|no|nobody|nothing|none|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)


def _plain(text: str) -> str:
    """Return the words of a text in lower case, to compare it with others."""
    return " ".join(re.findall(r"\w+", text.lower()))


def test_there_is_enough_of_each_part() -> None:
    assert len(PAIRS) >= 300
    assert len(RETRIEVAL.passages) >= 500
    assert len(RETRIEVAL.queries) >= 150
    assert set(Counter(utterance.label for utterance in INTENTS).values()) == {20}
    assert len({utterance.label for utterance in INTENTS}) == 20


def test_passages_about_what_is_excluded_violate_the_query() -> None:
    items: Any = build("mini-exclusions", DataSelection()).items  # type: ignore[attr-defined]
    violating = {(one.query, one.passage) for one in items.judgements if one.grade < 0}
    assert violating == {(query.id, trap) for query in general_exclusions() for trap in query.traps}
    assert not violating & {(one.query, one.passage) for one in items.judgements if one.grade > 0}


def test_ids_are_unique() -> None:
    for part in (PAIRS, RETRIEVAL.passages, RETRIEVAL.queries, INTENTS):
        ids = [item.id for item in part]
        assert len(set(ids)) == len(ids)


def test_texts_are_unique_within_and_between_parts() -> None:
    texts = [_plain(text) for pair in PAIRS for text in (pair.first, pair.second)]
    texts += [_plain(item.text) for item in (*RETRIEVAL.passages, *RETRIEVAL.queries)]
    texts += [_plain(utterance.text) for utterance in INTENTS]
    assert all(texts)
    assert [text for text, times in Counter(texts).items() if times > 1] == []


def test_scores_are_halves_from_0_to_5_and_well_spread() -> None:
    counts = Counter(pair.grade for pair in PAIRS)
    assert sorted(counts) == [half / 2 for half in range(11)]
    assert min(counts.values()) >= 25
    assert max(counts.values()) <= 0.15 * len(PAIRS)


def test_ten_domains_share_the_pairs_and_the_passages_evenly() -> None:
    for ids in ([pair.id for pair in PAIRS], [passage.id for passage in RETRIEVAL.passages]):
        domains = Counter(name.split("-")[0] for name in ids)
        assert len(domains) == 10
        assert min(domains.values()) >= 0.09 * len(ids)


def test_few_paraphrases_have_a_negation_on_one_side_only() -> None:
    alike = [pair for pair in PAIRS if pair.grade >= 3.5]
    uneven = [pair.id for pair in alike if bool(NEGATION.search(pair.first)) != bool(NEGATION.search(pair.second))]
    assert len(uneven) <= 5, uneven


def test_passages_have_two_to_five_sentences_and_form_clusters() -> None:
    for passage in RETRIEVAL.passages:
        assert 2 <= len(re.findall(r"[.!?]['”\"]?(?:\s|$)", passage.text)) <= 5, passage.id
    clusters = Counter(passage.id.rpartition("-")[0] for passage in RETRIEVAL.passages)
    assert min(clusters.values()) >= 8


def test_every_query_has_an_answer_and_every_judgement_points_at_something() -> None:
    passages = {passage.id for passage in RETRIEVAL.passages}
    queries = {query.id for query in RETRIEVAL.queries}
    best: defaultdict[str, int] = defaultdict(int)
    for judgement in RETRIEVAL.judgements:
        assert judgement.passage in passages
        assert judgement.query in queries
        assert judgement.grade in {1, 2}
        best[judgement.query] = max(best[judgement.query], judgement.grade)
    assert best == dict.fromkeys(queries, 2)
    keys = [(judgement.query, judgement.passage) for judgement in RETRIEVAL.judgements]
    assert len(set(keys)) == len(keys)


def test_many_queries_have_several_relevant_passages() -> None:
    counts = Counter(judgement.query for judgement in RETRIEVAL.judgements)
    assert sum(count > 1 for count in counts.values()) >= len(RETRIEVAL.queries) / 3


def test_a_query_does_not_copy_its_answer() -> None:
    texts = {item.id: _plain(item.text) for item in (*RETRIEVAL.passages, *RETRIEVAL.queries)}
    for judgement in RETRIEVAL.judgements:
        words = texts[judgement.query].split()
        runs = [" ".join(words[at : at + 5]) for at in range(len(words) - 4)]
        assert not any(run in texts[judgement.passage] for run in runs), judgement


def test_five_utterances_of_each_intent_are_for_training_and_the_others_for_testing() -> None:
    texts = intent_shots(INTENTS)
    assert set(Counter(utterance.label for utterance in texts.train).values()) == {5}
    assert set(Counter(utterance.label for utterance in texts.test).values()) == {15}
    assert {*texts.train, *texts.test} == set(INTENTS)
    assert set(intent_shots(reversed(INTENTS)).train) == set(texts.train)


def test_the_smallest_hashes_are_for_training() -> None:
    # printf abc | sha256sum: ba7816bf…; of the empty id e3b0c442…; of "a" ca978112…
    utterances = [Utterance(name, f"text {name}", "greeting") for name in ("", "a", "abc")]
    texts = intent_shots(utterances, shots=2)
    assert [utterance.id for utterance in texts.train] == ["abc", "a"]
    assert [utterance.id for utterance in texts.test] == [""]


def test_no_shots_and_no_utterances() -> None:
    assert intent_shots([]) == LabelledTexts((), ())
    with pytest.raises(InputError, match="shots is 0"):
        intent_shots(INTENTS, shots=0)


def _reading(name: str, *parts: str) -> list[list[dict[str, str]]]:
    with (REPOSITORY / "docs" / "general-mini" / name).open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return [[row for row in rows if row["part"] == part] for part in parts]


def test_the_independent_annotation_agrees_as_the_card_says() -> None:
    pairs, judged, sorted_by_intent = _reading("independent_reading.tsv", "pairs", "judgements", "intents")
    assert (len(pairs), len(judged), len(sorted_by_intent)) == (100, 80, 60)
    assert sum(abs(float(row["writer"]) - float(row["reader"])) <= 0.5 for row in pairs) == 89
    assert sum(row["writer"] == row["reader"] for row in judged) == 72
    assert round(cohen_kappa([row["writer"] for row in judged], [row["reader"] for row in judged]), 2) == 0.84
    assert all(row["writer"] == row["reader"] for row in sorted_by_intent)
    scores = {pair.id: pair.grade for pair in PAIRS}
    lowered = {row["item"] for row in pairs if float(row["writer"]) != scores[row["item"]]}
    assert lowered == {"nature-10", "home-18", "news-19", "sport-19"}


def test_the_second_annotation_agrees_as_the_card_says() -> None:
    pairs, judged = _reading("second_reading.tsv", "pairs", "judgements")
    assert len(pairs) == len(judged) == 60
    assert sum(abs(float(row["writer"]) - float(row["reader"])) <= 0.5 for row in pairs) == 59
    assert sum(row["writer"] == row["reader"] for row in judged) == 57
    assert round(cohen_kappa([row["writer"] for row in judged], [row["reader"] for row in judged]), 2) == 0.91
    scores = {pair.id: pair.grade for pair in PAIRS}
    assert all(float(row["kept"]) == scores[row["item"]] for row in pairs)
    grades = {f"{judgement.query} {judgement.passage}": judgement.grade for judgement in RETRIEVAL.judgements}
    assert all(int(row["kept"]) == grades.get(row["item"], 0) for row in judged)
