"""litotes-score as it is shipped: its size, what it says of texts everybody agrees on, and our truth table."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

import litotes
from litotes.models.bases import SCORE_PINS
from litotes.models.scorer import Scorer, load_scorer
from tests.conftest import TABLES

MOST_BYTES = 12_000_000


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return load_scorer(device="cpu")


def test_it_is_small_and_pinned() -> None:
    home = files("litotes.models").joinpath("score")
    sizes = {item.name: len(item.read_bytes()) for item in home.iterdir() if item.name.endswith(".safetensors")}
    assert set(sizes) == set(SCORE_PINS)
    assert sum(sizes.values()) <= MOST_BYTES


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
def test_it_hears_what_is_said_not_how(scorer: Scorer, reference: str, same: str, opposite: str) -> None:
    itself, kept, denied = scorer.score([reference] * 3, [reference, same, opposite])
    assert itself > 0.9
    assert kept > 0.8 * itself
    assert denied < 0.35 * itself


def test_form_counts_for_nothing_and_nothing_for_nothing() -> None:
    metric = litotes.Metric("litotes-score", device="cpu")
    plain, loud, empty = metric.score(
        ["The hotel has a pool."] * 3, ["The hotel has a pool.", " the hotel HAS\ta pool. ", ""]
    )
    assert plain.value == pytest.approx(loud.value, abs=1e-5)
    assert empty.value == 0


@pytest.mark.slow
def test_the_truth_table(scorer: Scorer) -> None:
    """130 paraphrases, half of them with other cues of negation, and 129 opposites, written apart from the model."""
    rows = [json.loads(line) for line in (TABLES / "metric" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    references = [row["reference"] for row in rows]
    itself = scorer.score(references, references)
    share = scorer.score(references, [row["candidate"] for row in rows]) / itself
    opposite = np.array([row["kind"] == "opposite" for row in rows])
    assert len(rows) >= 200
    assert itself.mean() > 0.95
    assert (share[opposite] < 0.35).mean() >= 0.9
    assert (share[~opposite] > 0.8).mean() >= 0.9
