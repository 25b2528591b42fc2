"""Test litotes-score as shipped: its size, clear cases, and a truth table."""

from __future__ import annotations

import json

import numpy as np
import pytest

import litotes
from litotes.metric import PairScorer
from litotes.models.bases import SCORE, shipped
from tests.conftest import TABLES

MOST_BYTES = 12_000_000


@pytest.fixture(scope="module")
def metric() -> litotes.Metric:
    return litotes.Metric("litotes-score", device="cpu")


@pytest.fixture(scope="module")
def scorer(metric: litotes.Metric) -> PairScorer:
    return metric.scorer


def test_it_is_small() -> None:
    weights = shipped(SCORE).folder.glob("*.safetensors")
    assert sum(path.stat().st_size for path in weights) <= MOST_BYTES


@pytest.mark.parametrize(
    ("reference", "same", "opposite"),
    [
        (
            "The bridge was open to traffic.",
            "The bridge was not closed to traffic.",
            "The bridge was closed to traffic.",
        ),
        (
            "Nobody in the village knew his name.",
            "No villager knew his name.",
            "Everybody in the village knew his name.",
        ),
        ("She forgot to water the plants.", "She did not water the plants.", "She remembered to water the plants."),
        ("Exports rose sharply in March.", "In March exports went up sharply.", "Exports fell sharply in March."),
        ("It is not impossible.", "It is possible.", "It is impossible."),
    ],
)
def test_paraphrases_score_high_and_opposites_low(scorer: PairScorer, reference: str, same: str, opposite: str) -> None:
    itself, kept, denied = scorer.score([reference, same, opposite], [reference] * 3)
    assert itself > 0.9
    assert kept > 0.8 * itself
    assert denied < 0.35 * itself


def test_case_and_spaces_do_not_matter_and_empty_texts_score_zero(metric: litotes.Metric) -> None:
    plain, loud, empty = metric.score(
        ["The hotel has a pool.", " the hotel HAS\ta pool. ", ""], ["The hotel has a pool."] * 3
    )
    assert plain.value == pytest.approx(loud.value, abs=1e-5)
    assert empty.value == 0


@pytest.mark.slow
def test_most_rows_of_the_truth_table_are_right(scorer: PairScorer) -> None:
    """The table has 130 paraphrases, half with other negation cues, and 129 opposites, not used in training."""
    rows = [json.loads(line) for line in (TABLES / "metric" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    references = [row["reference"] for row in rows]
    itself = scorer.score(references, references)
    share = scorer.score([row["candidate"] for row in rows], references) / itself
    opposite = np.array([row["kind"] == "opposite" for row in rows])
    assert len(rows) >= 200
    assert itself.mean() > 0.95
    assert (share[opposite] < 0.35).mean() >= 0.9
    assert (share[~opposite] > 0.8).mean() >= 0.9
