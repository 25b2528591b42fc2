"""Every measure on tiny inputs, worked out by hand."""

from __future__ import annotations

import math
import random

import pytest

from litotes.evaluation.measures import (
    first_violation,
    ndcg,
    outcome,
    preference,
    recall,
    reciprocal_rank,
    sensitivity,
    violation,
)
from litotes.stats import auc, point, quotient, spearman

NAN = math.nan


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.2, 0.1, "right"),
        (0.2, -0.1, "prefers doc1"),
        (-0.2, 0.1, "prefers doc2"),
        (-0.2, -0.1, "reversed"),
        (0.0, 0.1, "tied"),
        (-0.2, 0.0, "tied"),
        (0.0, 0.0, "tied"),
        (NAN, 0.1, "unread"),
        (0.0, NAN, "unread"),
        # one query alone: right rank
        (0.2, None, "right"),
        (-0.2, None, "prefers doc2"),
        (0.0, None, "tied"),
        (NAN, None, "unread"),
    ],
)
def test_both_queries_must_be_right_and_a_tie_is_wrong(first: float, second: float | None, expected: str) -> None:
    assert outcome(first, second) == expected


def test_rounding_does_not_break_a_tie() -> None:
    assert preference(0.5, 0.5) == 0
    assert preference(0.5, 0.5 + 1e-7) == 0
    assert preference(0.6, 0.5) == pytest.approx(0.1)
    # tiny scores can still differ, such as log-probabilities near 0
    assert preference(-1e-8, -2e-8) == pytest.approx(1e-8)
    assert preference(0.0, 0.0) == 0
    assert math.isnan(preference(NAN, 1.0))


def test_ndcg() -> None:
    grades = {"a": 2.0, "b": 1.0, "c": 0.0}
    # gains 0, 2, 1 at ranks 1, 2, 3 over the ideal 2, 1 at ranks 1, 2
    wanted = (2 / math.log2(3) + 1 / 2) / (2 + 1 / math.log2(3))
    assert ndcg(["c", "a", "b"], grades, 10) == pytest.approx(wanted)
    assert ndcg(["a", "b", "c"], grades, 10) == 1.0
    # cut at 1: the gain is 0 and the ideal is 2
    assert ndcg(["c", "a", "b"], grades, 1) == 0.0
    # documents without a judgement gain nothing, and neither do grades below 0
    assert ndcg(["x", "a"], {"a": 1.0, "y": -1.0}, 10) == pytest.approx(1 / math.log2(3))
    assert ndcg([], grades, 10) == ndcg(["a"], {}, 10) == ndcg(["a"], {"a": 0.0}, 10) == 0.0


def test_reciprocal_rank_and_recall() -> None:
    grades = {"a": 1.0, "b": 2.0, "c": 0.0}
    assert reciprocal_rank(["c", "x", "b", "a"], grades, 10) == 1 / 3
    assert reciprocal_rank(["c", "x", "b", "a"], grades, 2) == 0.0
    assert recall(["c", "x", "b", "a"], grades, 3) == 1 / 2
    assert recall(["c", "x", "b", "a"], grades, 4) == 1.0
    assert reciprocal_rank([], grades, 10) == recall([], grades, 10) == recall(["a"], {}, 10) == 0.0


def test_sensitivity_is_the_drop_over_the_drop_to_an_empty_text() -> None:
    # a drop from 0.9 to 0.6, over a drop from 0.9 to 0.3
    assert sensitivity(0.9, 0.6, 0.3) == pytest.approx(0.5)
    # the damaged text scores higher
    assert sensitivity(0.9, 0.96, 0.3) == pytest.approx(-0.1)
    assert math.isnan(sensitivity(0.3, 0.2, 0.3))
    assert math.isnan(sensitivity(0.3, 0.2, 0.8))


def test_spearman_with_and_without_ties() -> None:
    # ranks 1 2 3 4 against 2 1 4 3: 1 − 6·4/(4·15)
    assert point(spearman([1, 2, 3, 4], [5, 4, 8, 7]), 4) == pytest.approx(0.6)
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5
    assert point(spearman([1, 2, 2, 9], [1, 2, 3, 4]), 4) == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert point(spearman([1, 2, 3], [3, 2, 1]), 3) == pytest.approx(-1)
    assert math.isnan(point(spearman([1, 1, 1], [1, 2, 3]), 3))
    assert math.isnan(point(spearman([1], [1]), 1))
    assert math.isnan(point(spearman([], []), 0))


def test_auc_counts_ties_as_half() -> None:
    # pairs (0.9, 0.1) (0.9, 0.5) right, (0.5, 0.1) right, (0.5, 0.5) tied: 3.5 of 4
    assert point(auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]), 4) == pytest.approx(3.5 / 4)
    assert point(auc([0, 1], [0.9, 0.1]), 2) == 0
    assert math.isnan(point(auc([1, 1], [0.1, 0.2]), 2))


def test_a_quotient_of_two_means() -> None:
    # the mean of 1 and 3 over the mean of 8
    assert point(quotient([1, 3, NAN], [NAN, NAN, 8]), 3) == pytest.approx(2 / 8)
    assert math.isnan(point(quotient([1, NAN], [NAN, 0]), 2))
    assert math.isnan(point(quotient([NAN], [1]), 1))


@pytest.mark.parametrize("seed", range(50))
def test_ranking_measures_agree_with_ir_measures(seed: int) -> None:
    """Ours are pure Python: the compiled part of ir-measures has no wheel for aarch64."""
    ir_measures = pytest.importorskip("ir_measures")
    draw = random.Random(seed)
    documents = [f"d{number:02}" for number in range(30)]
    grades = {name: draw.choice((0, 0, 0, 1, 2)) for name in draw.sample(documents, 12)}
    grades[documents[0]] = 1
    ranking = draw.sample(documents, draw.randint(1, 30))
    judgements = [ir_measures.Qrel("q", name, grade) for name, grade in grades.items()]
    run = [ir_measures.ScoredDoc("q", name, -place) for place, name in enumerate(ranking)]
    pairs = {
        ir_measures.nDCG @ 10: ndcg(ranking, grades, 10),
        ir_measures.RR @ 10: reciprocal_rank(ranking, grades, 10),
        ir_measures.R @ 10: recall(ranking, grades, 10),
        ir_measures.R @ 100: recall(ranking, grades, 100),
    }
    computed = ir_measures.calc_aggregate(list(pairs), judgements, run)
    for measure, value in pairs.items():
        assert value == pytest.approx(computed[measure], abs=1e-9), measure


def test_violations_by_hand() -> None:
    grades = {"a": 1.0, "b": -1.0, "c": -1.0}
    # The first violating document is at rank 3; without one among the first k, the rank counts as k + 1.
    ranking = ["a", "d", "b", "c"]
    assert [violation(ranking, grades, k) for k in (1, 2, 3, 10)] == [0, 0, 1, 1]
    assert [first_violation(ranking, grades, k) for k in (1, 2, 3, 10)] == [2, 3, 3, 3]
    assert first_violation([], grades, 5) == 6
    # A violating document gains nothing.
    assert ndcg(["b", "a"], grades, 10) == pytest.approx(1 / math.log2(3))
