"""Agreement and accuracy against values worked out by hand."""

from __future__ import annotations

import math
import random
from importlib import import_module

import numpy as np
import pytest

from litotes.stats import (
    accuracy,
    anova,
    auc,
    balanced_accuracy,
    bootstrap,
    cohen_kappa,
    confusion,
    draws,
    f1,
    interval,
    macro_f1,
    mcnemar,
    mean,
    paired,
    pareto,
    spearman,
    weighted_kappa,
)

LABELS = ["a", "a", "a", "b"]
PREDICTIONS = ["a", "a", "b", "b"]


def test_accuracy_and_f1() -> None:
    assert accuracy(LABELS, PREDICTIONS) == 3 / 4
    # recall of a 2/3, of b 1
    assert balanced_accuracy(LABELS, PREDICTIONS) == pytest.approx(5 / 6)
    # a: 2·2/(2·2+1) = 4/5; b: 2·1/(2·1+1) = 2/3
    assert f1(LABELS, PREDICTIONS, "a") == pytest.approx(4 / 5)
    assert macro_f1(LABELS, PREDICTIONS) == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert f1(["a"], ["a"], "c") == 0.0
    # a class that is not among the labels does not count
    assert macro_f1(["a", "a"], ["a", "c"]) == pytest.approx(2 / 3)


def test_kappa() -> None:
    # agreed 3/4; chance (3·2 + 1·2)/16 = 1/2; (3/4 − 1/2)/(1/2) = 1/2
    assert cohen_kappa(LABELS, PREDICTIONS) == pytest.approx(1 / 2)
    assert cohen_kappa(["a", "a"], ["a", "a"]) == 1.0
    assert cohen_kappa(["a", "b"], ["b", "a"]) == pytest.approx(-1.0)


def test_weighted_kappa() -> None:
    # observed squares: (0 + 1 + 0)/3; by chance, all nine pairs of (1,2,3) and (1,3,3): 0+4+4 + 1+1+1 + 4+0+0 = 15
    assert weighted_kappa([1, 2, 3], [1, 3, 3]) == pytest.approx(1 - (1 / 3) / (15 / 9))
    # the same with distances: observed 1/3; 0+2+2 + 1+1+1 + 2+0+0 = 9 → 1
    assert weighted_kappa([1, 2, 3], [1, 3, 3], power=1) == pytest.approx(1 - 1 / 3)
    assert weighted_kappa([4, 4], [4, 4]) == 1.0


@pytest.mark.parametrize("seed", range(20))
def test_labels_agree_with_scikit_learn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = random.Random(seed)
    names = ["a", "b", "c", "d"][: draw.randint(2, 4)]
    labels = [*names, *draw.choices(names, k=30)]
    predictions = [*names, *draw.choices(names, k=30)]
    assert balanced_accuracy(labels, predictions) == pytest.approx(metrics.balanced_accuracy_score(labels, predictions))
    assert macro_f1(labels, predictions) == pytest.approx(metrics.f1_score(labels, predictions, average="macro"))
    assert cohen_kappa(labels, predictions) == pytest.approx(metrics.cohen_kappa_score(labels, predictions))
    assert confusion(labels, predictions, names) == metrics.confusion_matrix(labels, predictions, labels=names).tolist()
    first, second = ([*range(1, 6), *draw.choices(range(1, 6), k=20)] for _ in range(2))
    for power, weights in ((1, "linear"), (2, "quadratic")):
        expected = metrics.cohen_kappa_score(first, second, weights=weights)
        assert weighted_kappa(first, second, power=power) == pytest.approx(expected)


def test_empty_lists() -> None:
    assert accuracy([], []) == balanced_accuracy([], []) == macro_f1([], []) == 0.0
    assert cohen_kappa([], []) == weighted_kappa([], []) == 0.0
    assert bootstrap([], [], macro_f1, rounds=3) == (0.0, 0.0)


def test_lengths_must_match() -> None:
    with pytest.raises(ValueError, match="got 1 and 2"):
        cohen_kappa(["a"], ["a", "b"])


def test_confusion_counts() -> None:
    assert confusion(LABELS, PREDICTIONS, ["a", "b"]) == [[2, 1], [0, 1]]


def test_the_interval_contains_the_value_and_is_reproducible() -> None:
    wanted, found = LABELS * 20, PREDICTIONS * 20
    low, high = bootstrap(wanted, found, accuracy, seed=1, rounds=300)
    assert low < 3 / 4 < high
    assert (low, high) == bootstrap(wanted, found, accuracy, seed=1, rounds=300)
    assert bootstrap(["a"] * 5, ["a"] * 5, accuracy, rounds=20) == (1.0, 1.0)


NUMBERS = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0]
OTHERS = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0, 2.0, 8.0]


def test_statistics_of_resamples_are_those_of_the_drawn_items() -> None:
    # each resample is written out and given to scipy, with ties and constants
    scipy_stats = import_module("scipy.stats")
    labels = [int(number > 4) for number in NUMBERS]
    generator = np.random.default_rng(5)
    for _ in range(20):
        places = generator.integers(0, len(NUMBERS), len(NUMBERS))
        counts = np.bincount(places, minlength=len(NUMBERS)).astype(float)[None]
        left, right = np.array(NUMBERS)[places], np.array(OTHERS)[places]
        assert mean(NUMBERS)(counts)[0] == pytest.approx(left.mean())
        assert spearman(NUMBERS, OTHERS)(counts)[0] == pytest.approx(scipy_stats.spearmanr(left, right).statistic)
        drawn = np.array(labels)[places]
        if 0 < drawn.sum() < len(drawn):
            above = scipy_stats.mannwhitneyu(right[drawn == 1], right[drawn == 0]).statistic
            wanted = above / (drawn.sum() * (len(drawn) - drawn.sum()))
            assert auc(labels, OTHERS)(counts)[0] == pytest.approx(wanted)


def test_intervals_contain_the_value_are_reproducible_and_agree_with_scipy() -> None:
    numbers = np.random.default_rng(2).normal(10, 2, 400)
    low, high = interval(mean(list(numbers)), len(numbers), seed=1)
    assert (low, high) == interval(mean(list(numbers)), len(numbers), seed=1)
    assert (low, high) != interval(mean(list(numbers)), len(numbers), seed=2)
    # the mean's own standard error is 2/√400 = 0.1: 1.96 of it to each side
    assert (high - low) / 2 == pytest.approx(1.96 * numbers.std() / 20, rel=0.1)
    wanted = import_module("scipy.stats").bootstrap(
        (numbers,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(3)
    )
    assert low == pytest.approx(wanted.confidence_interval.low, abs=0.02)
    assert high == pytest.approx(wanted.confidence_interval.high, abs=0.02)


def test_more_rounds_continue_the_same_draws() -> None:
    # a thousand items are drawn in blocks of a thousand resamples
    numbers = list(np.random.default_rng(7).normal(size=1000))
    assert (draws(mean(numbers), 1000, rounds=1500)[:1200] == draws(mean(numbers), 1000, rounds=1200)).all()


def test_intervals_of_nothing_and_of_constants() -> None:
    assert all(math.isnan(end) for end in interval(mean([]), 0))
    assert interval(mean([7.0, 7.0]), 2) == (7.0, 7.0)
    # every resample has a constant side: no correlation, no interval
    assert all(math.isnan(end) for end in interval(spearman([1, 1], [1, 2]), 2))


def test_mcnemar_by_hand() -> None:
    # only the first right: 5; only the second: 1; twice the chance of at most 1 of 6: 2·(1 + 6)/64
    first = [True] * 5 + [False] + [True, False]
    second = [False] * 5 + [True] + [True, False]
    found = mcnemar(first, second)
    assert (found.first_only, found.second_only) == (5, 1)
    assert found.p == pytest.approx(14 / 64)
    assert mcnemar([True, False], [True, False]).p == 1.0
    assert mcnemar([], []).p == 1.0


def test_the_paired_bootstrap_finds_differences_that_two_intervals_do_not() -> None:
    base = list(np.random.default_rng(4).normal(0, 5, 300))
    better = [value + 0.2 for value in base]
    found = paired(mean(better), mean(base), 300)
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.2)
    assert found.p < 0.01
    same = paired(mean(base), mean(base), 300)
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
    nothing = paired(mean([]), mean([]), 0)
    assert math.isnan(nothing.value)
    assert nothing.p == 1.0


def test_anova_and_tukey() -> None:
    # within: squares 2 + 2 + 2 over 6 degrees; between: 3·((2−4)² + (3−4)² + (7−4)²) = 42 over 2: F = 21/1
    groups = {"a": [1.0, 2.0, 3.0], "b": [2.0, 3.0, 4.0], "c": [6.0, 7.0, 8.0]}
    found = anova(groups)
    assert found.f == pytest.approx(21)
    assert found.p == pytest.approx(import_module("scipy.stats").f.sf(21, 2, 6))
    assert [pair.first + pair.second for pair in found.pairs] == ["ab", "ac", "bc"]
    assert [pair.difference for pair in found.pairs] == pytest.approx([-1, -5, -4])
    # the studentised range at 5% for 3 groups and 6 degrees is 4.339; over √3, the significant difference is 2.505
    assert found.pairs[0].high == pytest.approx(-1 + 4.339 / math.sqrt(3), abs=0.01)
    assert [pair.p < 0.05 for pair in found.pairs] == [False, True, True]
    with pytest.raises(ValueError, match="'b' has 1"):
        anova({"a": [1.0, 2.0], "b": [1.0]})
    with pytest.raises(ValueError, match="got 1 group"):
        anova({"a": [1.0, 2.0]})


# (3, 1) and (1, 3) each lead on one axis, (2, 2) is between; all three dominate (1, 1)
@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([(5.0, 5.0)], [0]),
        ([(3.0, 1.0), (1.0, 3.0), (2.0, 2.0), (1.0, 1.0)], [0, 1, 2]),
        ([(1.0, 2.0), (2.0, 2.0)], [1]),
        ([(2.0, 1.0), (2.0, 2.0)], [1]),
        ([(1.0, 1.0), (1.0, 1.0)], [0, 1]),
        ([(math.nan, 9.0), (9.0, math.nan), (1.0, 1.0)], [2]),
    ],
)
def test_pareto_keeps_the_points_that_none_dominates(points: list[tuple[float, float]], expected: list[int]) -> None:
    assert pareto(points) == expected
